package dev.ottla.broker.fetch;

/// What a reader of old records will want soon and nobody has asked the disk for: positions in a
/// segment file, the end exclusive. Worked out from one read alone, as if the reader had come from
/// the bytes before and will go on; so each byte is asked for once, a few steps before it is
/// needed. Neither the look-ups for the next requests, which are the shard's, nor the sending then
/// wait for the disk, and the system's own read-ahead, which is the work of whoever happens to come
/// to its mark, has nothing left to do. Immutable.
record ReadAhead(long from, long until) {
    /// Reading so much keeps a processor for some tenths of a millisecond, which others on it do
    /// not notice: with 8 MiB the slowest reads at the ends of logs took half as long again.
    static final long STEP_BYTES = 2 << 20;

    /// Far enough for the time that a disk takes, and little for a sync to wait behind.
    static final int STEPS = 2;

    /// @param cold whether the bytes that were read are not in memory either
    static ReadAhead of(long position, int sizeBytes, boolean cold) {
        long asked = (position / STEP_BYTES + STEPS) * STEP_BYTES;
        long wanted = ((position + sizeBytes) / STEP_BYTES + STEPS) * STEP_BYTES;
        return new ReadAhead(cold ? position : asked, wanted);
    }

    long sizeBytes() {
        return until - from;
    }

    boolean isEmpty() {
        return from >= until;
    }
}
