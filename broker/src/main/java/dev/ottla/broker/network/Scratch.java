package dev.ottla.broker.network;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;

/// What all sockets of a loop are read into where no frame is begun. One piece of memory in two
/// sizes: a large read takes several frames at once, a small one leaves little to keep when its
/// frames are not admitted. Owned by the loop.
record Scratch(ByteBuf large, ByteBuf small) {
    static final int LARGE_BYTES = 64 << 10;
    static final int SMALL_BYTES = 8 << 10;

    static Scratch allocate(ByteBufAllocator allocator) {
        ByteBuf memory = allocator.directBuffer(LARGE_BYTES, LARGE_BYTES);
        return new Scratch(memory, memory.slice(0, SMALL_BYTES));
    }

    void release() {
        large.release();
    }
}
