package dev.ottla.config;

import java.util.ArrayList;
import java.util.List;

/// Gathers what is wrong among the values of one resource. Used by one thread for one check.
final class Findings {
    private final ConfigValues values;
    private final List<ConfigProblem> problems = new ArrayList<>();

    Findings(ConfigValues values) {
        this.values = values;
    }

    List<ConfigProblem> problems() {
        return List.copyOf(problems);
    }

    <T extends Number> T value(ConfigKey<T> key) {
        return values.value(key);
    }

    /// `key` must not be larger than `limit`.
    void atMost(ConfigKey<? extends Number> key, ConfigKey<? extends Number> limit) {
        if (values.value(key).longValue() > values.value(limit).longValue()) {
            problem(
                    key,
                    "at most %s = %s".formatted(limit, text(limit)),
                    "lower it or raise " + limit);
        }
    }

    /// `key` must be smaller than `limit`.
    void below(ConfigKey<? extends Number> key, ConfigKey<? extends Number> limit) {
        if (values.value(key).longValue() >= values.value(limit).longValue()) {
            problem(
                    key,
                    "less than %s = %s".formatted(limit, text(limit)),
                    "lower it or raise " + limit);
        }
    }

    /// `min` ≤ `key` ≤ `max`, and the bounds themselves the right way round.
    void within(
            ConfigKey<? extends Number> key,
            ConfigKey<? extends Number> min,
            ConfigKey<? extends Number> max) {
        atMost(min, max);
        atMost(key, max);
        if (values.value(key).longValue() < values.value(min).longValue()) {
            problem(key, "at least %s = %s".formatted(min, text(min)), "raise it or lower " + min);
        }
    }

    void check(boolean fine, ConfigKey<?> key, String expectation, String remedy) {
        if (!fine) {
            problem(key, expectation, remedy);
        }
    }

    void problem(ConfigKey<?> key, String expectation, String remedy) {
        problems.add(
                new ConfigProblem(
                        key.name(), key.sensitive() ? "[hidden]" : text(key), expectation, remedy));
    }

    private String text(ConfigKey<?> key) {
        return values.text(key).orElse("");
    }
}
