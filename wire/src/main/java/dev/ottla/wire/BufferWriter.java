package dev.ottla.wire;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/// Writes into one buffer, heap or direct, at its position. Owned by whoever made it.
public final class BufferWriter implements WireWriter {
    private final ByteBuffer buffer;

    /// The buffer must be big-endian and have room for all that is written.
    public BufferWriter(ByteBuffer buffer) {
        Check.check(buffer.order() == ByteOrder.BIG_ENDIAN, "the wire is big-endian");
        this.buffer = buffer;
    }

    public ByteBuffer buffer() {
        return buffer;
    }

    @Override
    public void writeByte(byte value) {
        buffer.put(value);
    }

    @Override
    public void writeShort(short value) {
        buffer.putShort(value);
    }

    @Override
    public void writeInt(int value) {
        buffer.putInt(value);
    }

    @Override
    public void writeLong(long value) {
        buffer.putLong(value);
    }

    @Override
    public void writeDouble(double value) {
        buffer.putDouble(value);
    }

    @Override
    public void writeUnsignedVarint(int value) {
        int rest = value;
        while ((rest & ~0x7f) != 0) {
            buffer.put((byte) (rest | 0x80));
            rest >>>= 7;
        }
        buffer.put((byte) rest);
    }

    @Override
    public void writeUnsignedVarlong(long value) {
        long rest = value;
        while ((rest & ~0x7fL) != 0) {
            buffer.put((byte) (rest | 0x80));
            rest >>>= 7;
        }
        buffer.put((byte) rest);
    }

    @Override
    public void writeBytes(ByteBuffer bytes) {
        // The absolute form leaves the source's position alone, without a duplicate.
        int length = bytes.remaining();
        buffer.put(buffer.position(), bytes, bytes.position(), length);
        buffer.position(buffer.position() + length);
    }

    @Override
    public void writeUtf8(String text, int utf8Length) {
        Utf8.encode(text, buffer);
    }

    /// Takes [BufferRecords] only: anything else belongs to a writer that can send it without
    /// copying.
    @Override
    public void writeRecords(RecordsPayload records) {
        if (!(records instanceof BufferRecords inMemory)) {
            throw new IllegalArgumentException(records + " is not in memory");
        }
        writeBytes(inMemory.buffer());
    }
}
