package dev.ottla.broker.network;

import java.util.concurrent.atomic.AtomicLong;

/// Bytes that all requests together may hold. Thread-safe: reserved and returned by every network
/// loop.
///
/// A frame is reserved when its size is known and returned when its request is answered. Large
/// frames that have not arrived yet may take half of it only, so that a few slow senders cannot
/// stop everybody else. An empty budget admits one frame of any size: a limit below the largest
/// frame slows down, but never for ever.
final class MemoryBudget {
    /// Frames up to this size do not count as large: a request of an ordinary client fits.
    static final int LARGE_FRAME_BYTES = 64 << 10;

    private final long capacityBytes;

    /// Written and read by all loops; each value is a sum of independent reservations, no order
    /// between them matters.
    private final AtomicLong used = new AtomicLong();

    private final AtomicLong arriving = new AtomicLong();

    MemoryBudget(long capacityBytes) {
        this.capacityBytes = capacityBytes;
    }

    /// Reserves a frame that begins to arrive; false when there is no room now.
    boolean tryReserve(int sizeBytes) {
        boolean large = sizeBytes > LARGE_FRAME_BYTES;
        if (large && !tryAdd(arriving, sizeBytes, capacityBytes / 2)) {
            return false;
        }
        if (!tryAdd(used, sizeBytes, capacityBytes)) {
            if (large) {
                arriving.addAndGet(-sizeBytes);
            }
            return false;
        }
        return true;
    }

    /// The frame is there: its request holds the bytes from now on.
    void arrived(int sizeBytes) {
        if (sizeBytes > LARGE_FRAME_BYTES) {
            arriving.addAndGet(-sizeBytes);
        }
    }

    /// The request was answered.
    void release(int sizeBytes) {
        used.addAndGet(-sizeBytes);
    }

    /// The connection ended before the frame was there.
    void releaseArriving(int sizeBytes) {
        arrived(sizeBytes);
        release(sizeBytes);
    }

    long usedBytes() {
        return used.get();
    }

    long capacityBytes() {
        return capacityBytes;
    }

    private static boolean tryAdd(AtomicLong sum, int sizeBytes, long limit) {
        while (true) {
            long before = sum.get();
            if (before > 0 && before + sizeBytes > limit) {
                return false;
            }
            if (sum.compareAndSet(before, before + sizeBytes)) {
                return true;
            }
        }
    }
}
