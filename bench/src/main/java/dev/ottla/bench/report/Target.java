package dev.ottla.bench.report;

import java.util.Locale;

/// What a ratio shall be.
public sealed interface Target {
    record AtMost(double bound) implements Target {
        @Override
        public String toString() {
            return String.format(Locale.ROOT, "≤ %s", bound);
        }
    }

    record AtLeast(double bound) implements Target {
        @Override
        public String toString() {
            return String.format(Locale.ROOT, "≥ %s", bound);
        }
    }

    /// Whether a ratio reaches it.
    default boolean isMet(double ratio) {
        return switch (this) {
            case AtMost(double bound) -> ratio <= bound;
            case AtLeast(double bound) -> ratio >= bound;
        };
    }

    /// The value that the ratio is held against.
    double bound();
}
