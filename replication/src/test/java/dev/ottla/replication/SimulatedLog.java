package dev.ottla.replication;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/// A log and its disk: what was not flushed may be lost with the power.
final class SimulatedLog implements FollowerLog {
    /// One record. No two have the same id.
    record Entry(int leaderEpoch, long id) {}

    private final List<Entry> entries = new ArrayList<>();
    private int flushed;

    List<Entry> entries() {
        return entries;
    }

    void append(Entry entry) {
        entries.add(entry);
    }

    void flushTo(long endOffset) {
        flushed = Math.max(flushed, (int) Math.min(endOffset, entries.size()));
    }

    long flushedEndOffset() {
        return flushed;
    }

    /// The process dies, and maybe the machine with it. What is found afterwards gets synced.
    void crash(SplittableRandom random) {
        int kept = flushed + random.nextInt(entries.size() - flushed + 1);
        cut(kept);
        flushed = kept;
    }

    void wipe() {
        cut(0);
    }

    private void cut(int end) {
        entries.subList(end, entries.size()).clear();
        flushed = Math.min(flushed, end);
    }

    @Override
    public long logStartOffset() {
        return 0;
    }

    @Override
    public long logEndOffset() {
        return entries.size();
    }

    @Override
    public long safeEndOffset() {
        return flushed;
    }

    @Override
    public int lastEpoch() {
        return entries.isEmpty() ? EpochEnd.UNKNOWN : entries.getLast().leaderEpoch();
    }

    @Override
    public EpochEnd endOf(int leaderEpoch) {
        for (int i = entries.size(); i > 0; i--) {
            int epoch = entries.get(i - 1).leaderEpoch();
            if (epoch <= leaderEpoch) {
                return new EpochEnd(epoch, i);
            }
        }
        return new EpochEnd(leaderEpoch, 0);
    }

    @Override
    public void truncateTo(long offset) {
        cut((int) offset);
    }

    @Override
    public void startAt(long offset) {
        throw new AssertionError("the leader's log starts at 0, so none begins at " + offset);
    }

    @Override
    public void advanceLogStart(long offset) {
        throw new AssertionError("the leader's log starts at 0, not at " + offset);
    }
}
