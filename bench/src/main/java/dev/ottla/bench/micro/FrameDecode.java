package dev.ottla.bench.micro;

import dev.ottla.bench.client.WireClient;
import dev.ottla.bench.load.BatchShape;
import dev.ottla.record.Compression;
import dev.ottla.wire.ApiMessage;
import dev.ottla.wire.BufferRecords;
import dev.ottla.wire.Uuid;
import dev.ottla.wire.WireReader;
import dev.ottla.wire.message.ApiKey;
import dev.ottla.wire.message.FetchRequest;
import dev.ottla.wire.message.FetchRequest.FetchPartition;
import dev.ottla.wire.message.FetchRequest.FetchTopic;
import dev.ottla.wire.message.ProduceRequest;
import dev.ottla.wire.message.ProduceRequest.PartitionProduceData;
import dev.ottla.wire.message.ProduceRequest.TopicProduceData;
import dev.ottla.wire.message.RequestHeader;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.SplittableRandom;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/// From the bytes of a frame to header and request.
@State(Scope.Thread)
public class FrameDecode {
    private static final short HEADER_VERSION = 2;
    private static final Uuid TOPIC = new Uuid(1, 2);

    private final ByteBuffer produce = direct(produceFrame());
    private final ByteBuffer fetch = direct(fetchFrame());

    @Benchmark
    public ApiMessage produceOf16KiB() {
        return decode(produce, ApiKey.PRODUCE);
    }

    @Benchmark
    public ApiMessage fetchOfOnePartition() {
        return decode(fetch, ApiKey.FETCH);
    }

    private static ApiMessage decode(ByteBuffer frame, ApiKey api) {
        WireReader reader = new WireReader(frame);
        RequestHeader header = RequestHeader.read(reader, HEADER_VERSION);
        return api.readRequest(reader, header.requestApiVersion());
    }

    private static ByteBuffer produceFrame() {
        BatchShape shape = BatchShape.filling(16 * 1024, 1024, Compression.NONE);
        ByteBuffer batch = shape.build(0, new SplittableRandom(1));
        PartitionProduceData partition =
                PartitionProduceData.builder().records(new BufferRecords(batch)).build();
        ProduceRequest request =
                ProduceRequest.builder()
                        .acks((short) 1)
                        .topicData(
                                List.of(
                                        TopicProduceData.builder()
                                                .topicId(TOPIC)
                                                .partitionData(List.of(partition))
                                                .build()))
                        .build();
        return WireClient.frame(request, ProduceRequest.HIGHEST_VERSION, 1);
    }

    private static ByteBuffer fetchFrame() {
        FetchPartition partition = FetchPartition.builder().partitionMaxBytes(1 << 20).build();
        FetchRequest request =
                FetchRequest.builder()
                        .topics(
                                List.of(
                                        FetchTopic.builder()
                                                .topicId(TOPIC)
                                                .partitions(List.of(partition))
                                                .build()))
                        .build();
        return WireClient.frame(request, FetchRequest.HIGHEST_VERSION, 1);
    }

    /// The frame without its size, as the network loop has it.
    private static ByteBuffer direct(ByteBuffer frame) {
        frame.position(Integer.BYTES);
        return ByteBuffer.allocateDirect(frame.remaining()).put(frame).flip();
    }
}
