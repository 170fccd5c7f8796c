package dev.ottla.chaos.check;

import java.util.Arrays;

/// Numbers by index; what was never set is [#ABSENT]. Owned by one thread.
final class LongList {
    static final long ABSENT = -1;

    private long[] items = new long[64];
    private int size;

    LongList() {
        Arrays.fill(items, ABSENT);
    }

    int size() {
        return size;
    }

    long get(long index) {
        return index < 0 || index >= size ? ABSENT : items[(int) index];
    }

    void add(long value) {
        set(size, value);
    }

    void set(long index, long value) {
        int at = Math.toIntExact(index);
        if (at >= items.length) {
            int before = items.length;
            items = Arrays.copyOf(items, Math.max(at + 1, before + before / 2));
            Arrays.fill(items, before, items.length, ABSENT);
        }
        items[at] = value;
        size = Math.max(size, at + 1);
    }

    /// Index of the greatest item that is not above `value`, where items rise; -1 when all are.
    int floorIndex(long value) {
        int low = 0;
        int high = size - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            if (items[middle] <= value) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return high;
    }
}
