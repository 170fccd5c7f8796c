package dev.ottla.config;

import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;

/// Which values of a type a key takes.
interface Constraint<T> {
    boolean allows(T value);

    /// The allowed values in words, as the end of "must be …"; empty when every value is allowed.
    String words();

    static <T> Constraint<T> any() {
        return new Matching<>("", _ -> true);
    }

    /// Whole numbers from `min` to `max`, both inclusive.
    record Whole<T extends Number>(long min, long max) implements Constraint<T> {
        @Override
        public boolean allows(T value) {
            return value.longValue() >= min && value.longValue() <= max;
        }

        @Override
        public String words() {
            return max == Long.MAX_VALUE ? "at least " + min : "from %d to %d".formatted(min, max);
        }
    }

    /// Numbers from `min` to `max`, both inclusive.
    record Fraction(double min, double max) implements Constraint<Double> {
        @Override
        public boolean allows(Double value) {
            return value >= min && value <= max;
        }

        @Override
        public String words() {
            return max == Double.MAX_VALUE
                    ? "at least " + min
                    : "from %s to %s".formatted(min, max);
        }
    }

    record OneOf(List<String> values) implements Constraint<String> {
        @Override
        public boolean allows(String value) {
            return values.contains(value);
        }

        @Override
        public String words() {
            return "one of " + String.join(", ", values);
        }
    }

    record OneOfIgnoringCase(List<String> values) implements Constraint<String> {
        @Override
        public boolean allows(String value) {
            return values.contains(value.toLowerCase(Locale.ROOT));
        }

        @Override
        public String words() {
            return "one of " + String.join(", ", values) + " in any case";
        }
    }

    /// Lists without repetitions and without blank entries.
    ///
    /// @param values the allowed entries; empty allows any
    record Entries(List<String> values, boolean emptyAllowed) implements Constraint<List<String>> {
        @Override
        public boolean allows(List<String> list) {
            return (emptyAllowed || !list.isEmpty())
                    && new HashSet<>(list).size() == list.size()
                    && list.stream().noneMatch(String::isEmpty)
                    && (values.isEmpty() || values.containsAll(list));
        }

        @Override
        public String words() {
            String most = values.isEmpty() ? "values" : "of " + String.join(", ", values);
            return (emptyAllowed ? "any " : "one or more ") + most + ", none twice";
        }
    }

    record Matching<T>(String words, Predicate<? super T> predicate) implements Constraint<T> {
        @Override
        public boolean allows(T value) {
            return predicate.test(value);
        }
    }
}
