package dev.ottla.broker.produce;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ottla.broker.handler.TestMetadata;
import dev.ottla.broker.partition.PartitionError;
import dev.ottla.broker.partition.PartitionKey;
import dev.ottla.broker.partition.TestShards;
import dev.ottla.broker.produce.ProduceOperation.Answer;
import dev.ottla.broker.request.RequestMemory;
import dev.ottla.log.disk.FakeDisk;
import dev.ottla.metadata.image.ClusterImage;
import dev.ottla.metadata.image.ImageDelta;
import dev.ottla.record.BatchBuilder;
import dev.ottla.wire.ErrorCode;
import dev.ottla.wire.Uuid;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Produce operations over real shards; nothing is synced before the test lets the I/O lane run.
@Timeout(30)
class ProduceShardsTest {
    private static final int PARTITIONS = 32;
    private static final int PATIENT_MS = 60_000;
    private static final int IMPATIENT_MS = 50;

    private final TestMetadata metadata = new TestMetadata(2, TestShards.DIRECTORY);
    private final BlockingQueue<Runnable> lane = new LinkedBlockingQueue<>();
    private final AtomicInteger answers = new AtomicInteger();
    private final CountDownLatch answered = new CountDownLatch(1);
    private TestShards shards;
    private Uuid topic = Uuid.ZERO;

    @BeforeEach
    void start() throws IOException, InterruptedException {
        metadata.create("orders", Collections.nCopies(PARTITIONS, List.of(1)));
        metadata.create("replicated", List.of(List.of(1, 2)));
        metadata.create("followed", List.of(List.of(2, 1)));
        topic = metadata.image().topic("orders").orElseThrow().id();
        shards = new TestShards(new FakeDisk(), lane::add, 2);
        shards.start(metadata.image(), List.of());
    }

    @AfterEach
    void stop() throws InterruptedException {
        shards.stop();
    }

    @Test
    void timeOutRefusesOnlyWhatWaits() throws InterruptedException {
        ProduceOperation operation = operation(Answer.WHEN_ON_ALL_IN_SYNC_REPLICAS, IMPATIENT_MS);
        ProducePart refusedByLookup = add(operation, unknown());
        ProducePart appended = add(operation, 0);
        ProducePart tooFar = add(operation, 0, producerBatch(0));
        ProducePart outOfOrder = add(operation, 0, producerBatch(9));

        operation.dispatch(shards::owner);
        awaitAnswer();

        assertThat(error(refusedByLookup)).isEqualTo(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION);
        assertThat(error(outOfOrder)).isEqualTo(ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER);
        assertThat(error(appended)).isEqualTo(ErrorCode.REQUEST_TIMED_OUT);
        assertThat(error(tooFar)).isEqualTo(ErrorCode.REQUEST_TIMED_OUT);
        assertThat(operation.hasFailed()).isFalse();
        laneRuns();
        assertThat(answers).hasValue(1);
    }

    /// A producer that hears of a gap gives up for good; the records may be with another leader.
    @Test
    void leaderWhoseFollowersAreNotHeardOfDoesNotSpeakOfAGap() throws InterruptedException {
        shards.unconfirm();
        topic = metadata.image().topic("replicated").orElseThrow().id();
        ProduceOperation operation = operation(Answer.WHEN_IN_LEADERS_LOG, PATIENT_MS);
        ProducePart appended = add(operation, 0, producerBatch(0));
        ProducePart outOfOrder = add(operation, 0, producerBatch(9));

        operation.dispatch(shards::owner);
        awaitAnswer();

        assertThat(appended.error()).isEmpty();
        assertThat(error(outOfOrder)).isEqualTo(ErrorCode.NOT_LEADER_OR_FOLLOWER);
        laneRuns();
    }

    /// What waits for other replicas would wait in vain if another broker leads.
    @Test
    void leaderThatIsCutOffSendsThoseAwayWhoWaitForOthers() throws InterruptedException {
        topic = metadata.image().topic("replicated").orElseThrow().id();
        ProduceOperation before = operation(Answer.WHEN_ON_ALL_IN_SYNC_REPLICAS, PATIENT_MS);
        ProducePart waits = add(before, 0);
        before.dispatch(shards::owner);
        shards.awaitIdle();
        laneRuns();

        shards.managers()
                .forEach(manager -> manager.shard().execute(() -> manager.outOfTouch(true)));
        ProduceOperation after = operation(Answer.WHEN_ON_ALL_IN_SYNC_REPLICAS, PATIENT_MS);
        ProducePart refused = add(after, 0);
        after.dispatch(shards::owner);
        while (answers.get() < 2) {
            shards.awaitIdle();
        }

        assertThat(error(waits)).isEqualTo(ErrorCode.NOT_LEADER_OR_FOLLOWER);
        assertThat(error(refused)).isEqualTo(ErrorCode.NOT_LEADER_OR_FOLLOWER);
        assertThat(waits.baseOffset()).isZero();
        assertThat(refused.baseOffset()).isEqualTo(-1);
        ProduceOperation taken = operation(Answer.WHEN_IN_LEADERS_LOG, PATIENT_MS);
        ProducePart one = add(taken, 0);
        taken.dispatch(shards::owner);
        shards.awaitIdle();
        laneRuns();
        assertThat(one.error()).isEmpty();
    }

    /// A producer sends several batches before it hears of the first, which was refused because
    /// another broker led.
    @Test
    void batchBehindOneThatWasRefusedIsRefusedForTheSameReason() throws InterruptedException {
        topic = metadata.image().topic("followed").orElseThrow().id();
        assertThat(produce(0, 1)).containsOnly(ErrorCode.NOT_LEADER_OR_FOLLOWER);

        lead();

        assertThat(produce(1, 2)).containsOnly(ErrorCode.NOT_LEADER_OR_FOLLOWER);
        assertThat(produce(0, 1, 2)).containsOnly(ErrorCode.NONE);
        assertThat(produce(3)).containsOnly(ErrorCode.NONE);
        assertThat(produce(9)).doesNotContain(ErrorCode.NONE);
    }

    /// Broker 2, which led until now, is gone.
    private void lead() throws InterruptedException {
        ClusterImage before = metadata.image();
        metadata.fence(2);
        ClusterImage after = metadata.image();
        shards.managers()
                .forEach(manager ->
                        manager.shard()
                                .execute(() ->
                                        manager.onImage(ImageDelta.between(before, after), after)));
        shards.awaitIdle();
    }

    /// Sends batches of one producer, each in a request of its own, and returns what they met.
    private List<ErrorCode> produce(int... sequences) throws InterruptedException {
        List<ProducePart> parts = new ArrayList<>();
        for (int sequence : sequences) {
            ProduceOperation operation = operation(Answer.WHEN_IN_LEADERS_LOG, PATIENT_MS);
            parts.add(add(operation, 0, producerBatch(sequence)));
            operation.dispatch(shards::owner);
        }
        shards.awaitIdle();
        laneRuns();
        return parts.stream().map(ProduceShardsTest::error).toList();
    }

    @Test
    void refusedPartDoesNotAnswerForOneThatIsNotOnDisk() throws InterruptedException {
        ProduceOperation operation = operation(Answer.WHEN_ON_ALL_IN_SYNC_REPLICAS, PATIENT_MS);
        ProducePart refused = add(operation, unknown());
        ProducePart appended = add(operation, 0);

        operation.dispatch(shards::owner);
        shards.awaitIdle();
        assertThat(answers).hasValue(0);
        laneRuns();
        awaitAnswer();

        assertThat(error(refused)).isEqualTo(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION);
        assertThat(appended.error()).isEmpty();
        assertThat(appended.baseOffset()).isZero();
    }

    @Test
    void acknowledgementByTheLeaderDoesNotTimeOut() throws InterruptedException {
        ProduceOperation operation = operation(Answer.WHEN_IN_LEADERS_LOG, 0);
        ProducePart appended = add(operation, 0);

        operation.dispatch(shards::owner);
        awaitAnswer();

        assertThat(appended.error()).isEmpty();
    }

    @Test
    void timeOutOfNoTimeStillAppends() throws InterruptedException {
        ProduceOperation late = operation(Answer.WHEN_ON_ALL_IN_SYNC_REPLICAS, 0);
        ProducePart part = add(late, 0);

        late.dispatch(shards::owner);
        awaitAnswer();

        assertThat(error(part)).isEqualTo(ErrorCode.REQUEST_TIMED_OUT);
        assertThat(part.baseOffset()).isZero();
    }

    @Test
    void failureInOneShardIsAnsweredWhenTheOtherIsDone() throws InterruptedException {
        ProduceOperation operation = operation(Answer.WHEN_ON_ALL_IN_SYNC_REPLICAS, PATIENT_MS);
        add(operation, 0);
        int broken = 1;
        while (shards.owners().of(topic, broken) == shards.owners().of(topic, 0)) {
            broken++;
        }
        // A batch that nobody has checked is a bug of whoever dispatches it.
        operation.add(new PartitionKey(topic, broken), ByteBuffer.allocate(0));

        operation.dispatch(shards::owner);
        shards.awaitIdle();
        assertThat(answers).hasValue(0);
        laneRuns();
        awaitAnswer();

        assertThat(operation.hasFailed()).isTrue();
        shards.awaitIdle();
        assertThat(answers).hasValue(1);
    }

    /// A partition that is not there, of the shard of partition 0.
    private int unknown() {
        int number = PARTITIONS;
        while (shards.owners().of(topic, number) != shards.owners().of(topic, 0)) {
            number++;
        }
        return number;
    }

    private ProduceOperation operation(Answer answer, int timeoutMs) {
        return new ProduceOperation(
                answer,
                timeoutMs,
                System.currentTimeMillis(),
                RequestMemory.UNCOUNTED,
                () -> {
                    answers.incrementAndGet();
                    answered.countDown();
                });
    }

    private ProducePart add(ProduceOperation operation, int partition) {
        return add(operation, partition, fill(new BatchBuilder()));
    }

    private ProducePart add(ProduceOperation operation, int partition, ByteBuffer batch) {
        ProducePart part = operation.add(new PartitionKey(topic, partition), batch);
        part.accept(batch, -1);
        return part;
    }

    private void awaitAnswer() throws InterruptedException {
        assertThat(answered.await(10, TimeUnit.SECONDS)).isTrue();
    }

    private void laneRuns() throws InterruptedException {
        do {
            for (Runnable task = lane.poll(); task != null; task = lane.poll()) {
                task.run();
            }
            shards.awaitIdle();
        } while (!lane.isEmpty());
    }

    private static ErrorCode error(ProducePart part) {
        return part.error().map(PartitionError::code).orElse(ErrorCode.NONE);
    }

    private static ByteBuffer producerBatch(int sequence) {
        return fill(new BatchBuilder().producer(77, (short) 0, sequence));
    }

    private static ByteBuffer fill(BatchBuilder builder) {
        return builder.append(1000, null, ByteBuffer.wrap(new byte[] {1, 2, 3})).build();
    }
}
