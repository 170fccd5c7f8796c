package dev.ottla.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ottla.bench.client.Topic;
import dev.ottla.record.Compression;
import dev.ottla.record.RecordBatch;
import dev.ottla.record.RecordBatches;
import dev.ottla.wire.BufferRecords;
import dev.ottla.wire.Uuid;
import dev.ottla.wire.WireReader;
import dev.ottla.wire.message.ProduceRequest;
import dev.ottla.wire.message.ProduceRequest.PartitionProduceData;
import dev.ottla.wire.message.RequestHeader;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class PreparedProduceTest {
    private static final Topic TOPIC = new Topic("t", new Uuid(1, 2), 1000);

    @ParameterizedTest
    @EnumSource
    void patchedRequestsAreWholeAndCarryTheirOwnFields(Compression compression) {
        BatchShape shape = new BatchShape(200, 5, compression);
        PreparedProduce prepared =
                new PreparedProduce(TOPIC, shape, (short) 1, 3, new SplittableRandom(1));

        prepared.patch(0, 41, 999, 12_345);
        prepared.patch(1, 42, 7, 12_350);

        ByteBuffer bytes = prepared.bytes(2);
        check(bytes, 41, 999, 12_345);
        check(bytes, 42, 7, 12_350);
        assertThat(bytes.hasRemaining()).isFalse();
    }

    private static void check(
            ByteBuffer bytes, int correlationId, int partition, long firstSequence) {
        int size = bytes.getInt();
        WireReader reader = new WireReader(bytes.slice(bytes.position(), size));
        bytes.position(bytes.position() + size);
        RequestHeader header = RequestHeader.read(reader, (short) 2);
        ProduceRequest request = ProduceRequest.read(reader, header.requestApiVersion());
        reader.expectEnd();
        PartitionProduceData data = request.topicData().getFirst().partitionData().getFirst();
        assertThat(data.records()).isInstanceOf(BufferRecords.class);
        if (!(data.records() instanceof BufferRecords records)) return;
        RecordBatch batch = RecordBatches.in(records.buffer()).iterator().next();

        assertThat(header.correlationId()).isEqualTo(correlationId);
        assertThat(request.topicData().getFirst().topicId()).isEqualTo(TOPIC.id());
        assertThat(data.index()).isEqualTo(partition);
        assertThat(batch.isCrcValid()).isTrue();
        assertThat(batch.baseTimestamp()).isEqualTo(BatchShape.EPOCH_MS + firstSequence);
        assertThat(batch.maxTimestamp()).isEqualTo(BatchShape.EPOCH_MS + firstSequence + 4);
        assertThat(batch.recordCount()).isEqualTo(5);
    }
}
