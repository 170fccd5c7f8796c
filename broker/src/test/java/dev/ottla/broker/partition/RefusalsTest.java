package dev.ottla.broker.partition;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ottla.record.BatchBuilder;
import dev.ottla.record.RecordBatch;
import dev.ottla.wire.ErrorCode;
import dev.ottla.wire.Uuid;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class RefusalsTest {
    private static final PartitionKey PARTITION = new PartitionKey(new Uuid(1, 1), 0);
    private static final PartitionError FIRST =
            new PartitionError(ErrorCode.NOT_ENOUGH_REPLICAS, "one is missing");
    private static final PartitionError SECOND =
            new PartitionError(ErrorCode.NOT_LEADER_OR_FOLLOWER, "another one leads");
    private static final long SECOND_NS = 1_000_000_000;

    private final Refusals refusals = new Refusals();

    @Test
    void onlyLaterBatchesOfTheSameProducerAndPartitionAreHeldUp() {
        refusals.add(PARTITION, batch(7, 0, 10), FIRST, 0);

        assertThat(refusals.reason(PARTITION, batch(7, 0, 11), 0)).contains(FIRST);
        assertThat(refusals.reason(PARTITION, batch(7, 0, 10), 0)).isEmpty();
        assertThat(refusals.reason(PARTITION, batch(7, 0, 5), 0)).isEmpty();
        assertThat(refusals.reason(PARTITION, batch(7, 1, 0), 0)).isEmpty();
        assertThat(refusals.reason(PARTITION, batch(8, 0, 11), 0)).isEmpty();
        assertThat(refusals.reason(new PartitionKey(new Uuid(1, 1), 1), batch(7, 0, 11), 0))
                .isEmpty();
    }

    @Test
    void theFirstOfSeveralCounts() {
        refusals.add(PARTITION, batch(7, 0, 10), FIRST, 0);
        refusals.add(PARTITION, batch(7, 0, 20), SECOND, 0);
        assertThat(refusals.reason(PARTITION, batch(7, 0, 15), 0)).contains(FIRST);

        refusals.add(PARTITION, batch(7, 0, 10), SECOND, 0);
        assertThat(refusals.reason(PARTITION, batch(7, 0, 15), 0)).contains(SECOND);
    }

    @Test
    void sequencesGoOnAtZero() {
        refusals.add(PARTITION, batch(7, 0, Integer.MAX_VALUE - 1), FIRST, 0);

        assertThat(refusals.reason(PARTITION, batch(7, 0, 3), 0)).contains(FIRST);
    }

    @Test
    void whatWasTakenOrIsLongAgoIsForgotten() {
        refusals.add(PARTITION, batch(7, 0, 10), FIRST, 0);
        refusals.add(PARTITION, batch(8, 0, 10), FIRST, 0);

        refusals.remove(PARTITION, batch(7, 0, 10));

        assertThat(refusals.reason(PARTITION, batch(7, 0, 11), 0)).isEmpty();
        assertThat(refusals.reason(PARTITION, batch(8, 0, 11), 4 * SECOND_NS)).contains(FIRST);
        assertThat(refusals.reason(PARTITION, batch(8, 0, 11), 6 * SECOND_NS)).isEmpty();
        assertThat(refusals.isEmpty()).isTrue();
    }

    @Test
    void producersWithoutSequencesAndTooManyOthersAreNotKept() {
        refusals.add(PARTITION, batch(-1, -1, -1), FIRST, 0);
        assertThat(refusals.isEmpty()).isTrue();

        for (int id = 0; id < 10_000; id++) {
            refusals.add(PARTITION, batch(id, 0, 10), FIRST, 0);
        }
        assertThat(refusals.reason(PARTITION, batch(0, 0, 11), 0)).isEmpty();
        assertThat(refusals.reason(PARTITION, batch(9_999, 0, 11), 0)).contains(FIRST);
    }

    private static RecordBatch batch(long producerId, int epoch, int sequence) {
        ByteBuffer bytes =
                new BatchBuilder()
                        .producer(producerId, (short) epoch, sequence)
                        .append(1, null, ByteBuffer.allocate(1))
                        .build();
        return RecordBatch.at(bytes, bytes.position());
    }
}
