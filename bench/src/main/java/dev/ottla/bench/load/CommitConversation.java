package dev.ottla.bench.load;

import static dev.ottla.wire.Check.check;

import dev.ottla.bench.client.WireClient;
import dev.ottla.wire.ErrorCode;
import dev.ottla.wire.message.OffsetCommitRequest;
import dev.ottla.wire.message.OffsetCommitRequest.OffsetCommitRequestPartition;
import dev.ottla.wire.message.OffsetCommitRequest.OffsetCommitRequestTopic;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/// One connection on which some groups commit in turn. Requests are prepared once; correlation id
/// and offset are patched. Owned by the loop's thread.
final class CommitConversation implements Conversation {
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);
    private static final short VERSION = OffsetCommitRequest.HIGHEST_VERSION;
    private static final int CORRELATION_ID_AT = 8;

    /// Where an answer of the newest version, to one partition, has its error code.
    ///
    ///     | correlation id int32 | tags | throttle int32 | 1 topic | topic id 16 | 1 partition | index int32 | error |
    private static final int ERROR_AT = 4 + 1 + 4 + 1 + 16 + 1 + 4;

    private final CommitPlan plan;
    private final ByteBuffer[] requests;
    private final int[] offsetAt;
    private final LatencyLog latency;
    private final LongRing inFlight = new LongRing();
    private int turn;
    private int round = 1;
    private int correlationId;

    CommitConversation(CommitPlan plan, int[] groups, LatencyLog latency) {
        this.plan = plan;
        this.latency = latency;
        requests = new ByteBuffer[groups.length];
        offsetAt = new int[groups.length];
        for (int i = 0; i < groups.length; i++) {
            ByteBuffer zero = frame(groups[i], 0);
            // The two differ in the eight bytes of the offset and nowhere else.
            offsetAt[i] = zero.mismatch(frame(groups[i], -1));
            requests[i] = ByteBuffer.allocateDirect(zero.remaining()).put(zero).flip();
        }
        check(groups.length > 0, "a connection without groups");
    }

    private ByteBuffer frame(int group, long offset) {
        OffsetCommitRequestPartition partition =
                OffsetCommitRequestPartition.builder()
                        .committedOffset(offset)
                        .committedMetadata("")
                        .build();
        OffsetCommitRequest request =
                OffsetCommitRequest.builder()
                        .groupId(plan.group(group))
                        .topics(
                                List.of(
                                        OffsetCommitRequestTopic.builder()
                                                .name(plan.topic().name())
                                                .topicId(plan.topic().id())
                                                .partitions(List.of(partition))
                                                .build()))
                        .build();
        return WireClient.frame(request, VERSION, 0);
    }

    @Override
    public ByteBuffer next(long nowNs) {
        if (round > plan.rounds() || inFlight.size() >= plan.window()) return NOTHING;
        ByteBuffer request = requests[turn].clear();
        request.putInt(CORRELATION_ID_AT, correlationId++).putLong(offsetAt[turn], round);
        inFlight.add(nowNs);
        if (++turn == requests.length) {
            turn = 0;
            round++;
        }
        return request;
    }

    @Override
    public void onAnswer(ByteBuffer answer, long nowNs) throws IOException {
        short error = answer.getShort(ERROR_AT);
        if (error != ErrorCode.NONE.code()) {
            throw new IOException("a commit was refused: " + ErrorCode.forCode(error));
        }
        latency.record(inFlight.remove(), nowNs);
    }

    boolean isDone() {
        return round > plan.rounds() && inFlight.size() == 0;
    }
}
