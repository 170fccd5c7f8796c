package dev.ottla.group.record;

import dev.ottla.group.partition.Assignment;
import dev.ottla.group.partition.OwnedPartitions;
import dev.ottla.group.partition.PartitionSet;
import dev.ottla.group.record.GroupRecord.ClassicGroupValue;
import dev.ottla.group.record.GroupRecord.ClassicMemberMetadata;
import dev.ottla.group.record.GroupRecord.ClassicMemberValue;
import dev.ottla.group.record.GroupRecord.ClassicProtocolValue;
import dev.ottla.group.record.GroupRecord.CommittedOffset;
import dev.ottla.group.record.GroupRecord.ConsumerEpochValue;
import dev.ottla.group.record.GroupRecord.ConsumerMemberValue;
import dev.ottla.group.record.GroupRecord.CurrentAssignmentValue;
import dev.ottla.group.record.GroupRecord.ResolvedRegexValue;
import dev.ottla.group.record.GroupRecord.TargetEpochValue;
import dev.ottla.wire.ApiMessage;
import dev.ottla.wire.CoordinatorRecords;
import dev.ottla.wire.Uuid;
import dev.ottla.wire.WireReader;
import dev.ottla.wire.message.ConsumerGroupCurrentMemberAssignmentKey;
import dev.ottla.wire.message.ConsumerGroupCurrentMemberAssignmentValue;
import dev.ottla.wire.message.ConsumerGroupMemberMetadataKey;
import dev.ottla.wire.message.ConsumerGroupMemberMetadataValue;
import dev.ottla.wire.message.ConsumerGroupMetadataKey;
import dev.ottla.wire.message.ConsumerGroupMetadataValue;
import dev.ottla.wire.message.ConsumerGroupRegularExpressionKey;
import dev.ottla.wire.message.ConsumerGroupRegularExpressionValue;
import dev.ottla.wire.message.ConsumerGroupTargetAssignmentMemberKey;
import dev.ottla.wire.message.ConsumerGroupTargetAssignmentMemberValue;
import dev.ottla.wire.message.ConsumerGroupTargetAssignmentMetadataKey;
import dev.ottla.wire.message.ConsumerGroupTargetAssignmentMetadataValue;
import dev.ottla.wire.message.GroupMetadataKey;
import dev.ottla.wire.message.GroupMetadataValue;
import dev.ottla.wire.message.GroupRecordType;
import dev.ottla.wire.message.LegacyOffsetCommitKey;
import dev.ottla.wire.message.LegacyOffsetCommitValue;
import dev.ottla.wire.message.OffsetCommitKey;
import dev.ottla.wire.message.OffsetCommitValue;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Between [GroupRecord] and the bytes in `__consumer_offsets`, in Kafka's formats and in the versions
/// that Kafka 4.4 writes. Sets are written in ascending order, so equal content gives equal bytes.
///
///     key   | record type int16 | key message, version 0 |
///     value | version int16     | value message          |
public final class GroupRecordCodec {
    private static final short CLASSIC_VERSION = 3;
    private static final short OFFSET_VERSION = 4;
    private static final short OFFSET_WITH_EXPIRY_VERSION = 1;

    private GroupRecordCodec() {}

    // To bytes.

    public static CoordinatorRecord encode(GroupRecord record) {
        return switch (record) {
            case GroupRecord.Offset offset -> encodeOffset(offset);
            case GroupRecord.Classic group ->
                    pair(
                            new GroupMetadataKey(group.groupId()),
                            group.value().map(GroupRecordCodec::classic),
                            CLASSIC_VERSION);
            case GroupRecord.ConsumerEpoch epoch ->
                    pair(
                            new ConsumerGroupMetadataKey(epoch.groupId()),
                            epoch.value()
                                    .map(value ->
                                            ConsumerGroupMetadataValue.builder()
                                                    .epoch(value.epoch())
                                                    .metadataHash(value.metadataHash())
                                                    .build()));
            case GroupRecord.ConsumerMember member ->
                    pair(
                            new ConsumerGroupMemberMetadataKey(member.groupId(), member.memberId()),
                            member.value().map(GroupRecordCodec::member));
            case GroupRecord.TargetEpoch epoch ->
                    pair(
                            new ConsumerGroupTargetAssignmentMetadataKey(epoch.groupId()),
                            epoch.value()
                                    .map(value ->
                                            ConsumerGroupTargetAssignmentMetadataValue.builder()
                                                    .assignmentEpoch(value.epoch())
                                                    .assignmentTimestamp(value.timestampMs())
                                                    .build()));
            case GroupRecord.TargetAssignment target ->
                    pair(
                            new ConsumerGroupTargetAssignmentMemberKey(
                                    target.groupId(), target.memberId()),
                            target.value().map(GroupRecordCodec::target));
            case GroupRecord.CurrentAssignment current ->
                    pair(
                            new ConsumerGroupCurrentMemberAssignmentKey(
                                    current.groupId(), current.memberId()),
                            current.value().map(GroupRecordCodec::current));
            case GroupRecord.ResolvedRegex regex ->
                    pair(
                            new ConsumerGroupRegularExpressionKey(regex.groupId(), regex.regex()),
                            regex.value()
                                    .map(value ->
                                            ConsumerGroupRegularExpressionValue.builder()
                                                    .topics(
                                                            value.topics().stream()
                                                                    .sorted()
                                                                    .toList())
                                                    .version(value.version())
                                                    .timestamp(value.timestampMs())
                                                    .build()));
            case GroupRecord.Unknown unknown ->
                    throw new IllegalArgumentException("nobody writes " + unknown);
        };
    }

    private static CoordinatorRecord encodeOffset(GroupRecord.Offset offset) {
        boolean expires =
                offset.value().filter(value -> value.expireTimestampMs() >= 0).isPresent();
        return pair(
                new OffsetCommitKey(offset.groupId(), offset.topic(), offset.partition()),
                offset.value()
                        .map(value ->
                                OffsetCommitValue.builder()
                                        .offset(value.offset())
                                        .leaderEpoch(value.leaderEpoch())
                                        .metadata(value.metadata())
                                        .commitTimestamp(value.commitTimestampMs())
                                        .expireTimestamp(value.expireTimestampMs())
                                        .topicId(value.topicId())
                                        .build()),
                expires ? OFFSET_WITH_EXPIRY_VERSION : OFFSET_VERSION);
    }

    private static CoordinatorRecord pair(ApiMessage key, Optional<? extends ApiMessage> value) {
        return pair(key, value, (short) 0);
    }

    private static CoordinatorRecord pair(
            ApiMessage key, Optional<? extends ApiMessage> value, short version) {
        return new CoordinatorRecord(
                CoordinatorRecords.key(key),
                value.map(message -> CoordinatorRecords.value(message, version)));
    }

    private static GroupMetadataValue classic(ClassicGroupValue value) {
        return GroupMetadataValue.builder()
                .protocolType(value.protocolType())
                .generation(value.generation())
                .protocol(value.protocol().orElse(null))
                .leader(value.leader().orElse(null))
                .currentStateTimestamp(value.stateTimestampMs())
                .members(value.members().stream().map(GroupRecordCodec::classicMember).toList())
                .build();
    }

    private static GroupMetadataValue.MemberMetadata classicMember(ClassicMemberValue member) {
        return GroupMetadataValue.MemberMetadata.builder()
                .memberId(member.memberId())
                .groupInstanceId(member.groupInstanceId().orElse(null))
                .clientId(member.clientId())
                .clientHost(member.clientHost())
                .rebalanceTimeout(member.rebalanceTimeoutMs())
                .sessionTimeout(member.sessionTimeoutMs())
                .subscription(member.subscription().buffer())
                .assignment(member.assignment().buffer())
                .build();
    }

    private static ConsumerGroupMemberMetadataValue member(ConsumerMemberValue value) {
        return ConsumerGroupMemberMetadataValue.builder()
                .instanceId(value.instanceId().orElse(null))
                .rackId(value.rackId().orElse(null))
                .clientId(value.clientId())
                .clientHost(value.clientHost())
                .subscribedTopicNames(value.subscribedTopicNames().stream().sorted().toList())
                .subscribedTopicRegex(value.subscribedTopicRegex().orElse(null))
                .rebalanceTimeoutMs(value.rebalanceTimeoutMs())
                .serverAssignor(value.serverAssignor().orElse(null))
                .classicMemberMetadata(
                        value.classic().map(GroupRecordCodec::classicMetadata).orElse(null))
                .build();
    }

    private static ConsumerGroupMemberMetadataValue.ClassicMemberMetadata classicMetadata(
            ClassicMemberMetadata value) {
        return ConsumerGroupMemberMetadataValue.ClassicMemberMetadata.builder()
                .sessionTimeoutMs(value.sessionTimeoutMs())
                .supportedProtocols(
                        value.protocols().stream()
                                .map(protocol ->
                                        ConsumerGroupMemberMetadataValue.ClassicProtocol.builder()
                                                .name(protocol.name())
                                                .metadata(protocol.metadata().buffer())
                                                .build())
                                .toList())
                .build();
    }

    private static ConsumerGroupTargetAssignmentMemberValue target(Assignment assignment) {
        List<ConsumerGroupTargetAssignmentMemberValue.TopicPartition> topics =
                assignment.topics().entrySet().stream()
                        .sorted(Map.Entry.comparingByKey())
                        .map(entry ->
                                ConsumerGroupTargetAssignmentMemberValue.TopicPartition.builder()
                                        .topicId(entry.getKey())
                                        .partitions(entry.getValue().stream().boxed().toList())
                                        .build())
                        .toList();
        return ConsumerGroupTargetAssignmentMemberValue.builder().topicPartitions(topics).build();
    }

    private static ConsumerGroupCurrentMemberAssignmentValue current(CurrentAssignmentValue value) {
        return ConsumerGroupCurrentMemberAssignmentValue.builder()
                .memberEpoch(value.memberEpoch())
                .previousMemberEpoch(value.previousMemberEpoch())
                .state(value.state())
                .assignedPartitions(owned(value.assigned()))
                .partitionsPendingRevocation(owned(value.pendingRevocation()))
                .build();
    }

    private static List<ConsumerGroupCurrentMemberAssignmentValue.TopicPartitions> owned(
            OwnedPartitions partitions) {
        return partitions.epochs().entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .map(entry -> {
                    TreeMap<Integer, Integer> sorted = new TreeMap<>(entry.getValue());
                    return ConsumerGroupCurrentMemberAssignmentValue.TopicPartitions.builder()
                            .topicId(entry.getKey())
                            .partitions(List.copyOf(sorted.keySet()))
                            .assignmentEpochs(List.copyOf(sorted.values()))
                            .build();
                })
                .toList();
    }

    // From bytes.

    /// Reads a record; one of a kind that is not ours to understand comes back as
    /// [GroupRecord.Unknown]. Fails with [dev.ottla.wire.WireException] on bytes that are no
    /// record.
    public static GroupRecord decode(ByteBuffer key, Optional<ByteBuffer> value) {
        WireReader keyReader = new WireReader(key.slice());
        short type = keyReader.readShort();
        Optional<GroupRecordType> known = GroupRecordType.forId(type);
        if (known.isEmpty()) return new GroupRecord.Unknown(type);
        ApiMessage keyMessage = known.get().readKey(keyReader);
        Optional<Versioned> versioned = value.map(GroupRecordCodec::versioned);
        return switch (keyMessage) {
            case LegacyOffsetCommitKey legacy ->
                    new GroupRecord.Offset(
                            legacy.group(),
                            legacy.topic(),
                            legacy.partition(),
                            versioned.map(GroupRecordCodec::legacyOffset));
            case OffsetCommitKey offset ->
                    new GroupRecord.Offset(
                            offset.group(),
                            offset.topic(),
                            offset.partition(),
                            versioned.map(GroupRecordCodec::offset));
            case GroupMetadataKey group ->
                    new GroupRecord.Classic(
                            group.group(), versioned.map(GroupRecordCodec::classic));
            case ConsumerGroupMetadataKey group ->
                    new GroupRecord.ConsumerEpoch(
                            group.groupId(), versioned.map(GroupRecordCodec::consumerEpoch));
            case ConsumerGroupMemberMetadataKey member ->
                    new GroupRecord.ConsumerMember(
                            member.groupId(),
                            member.memberId(),
                            versioned.map(GroupRecordCodec::member));
            case ConsumerGroupTargetAssignmentMetadataKey group ->
                    new GroupRecord.TargetEpoch(
                            group.groupId(), versioned.map(GroupRecordCodec::targetEpoch));
            case ConsumerGroupTargetAssignmentMemberKey member ->
                    new GroupRecord.TargetAssignment(
                            member.groupId(),
                            member.memberId(),
                            versioned.map(GroupRecordCodec::target));
            case ConsumerGroupCurrentMemberAssignmentKey member ->
                    new GroupRecord.CurrentAssignment(
                            member.groupId(),
                            member.memberId(),
                            versioned.map(GroupRecordCodec::current));
            case ConsumerGroupRegularExpressionKey regex ->
                    new GroupRecord.ResolvedRegex(
                            regex.groupId(),
                            regex.regularExpression(),
                            versioned.map(GroupRecordCodec::resolvedRegex));
            default -> new GroupRecord.Unknown(type);
        };
    }

    private record Versioned(WireReader reader, short version) {}

    private static Versioned versioned(ByteBuffer value) {
        WireReader reader = new WireReader(value.slice());
        return new Versioned(reader, reader.readShort());
    }

    private static CommittedOffset legacyOffset(Versioned in) {
        LegacyOffsetCommitValue value = LegacyOffsetCommitValue.read(in.reader(), in.version());
        return new CommittedOffset(
                value.offset(), -1, value.metadata(), Uuid.ZERO, value.commitTimestamp(), -1);
    }

    private static CommittedOffset offset(Versioned in) {
        OffsetCommitValue value = OffsetCommitValue.read(in.reader(), in.version());
        return new CommittedOffset(
                value.offset(),
                value.leaderEpoch(),
                value.metadata(),
                value.topicId(),
                value.commitTimestamp(),
                value.expireTimestamp());
    }

    private static ClassicGroupValue classic(Versioned in) {
        GroupMetadataValue value = GroupMetadataValue.read(in.reader(), in.version());
        return new ClassicGroupValue(
                value.protocolType(),
                value.generation(),
                Optional.ofNullable(value.protocol()),
                Optional.ofNullable(value.leader()),
                value.currentStateTimestamp(),
                value.members().stream()
                        .map(member ->
                                new ClassicMemberValue(
                                        member.memberId(),
                                        Optional.ofNullable(member.groupInstanceId()),
                                        member.clientId(),
                                        member.clientHost(),
                                        member.rebalanceTimeout(),
                                        member.sessionTimeout(),
                                        Bytes.copyOf(member.subscription()),
                                        Bytes.copyOf(member.assignment())))
                        .toList());
    }

    private static ConsumerEpochValue consumerEpoch(Versioned in) {
        ConsumerGroupMetadataValue value =
                ConsumerGroupMetadataValue.read(in.reader(), in.version());
        return new ConsumerEpochValue(value.epoch(), value.metadataHash());
    }

    private static ConsumerMemberValue member(Versioned in) {
        ConsumerGroupMemberMetadataValue value =
                ConsumerGroupMemberMetadataValue.read(in.reader(), in.version());
        return new ConsumerMemberValue(
                Optional.ofNullable(value.instanceId()),
                Optional.ofNullable(value.rackId()),
                value.clientId(),
                value.clientHost(),
                new HashSet<>(value.subscribedTopicNames()),
                Optional.ofNullable(value.subscribedTopicRegex()),
                value.rebalanceTimeoutMs(),
                Optional.ofNullable(value.serverAssignor()),
                Optional.ofNullable(value.classicMemberMetadata())
                        .map(classic ->
                                new ClassicMemberMetadata(
                                        classic.sessionTimeoutMs(),
                                        classic.supportedProtocols().stream()
                                                .map(protocol ->
                                                        new ClassicProtocolValue(
                                                                protocol.name(),
                                                                Bytes.copyOf(protocol.metadata())))
                                                .toList())));
    }

    private static TargetEpochValue targetEpoch(Versioned in) {
        ConsumerGroupTargetAssignmentMetadataValue value =
                ConsumerGroupTargetAssignmentMetadataValue.read(in.reader(), in.version());
        return new TargetEpochValue(value.assignmentEpoch(), value.assignmentTimestamp());
    }

    private static Assignment target(Versioned in) {
        ConsumerGroupTargetAssignmentMemberValue value =
                ConsumerGroupTargetAssignmentMemberValue.read(in.reader(), in.version());
        Map<Uuid, PartitionSet> topics = new HashMap<>();
        value.topicPartitions()
                .forEach(topic -> topics.put(topic.topicId(), PartitionSet.of(topic.partitions())));
        return new Assignment(topics);
    }

    private static CurrentAssignmentValue current(Versioned in) {
        ConsumerGroupCurrentMemberAssignmentValue value =
                ConsumerGroupCurrentMemberAssignmentValue.read(in.reader(), in.version());
        return new CurrentAssignmentValue(
                value.memberEpoch(),
                value.previousMemberEpoch(),
                value.state(),
                owned(value.assignedPartitions(), value.memberEpoch()),
                owned(value.partitionsPendingRevocation(), value.memberEpoch()));
    }

    /// Records of before KIP-1251 have no assignment epochs; the member epoch stands in for them.
    private static OwnedPartitions owned(
            List<ConsumerGroupCurrentMemberAssignmentValue.TopicPartitions> topics,
            int memberEpoch) {
        Map<Uuid, Map<Integer, Integer>> epochs = new HashMap<>();
        for (ConsumerGroupCurrentMemberAssignmentValue.TopicPartitions topic : topics) {
            @Nullable List<Integer> assignmentEpochs = topic.assignmentEpochs();
            boolean withEpochs =
                    assignmentEpochs != null
                            && assignmentEpochs.size() == topic.partitions().size();
            Map<Integer, Integer> ofTopic = new HashMap<>();
            for (int i = 0; i < topic.partitions().size(); i++) {
                int epoch =
                        withEpochs && assignmentEpochs != null
                                ? assignmentEpochs.get(i)
                                : memberEpoch;
                ofTopic.put(topic.partitions().get(i), epoch);
            }
            epochs.put(topic.topicId(), ofTopic);
        }
        return new OwnedPartitions(epochs);
    }

    private static ResolvedRegexValue resolvedRegex(Versioned in) {
        ConsumerGroupRegularExpressionValue value =
                ConsumerGroupRegularExpressionValue.read(in.reader(), in.version());
        return new ResolvedRegexValue(
                new HashSet<>(value.topics()), value.version(), value.timestamp());
    }
}
