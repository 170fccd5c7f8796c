package dev.ottla.group.record;

import static org.assertj.core.api.Assertions.assertThat;

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
import dev.ottla.wire.CoordinatorRecords;
import dev.ottla.wire.Uuid;
import dev.ottla.wire.message.ConsumerGroupPartitionMetadataKey;
import dev.ottla.wire.message.LegacyOffsetCommitKey;
import dev.ottla.wire.message.LegacyOffsetCommitValue;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.kafka.common.protocol.Message;
import org.apache.kafka.coordinator.group.GroupCoordinatorRecordSerde;
import org.apache.kafka.coordinator.group.generated.ConsumerGroupCurrentMemberAssignmentValue;
import org.apache.kafka.coordinator.group.generated.GroupMetadataValue;
import org.apache.kafka.coordinator.group.generated.OffsetCommitValue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Kafka's own serde reads what we write, and writes the same bytes again.
class GroupRecordCodecTest {
    private static final Uuid TOPIC = new Uuid(7, 9);
    private static final Uuid OTHER = new Uuid(3, 4);
    private static final Bytes METADATA = Bytes.copyOf(new byte[] {1, 2, 3});

    private static final OwnedPartitions OWNED =
            new OwnedPartitions(Map.of(TOPIC, Map.of(0, 5, 3, 4), OTHER, Map.of(1, 5)));

    static Stream<GroupRecord> records() {
        ClassicMemberValue dynamic =
                new ClassicMemberValue(
                        "m1", Optional.empty(), "c", "/h", 60_000, 10_000, METADATA, Bytes.EMPTY);
        ClassicMemberValue fixed =
                new ClassicMemberValue(
                        "m2", Optional.of("i"), "c", "/h", 60_000, 10_000, METADATA, METADATA);
        return Stream.of(
                offset(new CommittedOffset(42, 3, "note", TOPIC, 1_000, -1)),
                offset(new CommittedOffset(42, -1, "", Uuid.ZERO, 1_000, -1)),
                new GroupRecord.Offset("g", "t", 1, Optional.empty()),
                new GroupRecord.Classic(
                        "g",
                        Optional.of(
                                new ClassicGroupValue(
                                        "consumer",
                                        3,
                                        Optional.of("range"),
                                        Optional.of("m1"),
                                        99,
                                        List.of(dynamic, fixed)))),
                new GroupRecord.Classic(
                        "g",
                        Optional.of(
                                new ClassicGroupValue(
                                        "", 0, Optional.empty(), Optional.empty(), 99, List.of()))),
                new GroupRecord.Classic("g", Optional.empty()),
                new GroupRecord.ConsumerEpoch("g", Optional.of(new ConsumerEpochValue(5, 77))),
                new GroupRecord.ConsumerEpoch("g", Optional.empty()),
                member(Optional.empty()),
                member(
                        Optional.of(
                                new ClassicMemberMetadata(
                                        10_000,
                                        List.of(new ClassicProtocolValue("range", METADATA))))),
                new GroupRecord.ConsumerMember("g", "m", Optional.empty()),
                new GroupRecord.TargetEpoch("g", Optional.of(new TargetEpochValue(5, 123_456))),
                new GroupRecord.TargetEpoch("g", Optional.empty()),
                new GroupRecord.TargetAssignment(
                        "g",
                        "m",
                        Optional.of(
                                new Assignment(
                                        Map.of(
                                                TOPIC,
                                                PartitionSet.of(3, 1),
                                                OTHER,
                                                PartitionSet.of(0))))),
                new GroupRecord.TargetAssignment("g", "m", Optional.empty()),
                new GroupRecord.CurrentAssignment(
                        "g",
                        "m",
                        Optional.of(
                                new CurrentAssignmentValue(
                                        5, 4, (byte) 2, OWNED, OwnedPartitions.EMPTY))),
                new GroupRecord.CurrentAssignment("g", "m", Optional.empty()),
                new GroupRecord.ResolvedRegex(
                        "g",
                        "a.*",
                        Optional.of(new ResolvedRegexValue(Set.of("ab", "aa"), 8, 9_000))),
                new GroupRecord.ResolvedRegex("g", "a.*", Optional.empty()));
    }

    private static GroupRecord offset(CommittedOffset value) {
        return new GroupRecord.Offset("g", "t", 1, Optional.of(value));
    }

    private static GroupRecord member(Optional<ClassicMemberMetadata> classic) {
        return new GroupRecord.ConsumerMember(
                "g",
                "m",
                Optional.of(
                        new ConsumerMemberValue(
                                Optional.of("i"),
                                Optional.of("rack"),
                                "c",
                                "/h",
                                Set.of("b", "a"),
                                Optional.of("x.*"),
                                300_000,
                                Optional.of("range"),
                                classic)));
    }

    @ParameterizedTest
    @MethodSource("records")
    void recordsComeBackAsTheyWere(GroupRecord record) {
        CoordinatorRecord bytes = GroupRecordCodec.encode(record);

        assertThat(GroupRecordCodec.decode(bytes.key(), bytes.value())).isEqualTo(record);
    }

    @ParameterizedTest
    @MethodSource("records")
    void kafkaReadsOurBytesAndWritesTheSame(GroupRecord record) {
        CoordinatorRecord bytes = GroupRecordCodec.encode(record);
        GroupCoordinatorRecordSerde serde = new GroupCoordinatorRecordSerde();

        var read =
                serde.deserialize(
                        bytes.key().duplicate(),
                        bytes.value().map(ByteBuffer::duplicate).orElse(null));

        assertThat(ByteBuffer.wrap(serde.serializeKey(read))).isEqualTo(bytes.key());
        if (bytes.value().isPresent()) {
            assertThat(ByteBuffer.wrap(serde.serializeValue(read))).isEqualTo(bytes.value().get());
        } else {
            assertThat(read.value()).isNull();
        }
    }

    private static Message kafkaValue(GroupRecord record) {
        CoordinatorRecord bytes = GroupRecordCodec.encode(record);
        return new GroupCoordinatorRecordSerde()
                .deserialize(bytes.key().duplicate(), bytes.value().orElseThrow().duplicate())
                .value()
                .message();
    }

    @Test
    void fieldsMeanToKafkaWhatTheyMeanToUs() {
        OffsetCommitValue offset =
                (OffsetCommitValue)
                        kafkaValue(offset(new CommittedOffset(42, 3, "note", TOPIC, 1_000, -1)));
        assertThat(offset.offset()).isEqualTo(42);
        assertThat(offset.leaderEpoch()).isEqualTo(3);
        assertThat(offset.topicId().getLeastSignificantBits()).isEqualTo(9);

        GroupMetadataValue group =
                (GroupMetadataValue) kafkaValue(records().skip(3).findFirst().orElseThrow());
        assertThat(group.members().get(1).groupInstanceId()).isEqualTo("i");
        assertThat(group.members().get(0).subscription()).containsExactly(1, 2, 3);

        ConsumerGroupCurrentMemberAssignmentValue current =
                (ConsumerGroupCurrentMemberAssignmentValue)
                        kafkaValue(
                                records()
                                        .filter(record ->
                                                record instanceof GroupRecord.CurrentAssignment)
                                        .findFirst()
                                        .orElseThrow());
        assertThat(current.assignedPartitions().getLast().partitions()).containsExactly(0, 3);
        assertThat(current.assignedPartitions().getLast().assignmentEpochs()).containsExactly(5, 4);
    }

    @Test
    void offsetWithAnExpiryTakesTheOldForm() {
        GroupRecord record = offset(new CommittedOffset(42, -1, "", Uuid.ZERO, 1_000, 2_000));
        CoordinatorRecord bytes = GroupRecordCodec.encode(record);

        assertThat(bytes.value().orElseThrow().getShort(0)).isEqualTo((short) 1);
        assertThat(GroupRecordCodec.decode(bytes.key(), bytes.value())).isEqualTo(record);
        assertThat(((OffsetCommitValue) kafkaValue(record)).expireTimestamp()).isEqualTo(2_000);
    }

    @Test
    void offsetsOfTheOldestFormAreRead() {
        ByteBuffer key = CoordinatorRecords.key(new LegacyOffsetCommitKey("g", "t", 1));
        ByteBuffer value =
                CoordinatorRecords.value(new LegacyOffsetCommitValue(42, "note", 1_000), (short) 0);

        assertThat(GroupRecordCodec.decode(key, Optional.of(value)))
                .isEqualTo(offset(new CommittedOffset(42, -1, "note", Uuid.ZERO, 1_000, -1)));
    }

    @Test
    void recordsOfOtherKindsAreSkipped() {
        ByteBuffer known = CoordinatorRecords.key(new ConsumerGroupPartitionMetadataKey("g"));
        ByteBuffer unknown = ByteBuffer.allocate(2).putShort((short) 99).flip();

        assertThat(GroupRecordCodec.decode(known, Optional.empty()))
                .isEqualTo(new GroupRecord.Unknown(4));
        assertThat(GroupRecordCodec.decode(unknown, Optional.empty()))
                .isEqualTo(new GroupRecord.Unknown(99));
    }
}
