package dev.ottla.broker.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ottla.broker.partition.PartitionKey;
import dev.ottla.wire.BufferRecords;
import dev.ottla.wire.ErrorCode;
import dev.ottla.wire.Uuid;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class FetchSessionsTest {
    private static final Uuid TOPIC = new Uuid(7, 7);

    private long nowNs;
    private final FetchSessions sessions =
            new FetchSessions(4, () -> 2, () -> nowNs, new Random(1));

    @Test
    void sessionTellsOnlyChanges() {
        int id = begin(0, target(0, 10), target(1, 20));

        FetchContext.Answer nothingNew =
                next(id, 1, List.of(), part(0, 10, 10, 0), part(1, 20, 20, 0));
        assertThat(nothingNew.sessionId()).isEqualTo(id);
        assertThat(nothingNew.parts()).isEmpty();

        FetchContext.Answer records =
                next(id, 2, List.of(), part(0, 10, 12, 5), part(1, 20, 20, 0));
        assertThat(records.parts())
                .extracting(part -> part.target().partition())
                .containsExactly(0);

        FetchContext.Answer onlyHighWatermark =
                next(id, 3, List.of(), part(0, 10, 12, 0), part(1, 20, 21, 0));
        assertThat(onlyHighWatermark.parts())
                .extracting(part -> part.target().partition())
                .containsExactly(1);
    }

    @Test
    void partitionWithErrorIsToldEachTimeAndOnceMoreWhenItIsGone() {
        int id = begin(0, target(0, 10));
        FetchPart failed = part(0, 10, -1, 0);
        failed.fail(ErrorCode.KAFKA_STORAGE_ERROR, "planned");

        assertThat(next(id, 1, List.of(), failed).parts()).hasSize(1);
        assertThat(next(id, 2, List.of(), failed).parts()).hasSize(1);
        assertThat(next(id, 3, List.of(), part(0, 10, 10, 0)).parts()).hasSize(1);
        assertThat(next(id, 4, List.of(), part(0, 10, 10, 0)).parts()).isEmpty();
    }

    @Test
    void partitionsWithRecordsGoToTheBack() {
        int id = begin(0, target(0, 0), target(1, 0), target(2, 0));

        next(id, 1, List.of(), part(0, 0, 5, 9), part(1, 0, 0, 0), part(2, 0, 0, 0));

        assertThat(open(id, 2, List.of()).targets())
                .extracting(FetchTarget::partition)
                .containsExactly(1, 2, 0);
    }

    @Test
    void changedAndForgottenPartitionsAreKept() {
        int id = begin(0, target(0, 10), target(1, 20));

        FetchContext context =
                sessions.open(
                        0,
                        new FetchSessions.Request(
                                id,
                                1,
                                true,
                                List.of(target(1, 25), target(2, 0)),
                                List.of(target(0, 10).sessionKey())));

        assertThat(context.targets()).containsExactly(target(1, 25), target(2, 0));
    }

    @Test
    void wrongEpochAndUnknownSessionAreRefused() {
        int id = begin(0, target(0, 10));

        assertThat(open(id, 2, List.of()))
                .isEqualTo(new FetchContext.Refused(ErrorCode.INVALID_FETCH_SESSION_EPOCH));
        assertThat(open(id + 2, 1, List.of()))
                .isEqualTo(new FetchContext.Refused(ErrorCode.FETCH_SESSION_ID_NOT_FOUND));
        assertThat(sessions.open(0, new FetchSessions.Request(id, 1, false, List.of(), List.of())))
                .isEqualTo(new FetchContext.Refused(ErrorCode.FETCH_SESSION_TOPIC_ID_ERROR));
    }

    @Test
    void sessionEndsWithItsLastPartition() {
        int id = begin(0, target(0, 10));

        FetchContext context =
                sessions.open(
                        0,
                        new FetchSessions.Request(
                                id, 1, true, List.of(), List.of(target(0, 10).sessionKey())));

        assertThat(context).isEqualTo(new FetchContext.Sessionless(List.of()));
        assertThat(open(id, 2, List.of())).isInstanceOf(FetchContext.Refused.class);
    }

    @Test
    void fullCacheGivesItsOldestSlotOnlyAfterALongSilence() {
        int first = begin(0, target(0, 1));
        int second = begin(0, target(0, 1));
        assertThat(first).isNotZero();
        assertThat(second).isNotZero();

        assertThat(begin(0, target(0, 1))).isZero();
        nowNs += TimeUnit.MINUTES.toNanos(1);
        open(first, 1, List.of());
        nowNs += TimeUnit.MINUTES.toNanos(1);
        assertThat(begin(0, target(0, 1))).isNotZero();

        assertThat(open(second, 1, List.of())).isInstanceOf(FetchContext.Refused.class);
        assertThat(open(first, 2, List.of())).isInstanceOf(FetchContext.Incremental.class);
    }

    @Test
    void sessionIdNamesItsLoop() {
        assertThat(sessions.loopOf(begin(0, target(0, 1)))).isZero();
        assertThat(sessions.loopOf(begin(1, target(0, 1)))).isEqualTo(1);
    }

    private int begin(int loop, FetchTarget... targets) {
        FetchContext context =
                sessions.open(
                        loop, new FetchSessions.Request(0, 0, true, List.of(targets), List.of()));
        List<FetchPart> parts = new ArrayList<>();
        for (FetchTarget target : targets) {
            parts.add(part(target.partition(), target.fetchOffset(), target.fetchOffset(), 0));
        }
        return context.answer(parts).sessionId();
    }

    private FetchContext open(int id, int epoch, List<FetchTarget> changed) {
        return sessions.open(0, new FetchSessions.Request(id, epoch, true, changed, List.of()));
    }

    private FetchContext.Answer next(
            int id, int epoch, List<FetchTarget> changed, FetchPart... parts) {
        return open(id, epoch, changed).answer(List.of(parts));
    }

    private static FetchTarget target(int partition, long offset) {
        return new FetchTarget(TOPIC, "", partition, -1, offset, -1, -1, 1000);
    }

    private static FetchPart part(int partition, long offset, long highWatermark, int bytes) {
        FetchPart part =
                new FetchPart(target(partition, offset), new PartitionKey(TOPIC, partition));
        part.ends(highWatermark, highWatermark, 0);
        part.records(new BufferRecords(ByteBuffer.allocate(bytes)));
        return part;
    }
}
