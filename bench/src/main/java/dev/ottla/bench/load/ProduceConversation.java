package dev.ottla.bench.load;

import dev.ottla.wire.ErrorCode;
import dev.ottla.wire.WireReader;
import dev.ottla.wire.message.ProduceResponse;
import dev.ottla.wire.message.ProduceResponse.PartitionProduceResponse;
import dev.ottla.wire.message.ResponseHeader;
import java.io.IOException;
import java.nio.ByteBuffer;

/// A producer on one connection: sends its prepared batch to its partitions in turn, as fast as the
/// window allows or as a [Pace] says, and takes the answers. Owned by the loop's thread.
final class ProduceConversation implements Conversation {
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    /// Where an answer of the newest version, to one partition, has its error code.
    ///
    ///     | correlation id int32 | tags | 1 topic | topic id 16 | 1 partition | index int32 | error int16 |
    private static final int ERROR_AT = 4 + 1 + 1 + 16 + 1 + 4;

    private final PreparedProduce prepared;
    private final ProducerPlan plan;
    private final int[] partitions;
    private final long[] nextSequences;
    private final LatencyLog latency;
    private final LongRing due = new LongRing();
    private final LongRing inFlight = new LongRing();
    private final boolean paced;
    private long toSend;
    private long acknowledged;

    /// Requests handed out of which some bytes may not have been taken yet; counted without
    /// acknowledgements only.
    private long handedOut;

    private int correlationId;
    private int turn;

    /// `partitions` are those that this producer writes to; `requestCount` is what it sends in all.
    ProduceConversation(
            PreparedProduce prepared,
            ProducerPlan plan,
            int[] partitions,
            long requestCount,
            LatencyLog latency) {
        this.prepared = prepared;
        this.plan = plan;
        this.partitions = partitions;
        this.nextSequences = new long[partitions.length];
        this.latency = latency;
        this.paced = plan.batchesPerSecond() > 0;
        this.toSend = requestCount;
    }

    /// Whether every request was acknowledged that shall be sent.
    boolean isDone() {
        return toSend == 0 && handedOut == 0 && inFlight.size() == 0;
    }

    void halt() {
        toSend = 0;
    }

    /// A request shall leave; it waits here while the window is full.
    void due(long intendedNs) {
        due.add(intendedNs);
    }

    @Override
    public ByteBuffer next(long nowNs) {
        acknowledged += handedOut;
        handedOut = 0;
        long room = Math.min(prepared.slotCount(), toSend);
        if (plan.acks() != 0) room = Math.min(room, plan.window() - inFlight.size());
        if (paced) room = Math.min(room, due.size());
        if (room <= 0) return NOTHING;
        for (int slot = 0; slot < room; slot++) {
            prepared.patch(slot, correlationId++, partitions[turn], nextSequences[turn]);
            nextSequences[turn] += plan.shape().recordCount();
            turn = (turn + 1) % partitions.length;
            long intendedNs = paced ? due.remove() : nowNs;
            if (plan.acks() != 0) inFlight.add(intendedNs);
        }
        toSend -= room;
        if (plan.acks() == 0) handedOut = room;
        return prepared.bytes((int) room);
    }

    @Override
    public void onAnswer(ByteBuffer answer, long nowNs) throws IOException {
        if (answer.remaining() < ERROR_AT + 2 || answer.getShort(ERROR_AT) != 0) refuse(answer);
        latency.record(inFlight.remove(), nowNs);
        acknowledged++;
    }

    /// Requests that were answered, or, without acknowledgements, given to the socket.
    long acknowledged() {
        return acknowledged;
    }

    private static void refuse(ByteBuffer answer) throws IOException {
        WireReader reader = new WireReader(answer);
        var _ = ResponseHeader.read(reader, (short) 1);
        ProduceResponse response = ProduceResponse.read(reader, ProduceResponse.HIGHEST_VERSION);
        PartitionProduceResponse partition =
                response.responses().getFirst().partitionResponses().getFirst();
        throw new IOException(
                "a batch for partition %d was refused: %s (%s)"
                        .formatted(
                                partition.index(),
                                ErrorCode.forCode(partition.errorCode()),
                                partition.errorMessage()));
    }
}
