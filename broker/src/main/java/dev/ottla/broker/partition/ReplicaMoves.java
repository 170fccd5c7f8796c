package dev.ottla.broker.partition;

import dev.ottla.log.DataDirectory;
import dev.ottla.log.LogShard;
import dev.ottla.log.PartitionId;
import dev.ottla.log.PartitionLog;
import dev.ottla.metadata.controller.ApiError;
import dev.ottla.wire.ErrorCode;
import dev.ottla.wire.Uuid;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.BiFunction;

/// The moves of one shard's partitions between the data directories of this broker. A few are under
/// way at a time, the others wait in the order in which they were asked for. Owned by the shard's
/// thread.
///
/// A move that is under way when the broker stops is forgotten, and its copy removed at the next
/// start.
public final class ReplicaMoves implements PartitionManager.Listener {
    private static final int MAX_UNDER_WAY = 2;

    /// What moves need of the rest of the broker.
    ///
    /// @param directories the data directories by id
    /// @param background reads what is copied
    /// @param assign tells the cluster in which directory this broker holds a partition; fails when
    ///   nobody can say whether the cluster heard it
    /// @param clock wall-clock time
    public record Surroundings(
            Map<Uuid, DataDirectory> directories,
            Executor background,
            BiFunction<PartitionKey, Uuid, CompletableFuture<ApiError>> assign,
            InstantSource clock) {
        public Surroundings {
            directories = Map.copyOf(directories);
        }
    }

    private final PartitionManager partitions;
    private final LogShard logs;
    private final Surroundings surroundings;
    private final Map<PartitionKey, ReplicaMove> moves = new LinkedHashMap<>();
    private int underWay;

    public ReplicaMoves(PartitionManager partitions, LogShard logs, Surroundings surroundings) {
        this.partitions = partitions;
        this.logs = logs;
        this.surroundings = surroundings;
    }

    PartitionManager partitions() {
        return partitions;
    }

    LogShard logs() {
        return logs;
    }

    Surroundings surroundings() {
        return surroundings;
    }

    /// Moves a partition of this shard to a directory of this broker, or stops its move when it is
    /// there. Returns [ErrorCode#NONE] when that is so or has begun, otherwise
    ///
    /// - REPLICA_NOT_AVAILABLE: the partition is not here, or not open yet;
    /// - KAFKA_STORAGE_ERROR: its log or the other directory cannot be used;
    /// - INVALID_TOPIC_EXCEPTION: its name is too long for the directory of a copy.
    public ErrorCode move(PartitionKey key, Uuid directory) {
        // A partition that was never used is opened by this, so that nobody opens it meanwhile
        // where it is no more.
        partitions.lookup(key);
        Optional<HostedPartition> hosted = partitions.hosted(key);
        Optional<PartitionLog> log = hosted.flatMap(HostedPartition::openLog);
        if (hosted.isEmpty() || log.isEmpty()) {
            return hosted.flatMap(HostedPartition::unavailable)
                    .map(PartitionError::code)
                    .filter(ErrorCode.KAFKA_STORAGE_ERROR::equals)
                    .orElse(ErrorCode.REPLICA_NOT_AVAILABLE);
        }
        DataDirectory target = surroundings.directories().get(directory);
        if (target == null
                || target.offlineReason().isPresent()
                || log.get().offlineReason().isPresent()) {
            return ErrorCode.KAFKA_STORAGE_ERROR;
        }
        PartitionId id = log.get().id();
        if (!DataDirectory.canCopy(id)) {
            return ErrorCode.INVALID_TOPIC_EXCEPTION;
        }
        ReplicaMove present = moves.get(key);
        if (present != null && present.target() == target) {
            return ErrorCode.NONE;
        }
        if (present != null && !present.tryGiveUp()) {
            // It is past the point of return, which takes a moment only.
            return ErrorCode.REPLICA_NOT_AVAILABLE;
        }
        if (log.get().directory() != target) {
            moves.put(key, new ReplicaMove(this, hosted.get(), target));
            beginNext();
        }
        return ErrorCode.NONE;
    }

    private void beginNext() {
        for (ReplicaMove move : List.copyOf(moves.values())) {
            if (underWay >= MAX_UNDER_WAY) {
                return;
            }
            if (!move.hasBegun()) {
                underWay++;
                move.begin();
            }
        }
    }

    /// A move ended, one way or the other.
    void onEnded(ReplicaMove move, boolean hadBegun) {
        moves.remove(move.partition().key(), move);
        if (hadBegun) {
            underWay--;
            beginNext();
        }
    }

    /// The logs of those of `keys` that are open here, and their copies.
    public List<ReplicaReport> report(List<PartitionKey> keys) {
        List<ReplicaReport> reports = new ArrayList<>();
        for (PartitionKey key : keys) {
            Optional<PartitionLog> log = partitions.hosted(key).flatMap(HostedPartition::openLog);
            if (log.isEmpty()) {
                continue;
            }
            reports.add(
                    new ReplicaReport(
                            key, log.get().directory().id(), log.get().sizeBytes(), 0, false));
            ReplicaMove move = moves.get(key);
            if (move != null) {
                reports.add(move.report(log.get()));
            }
        }
        return reports;
    }

    @Override
    public void onClosing() {
        List.copyOf(moves.values()).forEach(ReplicaMove::tryGiveUp);
    }
}
