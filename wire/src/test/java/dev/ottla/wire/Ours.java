package dev.ottla.wire;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// Our generated records, by reflection.
final class Ours {
    private static final Map<Class<?>, Shape> SHAPES = new ConcurrentHashMap<>();
    private static final Map<Class<?>, MethodHandle> READERS = new ConcurrentHashMap<>();

    private Ours() {}

    /// What reflection says about one record class, asked once.
    record Shape(
            List<RecordComponent> components,
            List<Boolean> nullable,
            Constructor<?> constructor,
            List<@Nullable Object> defaults) {

        Object create(@Nullable Object[] values) {
            try {
                return constructor.newInstance(values);
            } catch (InvocationTargetException e) {
                throw rethrown(e);
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    static Shape shape(Class<?> type) {
        return SHAPES.computeIfAbsent(type, Ours::newShape);
    }

    private static Shape newShape(Class<?> type) {
        List<RecordComponent> components = List.of(type.getRecordComponents());
        List<Boolean> nullable = new ArrayList<>();
        List<@Nullable Object> defaults = new ArrayList<>();
        Object byDefault = defaults(type);
        for (RecordComponent component : components) {
            nullable.add(component.getAnnotatedType().isAnnotationPresent(Nullable.class));
            defaults.add(value(byDefault, component));
        }
        // A record of ours has one public constructor, the canonical one.
        return new Shape(components, nullable, type.getConstructors()[0], defaults);
    }

    static Message read(Class<?> type, WireReader reader, short version) throws Throwable {
        MethodHandle read = READERS.get(type);
        if (read == null) {
            Method method = type.getMethod("read", WireReader.class, short.class);
            read = MethodHandles.lookup().unreflect(method);
            READERS.put(type, read);
        }
        return (Message) read.invoke(reader, version);
    }

    /// What the builder gives when nothing is set.
    static Object defaults(Class<?> type) {
        try {
            Object builder = type.getMethod("builder").invoke(null);
            return builder.getClass().getMethod("build").invoke(builder);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    /// Adds the fields, here and in structures inside, that have another value than their default.
    static void addChanged(Object message, Class<?> outer, Set<String> changed) {
        Shape shape = shape(message.getClass());
        for (int i = 0; i < shape.components.size(); i++) {
            Object value = value(message, shape.components.get(i));
            if (Objects.equals(value, shape.defaults.get(i))) continue;
            changed.add(name(message.getClass(), outer) + "." + shape.components.get(i).getName());
            if (value instanceof Iterable<?> elements) {
                for (Object element : elements) {
                    if (isStruct(element.getClass())) addChanged(element, outer, changed);
                }
            } else if (value != null && isStruct(value.getClass())) {
                addChanged(value, outer, changed);
            }
        }
    }

    static boolean isStruct(Class<?> type) {
        return type.isRecord() && type.getPackageName().endsWith(".message");
    }

    static String name(Class<?> type, Class<?> outer) {
        String message = outer.getSimpleName();
        return type == outer ? message : message + "." + type.getSimpleName();
    }

    static @Nullable Object value(Object holder, RecordComponent component) {
        return call(holder, component.getAccessor());
    }

    static @Nullable Object call(Object holder, Method method, @Nullable Object... arguments) {
        try {
            return method.invoke(holder, arguments);
        } catch (InvocationTargetException e) {
            throw rethrown(e);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private static RuntimeException rethrown(InvocationTargetException e) {
        if (e.getCause() instanceof Error error) throw error;
        if (e.getCause() instanceof RuntimeException cause) return cause;
        return new IllegalStateException(e);
    }
}
