package dev.ottla.config;

import java.util.List;

/// Short names for the usual constraints, read as `allowing(atLeast(1))`.
final class Allowed {
    private Allowed() {}

    static <T extends Number> Constraint<T> atLeast(long min) {
        return new Constraint.Whole<>(min, Long.MAX_VALUE);
    }

    static <T extends Number> Constraint<T> between(long min, long max) {
        return new Constraint.Whole<>(min, max);
    }

    static Constraint<Double> fraction(double min, double max) {
        return new Constraint.Fraction(min, max);
    }

    static Constraint<String> oneOf(String... values) {
        return new Constraint.OneOf(List.of(values));
    }

    /// `values` in lower case.
    static Constraint<String> oneOfIgnoringCase(String... values) {
        return new Constraint.OneOfIgnoringCase(List.of(values));
    }

    static Constraint<String> notEmpty() {
        return new Constraint.Matching<>("not empty", value -> !value.isEmpty());
    }

    /// Lists of different entries, out of `values` if there are any.
    static Constraint<List<String>> entries(String... values) {
        return new Constraint.Entries(List.of(values), true);
    }

    /// The same, and not empty.
    static Constraint<List<String>> someEntries(String... values) {
        return new Constraint.Entries(List.of(values), false);
    }
}
