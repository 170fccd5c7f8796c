package dev.ottla.broker.request;

import io.netty.buffer.ByteBuf;

/// Records in pooled memory, the readable bytes of `buffer`.
public record PooledRecords(ByteBuf buffer) implements OwnedRecords {
    @Override
    public int sizeBytes() {
        return buffer.readableBytes();
    }

    @Override
    public void release() {
        buffer.release();
    }
}
