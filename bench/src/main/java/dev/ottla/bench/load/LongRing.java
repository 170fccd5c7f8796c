package dev.ottla.bench.load;

import static dev.ottla.wire.Check.check;

/// A queue of longs without boxes; grows up to [#LIMIT]. Owned by one thread.
final class LongRing {
    /// More waiting requests than that: the broker is so far behind that the run has no meaning.
    static final int LIMIT = 1 << 24;

    private long[] values = new long[16];
    private int head;
    private int size;

    int size() {
        return size;
    }

    void add(long value) {
        if (size == values.length) grow();
        values[(head + size) & (values.length - 1)] = value;
        size++;
    }

    long remove() {
        check(size > 0, "the ring is empty");
        long value = values[head];
        head = (head + 1) & (values.length - 1);
        size--;
        return value;
    }

    private void grow() {
        check(size < LIMIT, "%d requests wait to be sent", size);
        long[] larger = new long[values.length * 2];
        for (int i = 0; i < size; i++) larger[i] = values[(head + i) & (values.length - 1)];
        values = larger;
        head = 0;
    }
}
