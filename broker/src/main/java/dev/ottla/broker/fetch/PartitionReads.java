package dev.ottla.broker.fetch;

import dev.ottla.broker.partition.HostedPartition;
import dev.ottla.broker.partition.PartitionError;
import dev.ottla.log.LogSlice;
import dev.ottla.log.LookupOutcome;
import dev.ottla.log.PartitionLog;
import dev.ottla.log.ReadOutcome;
import dev.ottla.log.epoch.EpochEndOffset;
import dev.ottla.replication.FollowerFetch;
import dev.ottla.wire.ErrorCode;
import java.util.Optional;

/// Reads one partition for a fetch request: truncation detection, limits, what is left out. On the
/// shard's thread.
final class PartitionReads {
    /// What was written last is in the page cache: a consumer that keeps up never waits for the
    /// disk. Further behind the system is asked, which costs less than going to another thread.
    private static final double HOT_BYTES = 64 << 20;

    private PartitionReads() {}

    /// Compares the epoch of the client's last record with the log (KIP-595, KIP-320). A client
    /// whose records the log does not have is told where to go back to.
    static boolean divergesOrFails(FetchPart part, HostedPartition partition) {
        FetchTarget target = part.target();
        if (target.lastFetchedEpoch() < 0) {
            return false;
        }
        if (target.fetchOffset() < partition.log().logStartOffset()) {
            outOfRange(part, partition, target.fetchOffset());
            return true;
        }
        return switch (partition.log().endOffsetForEpoch(target.lastFetchedEpoch())) {
            case LookupOutcome.Found<EpochEndOffset>(var end) -> diverges(part, partition, end);
            case LookupOutcome.Offline<?> offline -> {
                offline(part, partition, offline.reason());
                yield true;
            }
        };
    }

    private static boolean diverges(FetchPart part, HostedPartition partition, EpochEndOffset end) {
        FetchTarget target = part.target();
        if (end.leaderEpoch() == EpochEndOffset.UNDEFINED_EPOCH) {
            outOfRange(part, partition, target.fetchOffset());
            return true;
        }
        boolean diverges =
                end.leaderEpoch() < target.lastFetchedEpoch()
                        || end.endOffset() < target.fetchOffset();
        if (diverges) {
            part.diverges(end);
        }
        return diverges;
    }

    /// Takes note of a follower's fetch offset, once: everything below is safe there.
    static boolean followerRefused(FetchPart part, HostedPartition partition, Asker asker) {
        if (!(asker instanceof Asker.Follower(int brokerId, long brokerEpoch, long answeredMs))
                || part.counted) {
            return false;
        }
        Optional<PartitionError> refusal =
                part.target().currentLeaderEpoch() < 0
                        ? Optional.of(
                                partition.error(
                                        ErrorCode.UNKNOWN_LEADER_EPOCH,
                                        "is fetched by a follower that names no leader epoch"))
                        : partition.onFollowerFetch(
                                new FollowerFetch(
                                        brokerId,
                                        brokerEpoch,
                                        part.target().fetchOffset(),
                                        part.target().logStartOffset(),
                                        answeredMs));
        part.counted = refusal.isEmpty();
        refusal.ifPresent(part::fail);
        return refusal.isPresent();
    }

    private static long endOffset(HostedPartition partition, FetchOperation.Limits limits) {
        return limits.asker() instanceof Asker.Follower
                ? partition.log().logEndOffset()
                : partition.readableEndOffset(limits.committedOnly());
    }

    /// A follower that is refused for its offset has to know where it may begin anew.
    static void tellEnds(FetchPart part, HostedPartition partition, Asker asker) {
        if (asker instanceof Asker.Follower && part.hasFailed(ErrorCode.OFFSET_OUT_OF_RANGE)) {
            part.ends(
                    partition.highWatermark(),
                    partition.lastStableOffset(),
                    partition.log().logStartOffset());
        }
    }

    /// Pins the records that fit into the answer; returns their bytes. A batch that does not fit is
    /// left out, except the very first of the answer: otherwise a client could never get past it
    /// (KIP-74).
    static int read(FetchPart part, HostedPartition partition, FetchOperation operation) {
        FetchTarget target = part.target();
        int limit = Math.max(0, Math.min(target.maxBytes(), operation.remainingBytes()));
        long end = endOffset(partition, operation.limits());
        if (limit == 0 && !operation.mayTakeFirstBatch()) {
            return 0;
        }
        return switch (partition.log().read(target.fetchOffset(), limit, end, true)) {
            case ReadOutcome.Batches batches -> {
                PartitionLog log = partition.log();
                boolean behind = bytesBehindEnd(log, target.fetchOffset()) > HOT_BYTES;
                part.directory = behind ? log.directory() : null;
                part.cold = behind && !batches.slice().isResident();
                yield keep(part, batches.slice(), limit, operation);
            }
            case ReadOutcome.AtEnd _ -> {
                boolean consumes = operation.limits().asker() instanceof Asker.Consumer;
                part.unsettled = consumes && !partition.isSettled();
                if (consumes && partition.isCutOff()) part.fail(partition.cutOff());
                yield 0;
            }
            case ReadOutcome.OutOfRange _ -> {
                if (operation.limits().asker() instanceof Asker.Consumer
                        && mayLackRecords(partition, target.fetchOffset())) {
                    perhapsWithAnotherLeader(part, partition, target.fetchOffset());
                } else {
                    outOfRange(part, partition, target.fetchOffset());
                }
                yield 0;
            }
            case ReadOutcome.Offline offline -> {
                offline(part, partition, offline.reason());
                yield 0;
            }
        };
    }

    /// An estimate from the log's average record.
    private static double bytesBehindEnd(PartitionLog log, long offset) {
        double records = Math.max(1, log.logEndOffset() - log.logStartOffset());
        return (log.logEndOffset() - offset) * (log.sizeBytes() / records);
    }

    private static int keep(FetchPart part, LogSlice slice, int limit, FetchOperation operation) {
        boolean first = operation.takeFirstBatch();
        if (slice.sizeBytes() > limit && !first) {
            slice.release();
            return 0;
        }
        part.slice = slice;
        operation.take(slice.sizeBytes());
        return slice.sizeBytes();
    }

    private static void offline(FetchPart part, HostedPartition partition, String reason) {
        part.fail(partition.error(ErrorCode.KAFKA_STORAGE_ERROR, "cannot be read: " + reason));
    }

    private static void outOfRange(FetchPart part, HostedPartition partition, long offset) {
        part.fail(
                partition.error(
                        ErrorCode.OFFSET_OUT_OF_RANGE,
                        "has offsets from %d to %d, the request asks for %d"
                                .formatted(
                                        partition.log().logStartOffset(),
                                        partition.log().logEndOffset(),
                                        offset)));
    }

    /// Whether the log may end before the partition does, because another broker leads by now.
    private static boolean mayLackRecords(HostedPartition partition, long offset) {
        return partition.isLeading()
                && offset > partition.log().logEndOffset()
                && !partition.isCertainToLead();
    }

    /// A consumer that hears of an offset out of range forgets where it was.
    private static void perhapsWithAnotherLeader(
            FetchPart part, HostedPartition partition, long offset) {
        part.fail(
                partition.error(
                        ErrorCode.NOT_LEADER_OR_FOLLOWER,
                        "may have another leader by now: its followers were not heard of for a while, and here it ends at %d, before %d"
                                .formatted(partition.log().logEndOffset(), offset)));
    }
}
