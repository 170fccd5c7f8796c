package dev.ottla.bench.load;

import static dev.ottla.wire.Check.check;

import dev.ottla.bench.client.Topic;
import dev.ottla.bench.client.WireClient;
import dev.ottla.record.RecordBatch;
import dev.ottla.wire.BufferRecords;
import dev.ottla.wire.message.ProduceRequest;
import dev.ottla.wire.message.ProduceRequest.PartitionProduceData;
import dev.ottla.wire.message.ProduceRequest.TopicProduceData;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.random.RandomGenerator;

/// A few copies of one produce request of one batch, side by side in direct memory, ready to be
/// sent. Each use patches correlation id, partition, timestamps and checksum, nothing else. Owned
/// by one connection.
///
///     | size, API, version | correlation id int32 | … | partition int32 | varint | batch | 3 bytes |
final class PreparedProduce {
    /// Copies take about that much together, so that small requests leave in one write.
    private static final int SLOT_BYTES = 64 * 1024;

    private static final int MAX_SLOTS = 64;
    private static final int TIMEOUT_MS = 60_000;

    private static final short VERSION = ProduceRequest.HIGHEST_VERSION;
    private static final int CORRELATION_ID_AT = 8;

    /// Tagged fields, all empty, of partition, topic and request stand after the batch.
    private static final int TRAILER_BYTES = 3;

    /// Fields of the batch header; see [RecordBatch].
    private static final int CRC_AT = 17;

    private static final int CRC_FROM = 21;
    private static final int BASE_TIMESTAMP_AT = 27;
    private static final int MAX_TIMESTAMP_AT = 35;

    private final ByteBuffer slots;
    private final int frameBytes;
    private final int slotCount;
    private final int batchAt;
    private final int partitionAt;
    private final int recordCount;
    private final int templateCrc;
    private final long templateMaxTimestamp;
    private final CrcPatch crcPatch;

    PreparedProduce(Topic topic, BatchShape shape, short acks, int stream, RandomGenerator random) {
        ByteBuffer batch = shape.build(stream, random);
        ByteBuffer frame = frame(topic, acks, batch);
        frameBytes = frame.remaining();
        slotCount = Math.clamp(SLOT_BYTES / frameBytes, 1, MAX_SLOTS);
        slots = ByteBuffer.allocateDirect(frameBytes * slotCount);
        for (int slot = 0; slot < slotCount; slot++) slots.put(frame.duplicate());

        batchAt = frameBytes - TRAILER_BYTES - batch.remaining();
        RecordBatch view = RecordBatch.at(frame, batchAt);
        check(view.isCrcValid(), "no valid batch at %d of the prepared request", batchAt);
        partitionAt = batchAt - varintBytes(batch.remaining() + 1) - Integer.BYTES;
        recordCount = shape.recordCount();
        templateCrc = view.crc();
        templateMaxTimestamp = view.maxTimestamp();
        crcPatch =
                new CrcPatch(
                        batch.remaining() - CRC_FROM, BASE_TIMESTAMP_AT - CRC_FROM, 2 * Long.BYTES);
    }

    private static ByteBuffer frame(Topic topic, short acks, ByteBuffer batch) {
        PartitionProduceData partition =
                PartitionProduceData.builder().records(new BufferRecords(batch)).build();
        ProduceRequest request =
                ProduceRequest.builder()
                        .acks(acks)
                        .timeoutMs(TIMEOUT_MS)
                        .topicData(
                                List.of(
                                        TopicProduceData.builder()
                                                .name(topic.name())
                                                .topicId(topic.id())
                                                .partitionData(List.of(partition))
                                                .build()))
                        .build();
        return WireClient.frame(request, VERSION, 0);
    }

    /// How many requests fit into one write.
    int slotCount() {
        return slotCount;
    }

    /// Makes `slot` the request for `partition` whose first record has `firstSequence`.
    void patch(int slot, int correlationId, int partition, long firstSequence) {
        slots.clear();
        int frameAt = slot * frameBytes;
        int at = frameAt + batchAt;
        long base = BatchShape.EPOCH_MS + firstSequence;
        long max = base + recordCount - 1;
        int crc =
                templateCrc
                        ^ crcPatch.contribution(0, base ^ BatchShape.EPOCH_MS)
                        ^ crcPatch.contribution(Long.BYTES, max ^ templateMaxTimestamp);
        slots.putInt(frameAt + CORRELATION_ID_AT, correlationId);
        slots.putInt(frameAt + partitionAt, partition);
        slots.putLong(at + BASE_TIMESTAMP_AT, base);
        slots.putLong(at + MAX_TIMESTAMP_AT, max);
        slots.putInt(at + CRC_AT, crc);
    }

    /// The bytes of the first `count` slots, from position to limit.
    ByteBuffer bytes(int count) {
        return slots.limit(count * frameBytes).position(0);
    }

    private static int varintBytes(int value) {
        return (38 - Integer.numberOfLeadingZeros(value)) / 7;
    }
}
