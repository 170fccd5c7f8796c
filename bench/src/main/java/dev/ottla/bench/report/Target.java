package dev.ottla.bench.report;

import java.util.Locale;

/// What a ratio, or another figure, shall be.
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

    /// Whether a figure reaches it.
    default boolean isMet(double value) {
        return switch (this) {
            case AtMost(double bound) -> value <= bound;
            case AtLeast(double bound) -> value >= bound;
        };
    }

    /// The value that the figure is held against.
    double bound();
}
