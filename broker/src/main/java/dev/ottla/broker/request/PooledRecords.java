package dev.ottla.broker.request;

import io.netty.buffer.ByteBuf;

/// Records in pooled memory, the readable bytes of `buffer`.
///
/// @param memory where the buffer came from
public record PooledRecords(ByteBuf buffer, ReadMemory memory) implements OwnedRecords {
    @Override
    public int sizeBytes() {
        return buffer.readableBytes();
    }

    @Override
    public void release() {
        int capacity = buffer.capacity();
        buffer.release();
        memory.giveBack(capacity);
    }

    /// To be run when somebody else has released the buffer.
    public Runnable afterRelease() {
        int capacity = buffer.capacity();
        return () -> memory.giveBack(capacity);
    }
}
