package dev.ottla.bench.micro;

import dev.ottla.wire.BufferRecords;
import dev.ottla.wire.BufferWriter;
import dev.ottla.wire.Uuid;
import dev.ottla.wire.message.FetchResponse;
import dev.ottla.wire.message.FetchResponse.FetchableTopicResponse;
import dev.ottla.wire.message.FetchResponse.PartitionData;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/// What goes around the records of a fetch: building and writing an answer whose records, sent out
/// of a file in reality, are left empty.
@State(Scope.Thread)
public class FetchEncode {
    private static final short VERSION = FetchResponse.HIGHEST_VERSION;
    private static final Uuid TOPIC = new Uuid(1, 2);
    private static final int HUNDRED = 100;

    private final ByteBuffer buffer = ByteBuffer.allocateDirect(64 * 1024);

    @Benchmark
    public ByteBuffer onePartition() {
        return encode(1);
    }

    @Benchmark
    public ByteBuffer hundredPartitions() {
        return encode(HUNDRED);
    }

    private ByteBuffer encode(int partitions) {
        List<PartitionData> data =
                IntStream.range(0, partitions)
                        .mapToObj(index ->
                                PartitionData.builder()
                                        .partitionIndex(index)
                                        .highWatermark(1_000_000)
                                        .lastStableOffset(1_000_000)
                                        .logStartOffset(0)
                                        .records(BufferRecords.EMPTY)
                                        .build())
                        .toList();
        FetchResponse response =
                FetchResponse.builder()
                        .sessionId(7)
                        .responses(
                                List.of(
                                        FetchableTopicResponse.builder()
                                                .topicId(TOPIC)
                                                .partitions(data)
                                                .build()))
                        .build();
        buffer.clear();
        buffer.putInt(response.size(VERSION));
        response.write(new BufferWriter(buffer), VERSION);
        return buffer.flip();
    }
}
