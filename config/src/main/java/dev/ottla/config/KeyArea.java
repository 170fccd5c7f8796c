package dev.ottla.config;

import java.util.ArrayList;
import java.util.List;

/// The keys of one area, in the order of their declaration. Filled while the declaring class is
/// initialised, by the thread that does so; read only afterwards.
final class KeyArea {
    private final String title;
    private final Scope scope;
    private final List<ConfigKey<?>> keys = new ArrayList<>();

    KeyArea(Scope scope, String title) {
        this.scope = scope;
        this.title = title;
    }

    String title() {
        return title;
    }

    Scope scope() {
        return scope;
    }

    List<ConfigKey<?>> keys() {
        return List.copyOf(keys);
    }

    void add(ConfigKey<?> key) {
        keys.add(key);
    }

    KeyBuilder<Boolean> bool(String name, boolean defaultValue, Importance importance) {
        return start(ConfigType.BOOLEAN, name, importance).fixed(defaultValue);
    }

    KeyBuilder<String> string(String name, Importance importance) {
        return start(ConfigType.STRING, name, importance);
    }

    KeyBuilder<String> string(String name, String defaultValue, Importance importance) {
        return string(name, importance).fixed(defaultValue);
    }

    KeyBuilder<Integer> int32(String name, Importance importance) {
        return start(ConfigType.INT, name, importance);
    }

    KeyBuilder<Integer> int32(String name, int defaultValue, Importance importance) {
        return int32(name, importance).fixed(defaultValue);
    }

    KeyBuilder<Short> int16(String name, Importance importance) {
        return start(ConfigType.SHORT, name, importance);
    }

    KeyBuilder<Short> int16(String name, int defaultValue, Importance importance) {
        return int16(name, importance).fixed((short) defaultValue);
    }

    KeyBuilder<Long> int64(String name, Importance importance) {
        return start(ConfigType.LONG, name, importance);
    }

    KeyBuilder<Long> int64(String name, long defaultValue, Importance importance) {
        return int64(name, importance).fixed(defaultValue);
    }

    KeyBuilder<Double> float64(String name, double defaultValue, Importance importance) {
        return start(ConfigType.DOUBLE, name, importance).fixed(defaultValue);
    }

    KeyBuilder<List<String>> list(String name, Importance importance) {
        return start(ConfigType.LIST, name, importance);
    }

    KeyBuilder<List<String>> list(String name, List<String> defaultValue, Importance importance) {
        return list(name, importance).fixed(new TextList(defaultValue));
    }

    KeyBuilder<String> className(String name, Importance importance) {
        return start(ConfigType.CLASS, name, importance);
    }

    KeyBuilder<String> className(String name, String defaultValue, Importance importance) {
        return className(name, importance).fixed(defaultValue);
    }

    KeyBuilder<Password> password(String name, Importance importance) {
        return start(ConfigType.PASSWORD, name, importance);
    }

    private <T> KeyBuilder<T> start(ConfigType<T> type, String name, Importance importance) {
        return new KeyBuilder<>(this, type, name, importance);
    }
}
