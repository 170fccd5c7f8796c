package dev.ottla.broker.replica;

import dev.ottla.replication.EpochEnd;
import dev.ottla.replication.FollowerLog;

/// The log of a partition that nothing has come for: it takes no place until something does.
final class EmptyLog implements FollowerLog {
    static final EmptyLog INSTANCE = new EmptyLog();

    private EmptyLog() {}

    @Override
    public long logStartOffset() {
        return 0;
    }

    @Override
    public long logEndOffset() {
        return 0;
    }

    @Override
    public long safeEndOffset() {
        return 0;
    }

    @Override
    public int lastEpoch() {
        return EpochEnd.UNKNOWN;
    }

    @Override
    public EpochEnd endOf(int leaderEpoch) {
        return new EpochEnd(EpochEnd.UNKNOWN, EpochEnd.UNKNOWN);
    }

    @Override
    public void truncateTo(long offset) {
        throw new IllegalStateException("nothing is there to be cut at " + offset);
    }

    @Override
    public void startAt(long offset) {
        throw new IllegalStateException("a log must be opened before it begins at " + offset);
    }

    @Override
    public void advanceLogStart(long offset) {
        throw new IllegalStateException("nothing is there below " + offset);
    }
}
