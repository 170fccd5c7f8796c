package dev.ottla.broker.partition;

import dev.ottla.log.LookupOutcome;
import dev.ottla.log.PartitionLog;
import dev.ottla.log.epoch.EpochEndOffset;
import dev.ottla.replication.EpochEnd;
import dev.ottla.replication.FollowerLog;

/// A partition's log as its follower core sees it. Owned by the shard's thread.
final class HostedLog implements FollowerLog {
    private final HostedPartition partition;

    HostedLog(HostedPartition partition) {
        this.partition = partition;
    }

    @Override
    public long logStartOffset() {
        return partition.log().logStartOffset();
    }

    @Override
    public long logEndOffset() {
        return partition.log().logEndOffset();
    }

    @Override
    public long safeEndOffset() {
        return partition.safeEndOffset();
    }

    /// Not the newest epoch that the log knows: that may be one without records, of a leadership in
    /// which nothing was written.
    @Override
    public int lastEpoch() {
        PartitionLog log = partition.log();
        return log.logEndOffset() == log.logStartOffset()
                ? EpochEnd.UNKNOWN
                : found(log.epochAt(log.logEndOffset() - 1));
    }

    @Override
    public EpochEnd endOf(int leaderEpoch) {
        EpochEndOffset end = found(partition.log().endOffsetForEpoch(leaderEpoch));
        return new EpochEnd(end.leaderEpoch(), end.endOffset());
    }

    @Override
    public void truncateTo(long offset) {
        refuseFrozen();
        partition.log().truncateTo(offset);
        partition.onCut();
        checkUsable();
    }

    @Override
    public void startAt(long offset) {
        refuseFrozen();
        partition.log().truncateFullyAndStartAt(offset);
        partition.onCut();
        checkUsable();
    }

    /// What cannot be made durable now is asked for again with the next answer.
    @Override
    public void advanceLogStart(long offset) {
        partition.log().advanceLogStartOffset(offset, () -> {});
    }

    private void refuseFrozen() {
        if (partition.isFrozen()) {
            throw new LogNotReadyException("it is moving to another data directory");
        }
    }

    private void checkUsable() {
        partition
                .log()
                .offlineReason()
                .ifPresent(reason -> {
                    throw new LogNotReadyException(reason);
                });
    }

    private static <T> T found(LookupOutcome<T> outcome) {
        return switch (outcome) {
            case LookupOutcome.Found<T>(T value) -> value;
            case LookupOutcome.Offline<T> offline ->
                    throw new LogNotReadyException(offline.reason());
        };
    }
}
