package dev.ottla.bench.load;

import dev.ottla.bench.client.Topic;
import dev.ottla.bench.client.WireClient;
import dev.ottla.wire.BufferRecords;
import dev.ottla.wire.ErrorCode;
import dev.ottla.wire.WireReader;
import dev.ottla.wire.message.ApiKey;
import dev.ottla.wire.message.FetchRequest;
import dev.ottla.wire.message.FetchRequest.FetchPartition;
import dev.ottla.wire.message.FetchRequest.FetchTopic;
import dev.ottla.wire.message.FetchResponse;
import dev.ottla.wire.message.FetchResponse.PartitionData;
import dev.ottla.wire.message.ResponseHeader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// A consumer on one connection: one fetch at a time, in an incremental fetch session like Kafka's
/// own client. Hops over batch headers to learn where it stands; what else is done with the bytes
/// is up to the sink. Owned by the loop's thread.
final class FetchConversation implements Conversation {
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);
    private static final short VERSION = FetchRequest.HIGHEST_VERSION;
    private static final int MAX_WAIT_MS = 500;

    private static final int LENGTH_AT = 8;
    private static final int LAST_OFFSET_DELTA_AT = 23;
    private static final int HEADER_BYTES = 61;

    private final Topic topic;
    private final ConsumerPlan plan;
    private final int[] partitions;
    private final long[] offsets;
    private final BatchSink sink;

    /// Partitions to name in the next request: in a session, those that moved.
    private final boolean[] changed;

    /// Where a partition stands in the arrays above; partitions of one consumer are evenly spaced.
    private final int stride;

    private int sessionId;
    private int sessionEpoch;
    private boolean asking;
    private int correlationId;
    private long bytes;

    FetchConversation(ConsumerPlan plan, int[] partitions, int stride, BatchSink sink) {
        this.topic = plan.topic();
        this.plan = plan;
        this.partitions = partitions;
        this.stride = stride;
        this.offsets = new long[partitions.length];
        this.changed = new boolean[partitions.length];
        this.sink = sink;
        Arrays.fill(changed, true);
    }

    @Override
    public ByteBuffer next(long nowNs) {
        if (asking) return NOTHING;
        asking = true;
        FetchRequest request =
                FetchRequest.builder()
                        .maxWaitMs(MAX_WAIT_MS)
                        .minBytes(1)
                        .maxBytes(plan.answerBytes())
                        .sessionId(sessionId)
                        .sessionEpoch(sessionEpoch)
                        .topics(changedPartitions())
                        .build();
        return WireClient.frame(request, VERSION, ++correlationId);
    }

    private List<FetchTopic> changedPartitions() {
        List<FetchPartition> named = new ArrayList<>();
        for (int i = 0; i < partitions.length; i++) {
            if (!changed[i]) continue;
            changed[i] = false;
            named.add(
                    FetchPartition.builder()
                            .partition(partitions[i])
                            .fetchOffset(offsets[i])
                            .partitionMaxBytes(plan.partitionBytes())
                            .build());
        }
        if (named.isEmpty()) return List.of();
        return List.of(
                FetchTopic.builder()
                        .topic(topic.name())
                        .topicId(topic.id())
                        .partitions(named)
                        .build());
    }

    @Override
    public void onAnswer(ByteBuffer answer, long nowNs) throws IOException {
        asking = false;
        bytes += answer.remaining();
        WireReader reader = new WireReader(answer);
        var _ = ResponseHeader.read(reader, ApiKey.FETCH.responseHeaderVersion(VERSION));
        FetchResponse response = FetchResponse.read(reader, VERSION);
        require(response.errorCode(), "a fetch");
        if (sessionEpoch == 0) sessionId = response.sessionId();
        // A broker that has no session to give answers 0: then each request is a full one.
        if (sessionId == 0) {
            Arrays.fill(changed, true);
        } else {
            sessionEpoch++;
        }
        if (response.responses().isEmpty()) return;
        for (PartitionData partition : response.responses().getFirst().partitions()) {
            require(partition.errorCode(), "a fetch of partition " + partition.partitionIndex());
            if (partition.records() instanceof BufferRecords(ByteBuffer batches)
                    && batches.hasRemaining()) {
                take(partition.partitionIndex(), batches, nowNs);
            }
        }
    }

    private void take(int partition, ByteBuffer batches, long nowNs) {
        int index = partition / stride;
        sink.accept(partition, offsets[index], batches, nowNs);
        int position = batches.position();
        int limit = batches.limit();
        long next = offsets[index];
        while (limit - position >= HEADER_BYTES) {
            int after = position + 12 + batches.getInt(position + LENGTH_AT);
            if (after > limit) break;
            next = batches.getLong(position) + batches.getInt(position + LAST_OFFSET_DELTA_AT) + 1;
            position = after;
        }
        offsets[index] = next;
        changed[index] = true;
    }

    /// Records consumed so far, over the partitions of this consumer.
    long consumed() {
        long sum = 0;
        for (long offset : offsets) sum += offset;
        return sum;
    }

    /// Bytes of all answers.
    long bytes() {
        return bytes;
    }

    private static void require(short errorCode, String what) throws IOException {
        if (errorCode != ErrorCode.NONE.code()) {
            throw new IOException(what + " was refused: " + ErrorCode.forCode(errorCode));
        }
    }
}
