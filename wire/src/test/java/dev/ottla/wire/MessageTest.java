package dev.ottla.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ottla.wire.message.ApiKey;
import dev.ottla.wire.message.ApiVersionsResponse;
import dev.ottla.wire.message.ElectLeadersResponse;
import dev.ottla.wire.message.FetchRequest;
import dev.ottla.wire.message.GroupRecordType;
import dev.ottla.wire.message.HeartbeatResponse;
import dev.ottla.wire.message.MetadataRecordType;
import dev.ottla.wire.message.OffsetCommitKey;
import dev.ottla.wire.message.OffsetCommitValue;
import dev.ottla.wire.message.ProduceRequest;
import dev.ottla.wire.message.ProduceResponse;
import dev.ottla.wire.message.TopicRecord;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class MessageTest {
    private static final Uuid TOPIC_ID = new Uuid(5, 7);

    @Test
    void aRequestSurvivesTheWire() {
        FetchRequest request =
                FetchRequest.builder()
                        .maxWaitMs(500)
                        .minBytes(1)
                        .clusterId("there")
                        .topics(
                                List.of(
                                        FetchRequest.FetchTopic.builder()
                                                .topicId(TOPIC_ID)
                                                .partitions(
                                                        List.of(
                                                                FetchRequest.FetchPartition
                                                                        .builder()
                                                                        .partition(3)
                                                                        .fetchOffset(42)
                                                                        .build()))
                                                .build()))
                        .build();

        ByteBuffer wire = request.toBuffer((short) 17);
        WireReader reader = new WireReader(wire);

        assertThat(ApiKey.FETCH.readRequest(reader, (short) 17)).isEqualTo(request);
        reader.expectEnd();
    }

    @Test
    void recordsAreAViewOfTheInput() {
        ByteBuffer batch = ByteBuffer.wrap(new byte[] {1, 2, 3});
        ProduceRequest request = produce(new BufferRecords(batch));
        ByteBuffer wire = request.toBuffer((short) 9);

        ProduceRequest read = ProduceRequest.read(new WireReader(wire), (short) 9);
        assertThat(read).isEqualTo(request);
        // Three empty sections of tagged fields follow the records.
        wire.put(wire.limit() - 5, (byte) 9);

        RecordsPayload records = read.topicData().getFirst().partitionData().getFirst().records();
        assertThat(records).isEqualTo(new BufferRecords(ByteBuffer.wrap(new byte[] {1, 9, 3})));
    }

    @Test
    void responsesTellWhetherAnythingWentWrong() {
        ProduceResponse.PartitionProduceResponse fine =
                ProduceResponse.PartitionProduceResponse.builder().build();
        ProduceResponse.PartitionProduceResponse failed =
                fine.toBuilder().errorCode((short) 3).build();

        assertThat(produced(fine).hasError()).isFalse();
        assertThat(produced(fine, failed).hasError()).isTrue();
        assertThat(HeartbeatResponse.builder().errorCode((short) 25).build().hasError()).isTrue();
        assertThat(ApiVersionsResponse.builder().build().hasError()).isFalse();
        assertThat(ElectLeadersResponse.builder().errorCode((short) 1).build().hasError()).isTrue();
        assertThat(FetchRequest.builder().build().hasError()).isFalse();
    }

    private static ProduceResponse produced(
            ProduceResponse.PartitionProduceResponse... partitions) {
        return ProduceResponse.builder()
                .responses(
                        List.of(
                                ProduceResponse.TopicProduceResponse.builder()
                                        .partitionResponses(List.of(partitions))
                                        .build()))
                .build();
    }

    @Test
    void listsAreCopied() {
        List<ProduceRequest.TopicProduceData> topics = new ArrayList<>();
        ProduceRequest request = ProduceRequest.builder().topicData(topics).build();
        topics.add(ProduceRequest.TopicProduceData.builder().name("later").build());

        assertThat(request.topicData()).isEmpty();
    }

    @Test
    void aValueThatMayNotBeIgnoredIsNotDroppedSilently() {
        ProduceRequest request = produce(BufferRecords.EMPTY).toBuilder().acks((short) 1).build();
        FetchRequest fetch =
                FetchRequest.builder()
                        .replicaState(FetchRequest.ReplicaState.builder().replicaId(1).build())
                        .build();

        assertThat(request.size((short) 3)).isPositive();
        assertThatThrownBy(() -> fetch.toBuffer((short) 14))
                .isInstanceOf(UnsupportedVersionException.class)
                .hasMessage("FetchRequest version 14 cannot carry a value of replicaState");
    }

    @Test
    void aVersionThatDoesNotExistIsRefused() {
        assertThatThrownBy(() -> FetchRequest.builder().build().toBuffer((short) 3))
                .isInstanceOf(UnsupportedVersionException.class)
                .hasMessage("FetchRequest has versions 4 to 18, not 3");
    }

    @Test
    void coordinatorRecordsCarryTypeAndVersion() {
        OffsetCommitKey key = OffsetCommitKey.builder().group("g").topic("t").partition(2).build();
        OffsetCommitValue value = OffsetCommitValue.builder().offset(9).build();

        WireReader keyReader = new WireReader(CoordinatorRecords.key(key));
        WireReader valueReader = new WireReader(CoordinatorRecords.value(value, (short) 3));
        GroupRecordType type = GroupRecordType.forId(keyReader.readShort()).orElseThrow();

        assertThat(type).isEqualTo(GroupRecordType.OFFSET_COMMIT);
        assertThat(type.readKey(keyReader)).isEqualTo(key);
        assertThat(type.readValue(valueReader, valueReader.readShort())).isEqualTo(value);
    }

    @Test
    void metadataRecordsCarryFrameTypeAndVersion() {
        TopicRecord topic = TopicRecord.builder().name("t").topicId(TOPIC_ID).build();

        WireReader reader = new WireReader(MetadataRecords.value(topic, (short) 0));
        MetadataRecords.Header header = MetadataRecords.readHeader(reader);
        MetadataRecordType type = MetadataRecordType.forId(header.apiKey()).orElseThrow();

        assertThat(type).isEqualTo(MetadataRecordType.TOPIC);
        assertThat(type.read(reader, header.version())).isEqualTo(topic);
    }

    private static ProduceRequest produce(RecordsPayload records) {
        var partition = ProduceRequest.PartitionProduceData.builder().records(records).build();
        var topic =
                ProduceRequest.TopicProduceData.builder()
                        .name("t")
                        .partitionData(List.of(partition))
                        .build();
        return ProduceRequest.builder().topicData(List.of(topic)).build();
    }
}
