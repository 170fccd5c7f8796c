package dev.ottla.broker.request;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/// Memory for records on their way from a file into an answer, all answers together. Thread-safe:
/// taken by shards, given back by the loops that send.
///
/// Whoever gets none sends from the file instead: slower for small reads, but it always works.
public final class ReadMemory {
    private final ByteBufAllocator allocator;
    private final long capacityBytes;

    /// Written and read by all; a sum of independent reservations, no order between them matters.
    private final AtomicLong used = new AtomicLong();

    public ReadMemory(ByteBufAllocator allocator, long capacityBytes) {
        this.allocator = allocator;
        this.capacityBytes = capacityBytes;
    }

    /// An empty buffer for that many bytes, which [PooledRecords] gives back to here; empty when
    /// there is no room.
    public Optional<ByteBuf> tryTake(int sizeBytes) {
        if (used.addAndGet(sizeBytes) > capacityBytes) {
            used.addAndGet(-sizeBytes);
            return Optional.empty();
        }
        try {
            return Optional.of(allocator.directBuffer(sizeBytes, sizeBytes));
        } catch (OutOfMemoryError e) {
            // Others have taken more than their part.
            used.addAndGet(-sizeBytes);
            return Optional.empty();
        }
    }

    void giveBack(int sizeBytes) {
        used.addAndGet(-sizeBytes);
    }

    public long usedBytes() {
        return used.get();
    }
}
