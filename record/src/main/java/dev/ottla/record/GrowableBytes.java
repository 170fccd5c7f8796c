package dev.ottla.record;

import java.nio.ByteBuffer;
import java.util.Arrays;

/// A byte array that grows, with the primitives of the record format.
final class GrowableBytes {
    private byte[] bytes;
    private int size;

    /// Starts with `reserved` bytes to be filled in later.
    GrowableBytes(int reserved, int capacity) {
        bytes = new byte[Math.max(reserved, capacity)];
        size = reserved;
    }

    int size() {
        return size;
    }

    byte[] array() {
        return bytes;
    }

    /// Makes room for `count` more bytes.
    void ensure(int count) {
        if (count > bytes.length - size) {
            int grown =
                    (int)
                            Math.min(
                                    Math.max(size + (long) count, bytes.length * 2L),
                                    Integer.MAX_VALUE - 8);
            bytes = Arrays.copyOf(bytes, grown);
        }
    }

    /// Counts bytes that were put straight into [#array].
    void advance(int count) {
        size += count;
    }

    void truncate(int newSize) {
        size = newSize;
    }

    void writeByte(int value) {
        ensure(1);
        bytes[size++] = (byte) value;
    }

    void write(byte[] source, int offset, int length) {
        ensure(length);
        System.arraycopy(source, offset, bytes, size, length);
        size += length;
    }

    /// Does not move the source's position.
    void write(ByteBuffer source) {
        int length = source.remaining();
        ensure(length);
        source.get(source.position(), bytes, size, length);
        size += length;
    }

    void writeVarint(int value) {
        ensure(5);
        int rest = (value << 1) ^ (value >> 31);
        while ((rest & ~0x7f) != 0) {
            bytes[size++] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        bytes[size++] = (byte) rest;
    }

    void writeVarlong(long value) {
        ensure(10);
        long rest = (value << 1) ^ (value >> 63);
        while ((rest & ~0x7fL) != 0) {
            bytes[size++] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        bytes[size++] = (byte) rest;
    }

    static int varintSize(int value) {
        int zigZag = (value << 1) ^ (value >> 31);
        return 1 + (31 - Integer.numberOfLeadingZeros(zigZag | 1)) / 7;
    }

    static int varlongSize(long value) {
        long zigZag = (value << 1) ^ (value >> 63);
        return 1 + (63 - Long.numberOfLeadingZeros(zigZag | 1)) / 7;
    }
}
