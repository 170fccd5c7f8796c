package dev.ottla.wire;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.Message;
import org.apache.kafka.common.protocol.MessageUtil;
import org.apache.kafka.common.protocol.types.RawTaggedField;
import org.apache.kafka.common.record.internal.BaseRecords;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.jspecify.annotations.Nullable;

/// Kafka's generated classes, by reflection: made from our records, and compared with them value by
/// value.
final class Theirs {
    private static final Map<Class<?>, Map<String, Method>> SETTERS = new ConcurrentHashMap<>();

    private Theirs() {}

    static Message create(Class<?> type) {
        try {
            return (Message) type.getConstructor().newInstance();
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    static Message read(Class<?> type, ByteBuffer bytes, short version) {
        Message message = create(type);
        message.read(new ByteBufferAccessor(bytes), version);
        return message;
    }

    static ByteBuffer write(Message message, short version) {
        return MessageUtil.toByteBufferAccessor(message, version).buffer();
    }

    /// The same message in Kafka's class.
    static Message from(Object ours, Class<?> type) {
        Message theirs = create(type);
        for (RecordComponent component : Ours.shape(ours.getClass()).components()) {
            Object value = Ours.value(ours, component);
            if (component.getName().equals("unknownTaggedFields")) {
                addTaggedFields((List<?>) value, theirs);
                continue;
            }
            Method setter = setter(type, component.getName());
            Ours.call(theirs, setter, convert(value, setter.getParameterTypes()[0], type));
        }
        return theirs;
    }

    /// Whether all values are equal. Our records may lack fields that no valid version of the
    /// message has.
    static boolean same(@Nullable Object ours, @Nullable Object theirs) {
        // Kafka leaves records at null even where the protocol has no null for them.
        if (theirs == null && BufferRecords.EMPTY.equals(ours)) return true;
        if (ours == null || theirs == null) return ours == null && theirs == null;
        if (theirs instanceof byte[] bytes) return ours.equals(ByteBuffer.wrap(bytes));
        if (theirs instanceof MemoryRecords records) {
            return ours.equals(new BufferRecords(records.buffer()));
        }
        if (theirs instanceof org.apache.kafka.common.Uuid uuid) return ours.equals(ours(uuid));
        if (theirs instanceof RawTaggedField field) return ours.equals(ours(field));
        if (theirs instanceof Collection<?> elements) {
            List<?> list = (List<?>) ours;
            if (list.size() != elements.size()) return false;
            int index = 0;
            for (Object element : elements) {
                if (!same(list.get(index++), element)) return false;
            }
            return true;
        }
        if (!(theirs instanceof Message)) return ours.equals(theirs);
        for (RecordComponent component : Ours.shape(ours.getClass()).components()) {
            Object value = Ours.value(ours, component);
            if (!same(value, value(theirs, component.getName()))) return false;
        }
        return true;
    }

    /// Whether the class takes only values without a sign for the field.
    static boolean isUnsigned(Class<?> type, String field) {
        Method setter = setter(type, field);
        try {
            setter.invoke(create(type), -1); // Widened where the field is a long.
            return false;
        } catch (InvocationTargetException e) {
            return true;
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }

    static Map<String, Method> setters(Class<?> type) {
        return SETTERS.computeIfAbsent(
                type,
                _ -> {
                    Map<String, Method> setters = new ConcurrentHashMap<>();
                    for (Method method : type.getMethods()) {
                        String name = method.getName();
                        if (!name.startsWith("set") || method.isBridge()) continue;
                        if (method.getReturnType() != type) continue;
                        setters.put(
                                Character.toLowerCase(name.charAt(3)) + name.substring(4), method);
                    }
                    return setters;
                });
    }

    /// Kafka's class for a structure: nested in the class of the message, whatever its depth.
    static Class<?> nested(Class<?> type, String name) {
        String outer = type.getName().replaceAll("\\$.*", "");
        try {
            return Class.forName(outer + "$" + name);
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Method setter(Class<?> type, String field) {
        Method setter = setters(type).get(field);
        if (setter == null) throw new AssertionError(type.getName() + " has no field " + field);
        return setter;
    }

    private static @Nullable Object value(Object theirs, String field) {
        try {
            return Ours.call(theirs, theirs.getClass().getMethod(field));
        } catch (NoSuchMethodException e) {
            throw new IllegalStateException(e);
        }
    }

    private static @Nullable Object convert(
            @Nullable Object value, Class<?> parameter, Class<?> type) {
        return switch (value) {
            case null -> null;
            case ByteBuffer bytes -> parameter == byte[].class ? array(bytes) : bytes.duplicate();
            case BufferRecords records when parameter == BaseRecords.class ->
                    MemoryRecords.readableRecords(records.buffer().duplicate());
            case Uuid uuid -> theirs(uuid);
            case List<?> list -> convertAll(list, parameter, type);
            case Record struct -> from(struct, nested(type, struct.getClass().getSimpleName()));
            default -> value;
        };
    }

    @SuppressWarnings("unchecked")
    private static Object convertAll(List<?> list, Class<?> parameter, Class<?> type) {
        try {
            Collection<@Nullable Object> converted =
                    parameter == List.class
                            ? new ArrayList<>()
                            : (Collection<@Nullable Object>)
                                    parameter.getConstructor().newInstance();
            for (Object element : list) converted.add(convert(element, Object.class, type));
            return converted;
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void addTaggedFields(@Nullable List<?> fields, Message theirs) {
        if (fields == null) return;
        for (Object field : fields) {
            UnknownTaggedField ours = (UnknownTaggedField) field;
            theirs.unknownTaggedFields().add(new RawTaggedField(ours.tag(), array(ours.data())));
        }
    }

    private static UnknownTaggedField ours(RawTaggedField field) {
        return new UnknownTaggedField(field.tag(), ByteBuffer.wrap(field.data()));
    }

    private static Uuid ours(org.apache.kafka.common.Uuid uuid) {
        return new Uuid(uuid.getMostSignificantBits(), uuid.getLeastSignificantBits());
    }

    private static org.apache.kafka.common.Uuid theirs(Uuid uuid) {
        return new org.apache.kafka.common.Uuid(
                uuid.mostSignificantBits(), uuid.leastSignificantBits());
    }

    private static byte[] array(ByteBuffer bytes) {
        byte[] array = new byte[bytes.remaining()];
        bytes.get(bytes.position(), array);
        return array;
    }
}
