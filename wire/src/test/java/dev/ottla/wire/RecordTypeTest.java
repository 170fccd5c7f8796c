package dev.ottla.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ottla.wire.message.GroupRecordType;
import dev.ottla.wire.message.MetadataRecordType;
import dev.ottla.wire.message.RemoteLogRecordType;
import dev.ottla.wire.message.ShareRecordType;
import dev.ottla.wire.message.TransactionRecordType;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Objects;
import org.apache.kafka.common.metadata.TopicRecord;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.MessageUtil;
import org.apache.kafka.common.protocol.ObjectSerializationCache;
import org.apache.kafka.coordinator.group.generated.OffsetCommitKey;
import org.apache.kafka.coordinator.group.generated.OffsetCommitValue;
import org.apache.kafka.metadata.MetadataRecordSerde;
import org.apache.kafka.server.common.ApiMessageAndVersion;
import org.junit.jupiter.api.Test;

/// Numbers, names and framing of the records in Kafka's internal topics.
final class RecordTypeTest {
    @Test
    void metadataRecordTypesAreKafkas() {
        var theirs = org.apache.kafka.common.metadata.MetadataRecordType.values();
        assertThat(MetadataRecordType.values()).hasSameSizeAs(theirs);
        for (var type : theirs) {
            MetadataRecordType ours = MetadataRecordType.forId(type.id()).orElseThrow();
            assertThat(ours + "_RECORD").isEqualTo(type.name());
            assertThat(ours.lowestVersion()).isEqualTo(type.lowestSupportedVersion());
            assertThat(ours.highestVersion()).isEqualTo(type.highestSupportedVersion());
        }
    }

    @Test
    void coordinatorRecordTypesAreKafkas() {
        for (var type :
                org.apache.kafka.coordinator.group.generated.CoordinatorRecordType.values()) {
            GroupRecordType ours = GroupRecordType.forId(type.id()).orElseThrow();
            assertThat(ours.name()).isEqualTo(type.name());
            assertThat(ours.lowestVersion()).isEqualTo(type.lowestSupportedVersion());
            assertThat(ours.highestVersion()).isEqualTo(type.highestSupportedVersion());
        }
        for (var type :
                org.apache.kafka.coordinator.transaction.generated.CoordinatorRecordType.values()) {
            TransactionRecordType ours = TransactionRecordType.forId(type.id()).orElseThrow();
            assertThat(ours.name()).isEqualTo(type.name());
            assertThat(ours.highestVersion()).isEqualTo(type.highestSupportedVersion());
        }
        for (var type :
                org.apache.kafka.coordinator.share.generated.CoordinatorRecordType.values()) {
            ShareRecordType ours = ShareRecordType.forId(type.id()).orElseThrow();
            assertThat(ours.name()).isEqualTo(type.name());
            assertThat(ours.highestVersion()).isEqualTo(type.highestSupportedVersion());
        }
    }

    @Test
    void idsAreThereOnce() {
        var ids = new HashSet<Short>();
        assertThat(Arrays.stream(GroupRecordType.values()).map(GroupRecordType::id))
                .allMatch(ids::add);
        assertThat(RemoteLogRecordType.values()).hasSize(4);
        assertThat(GroupRecordType.forId(-1)).isEmpty();
    }

    @Test
    void coordinatorRecordsAreFramedAsKafkaFramesThem() {
        var ours =
                dev.ottla.wire.message.OffsetCommitKey.builder()
                        .group("g")
                        .topic("t")
                        .partition(3)
                        .build();
        var theirs = new OffsetCommitKey().setGroup("g").setTopic("t").setPartition(3);
        var value = dev.ottla.wire.message.OffsetCommitValue.builder().offset(7).build();
        var theirValue = new OffsetCommitValue().setOffset(7);

        assertThat(CoordinatorRecords.key(ours))
                .isEqualTo(MessageUtil.toCoordinatorTypePrefixedByteBuffer(theirs));
        assertThat(CoordinatorRecords.value(value, (short) 4))
                .isEqualTo(MessageUtil.toVersionPrefixedByteBuffer((short) 4, theirValue));
    }

    @Test
    void metadataRecordsAreFramedAsKafkaFramesThem() {
        var ours = dev.ottla.wire.message.TopicRecord.builder().name("t").build();
        var theirs = new ApiMessageAndVersion(new TopicRecord().setName("t"), (short) 0);
        var serde = MetadataRecordSerde.INSTANCE;
        var cache = new ObjectSerializationCache();
        ByteBuffer expected = ByteBuffer.allocate(serde.recordSize(theirs, cache));
        serde.write(theirs, cache, new ByteBufferAccessor(expected));

        assertThat(MetadataRecords.value(ours, (short) 0)).isEqualTo(expected.flip());
        assertThat(Objects.requireNonNull(expected).hasRemaining()).isTrue();
    }
}
