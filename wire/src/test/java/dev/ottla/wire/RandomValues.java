package dev.ottla.wire;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// Makes random messages in our generated classes: every field gets another value than its default
/// most of the time, apart from those that are banned because the version at hand cannot carry
/// them.
final class RandomValues {
    private static final Map<String, Boolean> UNSIGNED = new HashMap<>();

    private final RandomGenerator random;
    private final Class<?> message;
    private final Class<?> theirMessage;
    private final Set<String> banned = new HashSet<>();
    private boolean nulls = true;

    RandomValues(RandomGenerator random, Class<?> ours, Class<?> theirs) {
        this.random = random;
        this.message = ours;
        this.theirMessage = theirs;
    }

    /// Keeps a field at its default from now on; false when it is so already.
    boolean ban(String structAndField) {
        return banned.add(structAndField);
    }

    void banNulls() {
        nulls = false;
    }

    Message next() {
        return (Message) struct(message, theirMessage);
    }

    private Object struct(Class<?> type, Class<?> theirType) {
        Ours.Shape shape = Ours.shape(type);
        String name = Ours.name(type, message);
        @Nullable Object[] values = shape.defaults().toArray();
        for (int i = 0; i < values.length; i++) {
            RecordComponent component = shape.components().get(i);
            if (random.nextInt(8) == 0) continue;
            if (banned.contains(name + "." + component.getName())) continue;
            boolean isNull = shape.nullable().get(i) && nulls && random.nextInt(4) == 0;
            values[i] = isNull ? null : value(component, theirType);
        }
        return shape.create(values);
    }

    private Object value(RecordComponent component, Class<?> theirType) {
        if (component.getName().equals("unknownTaggedFields")) return taggedFields();
        if (component.getGenericType() instanceof ParameterizedType list) {
            return list(list.getActualTypeArguments()[0], theirType);
        }
        Class<?> componentType = component.getType();
        if (componentType == int.class && isUnsigned(theirType, component.getName())) {
            return random.nextInt(0x10000);
        }
        if (componentType == long.class && isUnsigned(theirType, component.getName())) {
            return random.nextLong(0x1_0000_0000L);
        }
        return scalar(componentType, theirType);
    }

    private static boolean isUnsigned(Class<?> type, String field) {
        return UNSIGNED.computeIfAbsent(
                type.getName() + "." + field, _ -> Theirs.isUnsigned(type, field));
    }

    private List<Object> list(Type element, Class<?> theirType) {
        // Now and then long enough for a length of two bytes, in both forms.
        boolean isSimple = element instanceof Class<?> type && !Ours.isStruct(type);
        boolean isLong = isSimple && element != String.class && random.nextInt(40) == 0;
        int size = isLong ? 100 + random.nextInt(100) : random.nextInt(4);
        List<Object> list = new ArrayList<>(size);
        for (int i = 0; i < size; i++) list.add(scalar((Class<?>) element, theirType));
        return list;
    }

    private Object scalar(Class<?> type, Class<?> theirType) {
        if (type == boolean.class || type == Boolean.class) return random.nextBoolean();
        if (type == byte.class || type == Byte.class) return (byte) random.nextInt();
        if (type == short.class || type == Short.class) return (short) random.nextInt();
        if (type == int.class || type == Integer.class) return random.nextInt();
        if (type == long.class || type == Long.class) return random.nextLong();
        if (type == double.class || type == Double.class) return random.nextDouble();
        if (type == String.class) return text();
        if (type == ByteBuffer.class) return bytes();
        if (type == RecordsPayload.class) return new BufferRecords(bytes());
        if (type == Uuid.class) return new Uuid(random.nextLong(), random.nextLong());
        return struct(type, Theirs.nested(theirType, type.getSimpleName()));
    }

    private String text() {
        StringBuilder text = new StringBuilder();
        int length = random.nextInt(10) == 0 ? 100 + random.nextInt(200) : random.nextInt(8);
        for (int i = 0; i < length; i++) {
            text.appendCodePoint(
                    switch (random.nextInt(8)) {
                        case 0 -> 0x80 + random.nextInt(0x700);
                        case 1 -> 0x800 + random.nextInt(0xa000);
                        case 2 -> 0x10000 + random.nextInt(0x100000);
                        case 3 -> 0xd800 + random.nextInt(0x800); // A surrogate, perhaps alone.
                        default -> ' ' + random.nextInt(0x5f);
                    });
        }
        // What the wire makes of it, so that it comes back equal.
        return new String(text.toString().getBytes(UTF_8), UTF_8);
    }

    private ByteBuffer bytes() {
        byte[] bytes = new byte[random.nextInt(10) == 0 ? 300 : random.nextInt(8)];
        random.nextBytes(bytes);
        return ByteBuffer.wrap(bytes);
    }

    private List<UnknownTaggedField> taggedFields() {
        List<UnknownTaggedField> fields = new ArrayList<>();
        int tag = 50;
        for (int i = random.nextInt(3); i > 0; i--) {
            tag += 1 + random.nextInt(200);
            fields.add(new UnknownTaggedField(tag, bytes()));
        }
        return fields;
    }
}
