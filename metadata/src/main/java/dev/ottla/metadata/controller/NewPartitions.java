package dev.ottla.metadata.controller;

import com.google.errorprone.annotations.FormatMethod;
import com.google.errorprone.annotations.FormatString;
import dev.ottla.metadata.BrokerIds;
import dev.ottla.metadata.MetadataRecord;
import dev.ottla.metadata.image.BrokerState;
import dev.ottla.metadata.image.ClusterImage;
import dev.ottla.metadata.image.PartitionState;
import dev.ottla.wire.ErrorCode;
import dev.ottla.wire.Uuid;
import java.util.HashSet;
import java.util.List;

/// Places the new partitions of one command, or checks where the client wants them.
final class NewPartitions {
    /// So many in one command at most: a slip of the finger must not fill the memory of the
    /// cluster.
    static final int MAX_PER_COMMAND = 200_000;

    private final ClusterImage image;
    private final Placement placement;
    private final int maxPartitions;
    private int turn;
    private int planned;

    /// @param maxPartitions that all topics may have together
    NewPartitions(ClusterImage image, int maxPartitions) {
        this.image = image;
        this.maxPartitions = maxPartitions;
        this.placement = new Placement(image);
        this.turn = image.partitionCount();
    }

    /// Takes `count` of what the command may create.
    void reserve(String topic, int count) throws Refusal {
        if (count > MAX_PER_COMMAND - planned) {
            throw Refusal.of(
                    ErrorCode.POLICY_VIOLATION,
                    "Topic %s would get %d new partitions: one request may create %d in all, so use"
                            + " several.",
                    topic,
                    count,
                    MAX_PER_COMMAND);
        }
        if (count > maxPartitions - image.partitionCount() - planned) {
            throw Refusal.of(
                    ErrorCode.POLICY_VIOLATION,
                    "Topic %s would get %d new partitions: the cluster has %d and its memory allows"
                            + " %d; give the broker a larger heap or delete topics.",
                    topic,
                    count,
                    image.partitionCount(),
                    maxPartitions);
        }
        planned += count;
    }

    /// Brokers that take replicas.
    int brokerCount() {
        return placement.brokerCount();
    }

    void checkReplicationFactor(String topic, int factor) throws Refusal {
        if (factor <= 0) {
            throw Refusal.of(
                    ErrorCode.INVALID_REPLICATION_FACTOR,
                    "Topic %s cannot have replication factor %d: use 1 or more, or -1 for the"
                            + " default.",
                    topic,
                    factor);
        }
        if (factor > placement.brokerCount()) {
            throw Refusal.of(
                    ErrorCode.INVALID_REPLICATION_FACTOR,
                    "Topic %s cannot have replication factor %d: brokers that can take a replica: %d"
                            + " (of %d registered). Use a lower factor.",
                    topic,
                    factor,
                    placement.brokerCount(),
                    image.brokers().size());
        }
        if (placement.activeBrokerCount() == 0) {
            throw Refusal.of(
                    ErrorCode.INVALID_REPLICATION_FACTOR,
                    "Topic %s has nowhere to go: no broker is active; try again when one is.",
                    topic);
        }
    }

    /// Checks replicas that the client chose.
    ///
    /// @param expectedFactor replicas that the partition must have
    void checkAssignment(String topic, int partition, List<Integer> replicas, int expectedFactor)
            throws Refusal {
        String where = "The assignment of partition %d of topic %s".formatted(partition, topic);
        if (replicas.isEmpty()) {
            throw invalid("%s names no broker: name at least one.", where);
        }
        if (replicas.size() != expectedFactor) {
            throw invalid(
                    "%s names %d broker(s), the partitions before it have %d: all must have the"
                            + " same number.",
                    where, replicas.size(), expectedFactor);
        }
        if (new HashSet<>(replicas).size() != replicas.size()) {
            throw invalid("%s names a broker twice: name each once.", where);
        }
        for (int id : replicas) {
            if (image.broker(id).isEmpty()) {
                throw invalid(
                        "%s names broker %d, which is not registered: use one of %s.",
                        where, id, image.brokers().keySet());
            }
        }
        for (int id : replicas) {
            if (!image.broker(id).map(Placement::takesReplicas).orElse(false)) {
                throw invalid(
                        "%s names broker %d, none of whose directories takes new replicas: name"
                                + " another one.",
                        where, id);
            }
        }
        if (replicas.stream().noneMatch(this::isActive)) {
            throw invalid(
                    "%s names only brokers that are fenced or shutting down: name an active one.",
                    where);
        }
    }

    @FormatMethod
    private static Refusal invalid(@FormatString String format, Object... arguments) {
        return Refusal.of(ErrorCode.INVALID_REPLICA_ASSIGNMENT, format, arguments);
    }

    MetadataRecord.Partition place(Uuid topicId, int partition, int replicationFactor) {
        return assigned(topicId, partition, placement.replicas(turn, replicationFactor));
    }

    /// The record of a new partition on brokers that were checked.
    MetadataRecord.Partition assigned(Uuid topicId, int partition, BrokerIds replicas) {
        BrokerIds isr = BrokerIds.copyOf(replicas.stream().filter(this::isActive).toList());
        List<Uuid> directories = placement.directories(replicas, turn++);
        return new MetadataRecord.Partition(
                topicId,
                partition,
                replicas,
                isr.size() == replicas.size() ? replicas : isr,
                BrokerIds.NONE,
                BrokerIds.NONE,
                isr.isEmpty() ? PartitionState.NO_LEADER : isr.at(0),
                false,
                0,
                0,
                directories,
                BrokerIds.NONE,
                BrokerIds.NONE);
    }

    private boolean isActive(int brokerId) {
        return image.broker(brokerId).map(BrokerState::isActive).orElse(false);
    }
}
