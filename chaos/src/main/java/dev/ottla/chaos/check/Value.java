package dev.ottla.chaos.check;

/// A record's value, a writer and a number, in one `long`.
final class Value {
    private static final int NUMBER_BITS = 44;
    private static final long NUMBER_MASK = (1L << NUMBER_BITS) - 1;

    private Value() {}

    static long of(int writer, long number) {
        return (long) writer << NUMBER_BITS | number;
    }

    static int writer(long value) {
        return (int) (value >>> NUMBER_BITS);
    }

    static long number(long value) {
        return value & NUMBER_MASK;
    }

    static String text(long value) {
        return value == LongList.ABSENT ? "nothing" : writer(value) + "." + number(value);
    }
}
