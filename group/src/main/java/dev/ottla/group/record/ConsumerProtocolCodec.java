package dev.ottla.group.record;

import dev.ottla.group.partition.PartitionSet;
import dev.ottla.wire.BufferWriter;
import dev.ottla.wire.Message;
import dev.ottla.wire.UnsupportedVersionException;
import dev.ottla.wire.WireException;
import dev.ottla.wire.WireReader;
import dev.ottla.wire.message.ConsumerProtocolAssignment;
import dev.ottla.wire.message.ConsumerProtocolSubscription;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// The metadata and assignments that classic consumers put into JoinGroup and SyncGroup ("embedded
/// consumer protocol"). To the classic protocol they are plain bytes; they are read to know a group's
/// topics and to move a group between the protocols.
///
///     | version int16 | message of that version |
public final class ConsumerProtocolCodec {
    private ConsumerProtocolCodec() {}

    /// What a classic consumer subscribes to.
    ///
    /// @param version of the message, the highest known one if the client's is newer
    /// @param owned what the member says it owns, by topic name
    /// @param generationId at which it owned that, −1 if unknown
    public record Subscription(
            short version,
            Set<String> topics,
            Map<String, PartitionSet> owned,
            int generationId,
            Optional<String> rackId) {
        public Subscription {
            topics = Set.copyOf(topics);
            owned = Map.copyOf(owned);
        }
    }

    /// Empty when the bytes are no subscription.
    public static Optional<Subscription> subscription(Bytes bytes) {
        try {
            WireReader reader = new WireReader(bytes.buffer());
            short version =
                    supported(reader.readShort(), ConsumerProtocolSubscription.HIGHEST_VERSION);
            ConsumerProtocolSubscription message =
                    ConsumerProtocolSubscription.read(reader, version);
            Map<String, PartitionSet> owned = new HashMap<>();
            message.ownedPartitions()
                    .forEach(
                            topic -> owned.put(topic.topic(), PartitionSet.of(topic.partitions())));
            return Optional.of(
                    new Subscription(
                            version,
                            new HashSet<>(message.topics()),
                            owned,
                            message.generationId(),
                            Optional.ofNullable(message.rackId())));
        } catch (WireException | UnsupportedVersionException _) {
            return Optional.empty();
        }
    }

    /// What a leader assigned.
    ///
    /// @param partitions by topic name
    /// @param hasUserData whether an assignor of its own put more into it
    public record Assigned(Map<String, PartitionSet> partitions, boolean hasUserData) {
        public Assigned {
            partitions = Map.copyOf(partitions);
        }
    }

    /// Empty when the bytes are no assignment. No bytes at all are an assignment of nothing.
    public static Optional<Assigned> assignment(Bytes bytes) {
        if (bytes.isEmpty()) return Optional.of(new Assigned(Map.of(), false));
        try {
            WireReader reader = new WireReader(bytes.buffer());
            short version =
                    supported(reader.readShort(), ConsumerProtocolAssignment.HIGHEST_VERSION);
            ConsumerProtocolAssignment message = ConsumerProtocolAssignment.read(reader, version);
            Map<String, PartitionSet> partitions = new HashMap<>();
            message.assignedPartitions()
                    .forEach(topic ->
                            partitions.put(topic.topic(), PartitionSet.of(topic.partitions())));
            ByteBuffer userData = message.userData();
            return Optional.of(
                    new Assigned(partitions, userData != null && userData.hasRemaining()));
        } catch (WireException | UnsupportedVersionException _) {
            return Optional.empty();
        }
    }

    /// The bytes of an assignment, in the version of the member's subscription.
    public static Bytes encodeAssignment(Map<String, PartitionSet> partitions, short version) {
        List<ConsumerProtocolAssignment.TopicPartition> topics =
                partitions.entrySet().stream()
                        .sorted(Map.Entry.comparingByKey())
                        .map(entry ->
                                new ConsumerProtocolAssignment.TopicPartition(
                                        entry.getKey(), entry.getValue().stream().boxed().toList()))
                        .toList();
        ConsumerProtocolAssignment message = new ConsumerProtocolAssignment(topics, null);
        return withVersion(message, supported(version, ConsumerProtocolAssignment.HIGHEST_VERSION));
    }

    /// The bytes of a subscription.
    public static Bytes encodeSubscription(Subscription subscription) {
        ConsumerProtocolSubscription message =
                ConsumerProtocolSubscription.builder()
                        .topics(subscription.topics().stream().sorted().toList())
                        .ownedPartitions(
                                subscription.owned().entrySet().stream()
                                        .sorted(Map.Entry.comparingByKey())
                                        .map(entry ->
                                                new ConsumerProtocolSubscription.TopicPartition(
                                                        entry.getKey(),
                                                        entry.getValue().stream().boxed().toList()))
                                        .toList())
                        .generationId(subscription.generationId())
                        .rackId(subscription.rackId().orElse(null))
                        .build();
        return withVersion(
                message,
                supported(subscription.version(), ConsumerProtocolSubscription.HIGHEST_VERSION));
    }

    private static Bytes withVersion(Message message, short version) {
        ByteBuffer buffer = ByteBuffer.allocate(2 + message.size(version)).putShort(version);
        message.write(new BufferWriter(buffer), version);
        return Bytes.copyOf(buffer.flip());
    }

    private static short supported(short version, short highest) {
        if (version < 0) throw new WireException("consumer protocol version " + version);
        return (short) Math.min(version, highest);
    }
}
