package dev.ottla.config;

/// Milliseconds from coarser units. A negative time means "for good" and becomes -1.
final class Conversions {
    private Conversions() {}

    static long retention(long ms) {
        return ms < 0 ? -1 : ms;
    }

    static long minutes(int value) {
        return value < 0 ? -1 : value * 60_000L;
    }

    static long hours(int value) {
        return value < 0 ? -1 : value * 3_600_000L;
    }
}
