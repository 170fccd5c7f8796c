package dev.ottla.broker.fetch;

import dev.ottla.broker.fetch.FetchTarget.Told;
import dev.ottla.broker.partition.HostedPartition;
import dev.ottla.broker.partition.PartitionError;
import dev.ottla.broker.partition.PartitionKey;
import dev.ottla.broker.partition.Reader;
import dev.ottla.broker.request.OwnedRecords;
import dev.ottla.log.DataDirectory;
import dev.ottla.log.LogSlice;
import dev.ottla.log.epoch.EpochEndOffset;
import dev.ottla.log.segment.AbortedTransaction;
import dev.ottla.wire.BufferRecords;
import dev.ottla.wire.ErrorCode;
import dev.ottla.wire.RecordsPayload;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// One partition of a fetch request: what is wanted, and what was found. Owned first by the loop,
/// then by the partition's shard, then by the loop again; the hand-overs go through the mailbox and
/// the operation's countdown.
public final class FetchPart extends Reader {
    private static final long NONE = -1;
    private static final int NO_REPLICA = -1;

    private final FetchTarget target;
    private final PartitionKey key;
    @Nullable FetchShardPart shardPart;

    private @Nullable PartitionError error;
    private @Nullable EpochEndOffset divergingEpoch;
    private int preferredReplica = NO_REPLICA;
    private long highWatermark = NONE;
    private long lastStableOffset = NONE;
    private long logStartOffset = NONE;
    private @Nullable List<AbortedTransaction> abortedTransactions;
    private RecordsPayload records = BufferRecords.EMPTY;
    @Nullable LogSlice slice;

    /// Of the slice, when that lies so far behind the log's end that the disk may have to be asked.
    @Nullable DataDirectory directory;

    /// Whether the disk has to be asked.
    boolean cold;

    /// Whether nothing can be read because the leader does not know yet what is safe.
    boolean unsettled;

    /// What the follower that asks was told; null when it waits for records only.
    @Nullable Told told;

    /// Whether the leader has taken note of the follower's fetch offset.
    boolean counted;

    /// Bytes of this partition that the operation has counted while it waits.
    int countedBytes;

    /// @param key the partition, by the topic id that was found for the target
    FetchPart(FetchTarget target, PartitionKey key) {
        this.target = target;
        this.key = key;
    }

    public FetchTarget target() {
        return target;
    }

    public PartitionKey key() {
        return key;
    }

    /// Empty when the partition could be read.
    public Optional<PartitionError> error() {
        return Optional.ofNullable(error);
    }

    /// Present when the client's records are not those of the log: it must go back to this epoch's
    /// end.
    public Optional<EpochEndOffset> divergingEpoch() {
        return Optional.ofNullable(divergingEpoch);
    }

    /// Exclusive; -1 after an error. As those below it is told to a follower that is out of range.
    public long highWatermark() {
        return highWatermark;
    }

    /// Exclusive; -1 after an error.
    public long lastStableOffset() {
        return lastStableOffset;
    }

    /// -1 after an error.
    public long logStartOffset() {
        return logStartOffset;
    }

    /// Empty unless only committed records were asked for.
    public Optional<List<AbortedTransaction>> abortedTransactions() {
        return Optional.ofNullable(abortedTransactions);
    }

    public RecordsPayload records() {
        return records;
    }

    void fail(ErrorCode code, String message) {
        fail(new PartitionError(code, message));
    }

    void fail(PartitionError failure) {
        reset();
        error = failure;
    }

    boolean hasFailed() {
        return error != null;
    }

    boolean hasFailed(ErrorCode code) {
        PartitionError failure = error;
        return failure != null && failure.code() == code;
    }

    /// Forgets what an earlier look found.
    void reset() {
        error = null;
        divergingEpoch = null;
        preferredReplica = NO_REPLICA;
        highWatermark = NONE;
        lastStableOffset = NONE;
        logStartOffset = NONE;
        abortedTransactions = null;
        unsettled = false;
    }

    void found(HostedPartition partition) {
        reset();
        ends(
                partition.highWatermark(),
                partition.lastStableOffset(),
                partition.log().logStartOffset());
    }

    void ends(long newHighWatermark, long newLastStableOffset, long newLogStartOffset) {
        highWatermark = newHighWatermark;
        lastStableOffset = newLastStableOffset;
        logStartOffset = newLogStartOffset;
    }

    void diverges(EpochEndOffset from) {
        divergingEpoch = from;
    }

    void preferred(int brokerId) {
        preferredReplica = brokerId;
    }

    /// The broker that the consumer shall read from instead, -1 for none.
    public int preferredReplica() {
        return preferredReplica;
    }

    void aborted(List<AbortedTransaction> transactions) {
        abortedTransactions = transactions;
    }

    void records(RecordsPayload payload) {
        records = payload;
    }

    void releaseRecords() {
        if (records instanceof OwnedRecords owned) {
            owned.release();
        }
        records = BufferRecords.EMPTY;
    }

    /// Whether the answer cannot wait, whatever its size.
    boolean mustBeAnswered() {
        return error != null || divergingEpoch != null || preferredReplica != NO_REPLICA;
    }

    @Override
    protected void onReadable(HostedPartition partition) {
        FetchShardPart owner = shardPart;
        if (owner != null) {
            owner.onReadable(this, partition);
        }
    }

    /// Whether the follower that asks does not know what the partition's ends are now.
    boolean hasNews(HostedPartition partition) {
        Told known = told;
        return known != null
                && partition.isLeading()
                && (known.highWatermark() < partition.highWatermark()
                        || known.logStartOffset() < partition.log().logStartOffset());
    }

    @Override
    protected void onNews(HostedPartition partition) {
        FetchShardPart owner = shardPart;
        if (owner != null) {
            owner.onNews(this, partition);
        }
    }

    @Override
    protected void onFailure(RuntimeException failure) {
        FetchShardPart owner = shardPart;
        if (owner != null) {
            owner.onFailure(failure);
        }
    }
}
