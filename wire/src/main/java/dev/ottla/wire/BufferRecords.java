package dev.ottla.wire;

import java.nio.ByteBuffer;

/// Records in memory, from the buffer's position to its limit. Users take a duplicate before they
/// move either.
public record BufferRecords(ByteBuffer buffer) implements RecordsPayload {
    public static final BufferRecords EMPTY = new BufferRecords(ByteBuffer.allocate(0));

    @Override
    public int sizeBytes() {
        return buffer.remaining();
    }
}
