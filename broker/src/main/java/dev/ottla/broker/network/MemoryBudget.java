package dev.ottla.broker.network;

import java.util.concurrent.atomic.AtomicLong;

/// Bytes that all requests together may hold. Thread-safe: reserved and returned by every network
/// loop.
///
/// A frame is reserved when its size is known and returned when its request is answered. Half of
/// the budget is for large frames and half for the others, so that a few senders of large frames,
/// slow or hostile, cannot stop everybody else. An empty half admits one frame of any size: a limit
/// below the largest frame slows down, but never for ever.
final class MemoryBudget {
    /// Frames up to this size do not count as large: a request of an ordinary client fits.
    static final int LARGE_FRAME_BYTES = 64 << 10;

    private final long capacityBytes;

    /// All are written and read by all loops; each value is a sum of independent reservations, no
    /// order between them matters.
    private final AtomicLong small = new AtomicLong();

    private final AtomicLong large = new AtomicLong();
    private final AtomicLong aside = new AtomicLong();

    MemoryBudget(long capacityBytes) {
        this.capacityBytes = capacityBytes;
    }

    /// Reserves a frame that begins to arrive; false when there is no room now.
    boolean tryReserve(int sizeBytes) {
        AtomicLong sum = half(sizeBytes);
        while (true) {
            long before = sum.get();
            if (before > 0 && before + sizeBytes > capacityBytes / 2) {
                return false;
            }
            if (sum.compareAndSet(before, before + sizeBytes)) {
                return true;
            }
        }
    }

    /// The request was answered, or its connection ended before.
    void release(int sizeBytes) {
        half(sizeBytes).addAndGet(-sizeBytes);
    }

    /// Bytes that were read before it was known that their frames are not admitted. They take no
    /// room from frames, for those who keep them would wait for each other.
    void keepAside(int moreBytes) {
        aside.addAndGet(moreBytes);
    }

    /// Whether there is so much room that connections may keep more aside.
    boolean isPlentiful() {
        return small.get() + aside.get() < capacityBytes / 4;
    }

    /// What frames hold; not what is kept aside.
    long usedBytes() {
        return small.get() + large.get();
    }

    long capacityBytes() {
        return capacityBytes;
    }

    private AtomicLong half(int sizeBytes) {
        return sizeBytes > LARGE_FRAME_BYTES ? large : small;
    }
}
