package dev.ottla.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ottla.bench.client.Topic;
import dev.ottla.record.Compression;
import dev.ottla.record.RecordBatch;
import dev.ottla.wire.Uuid;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class OrderCheckerTest {
    private static final BatchShape SHAPE = new BatchShape(50, 3, Compression.NONE);

    private final OrderChecker checker = new OrderChecker();

    @Test
    void acceptsEveryStreamInItsOwnOrder() {
        checker.accept(0, 0, batch(SHAPE, 1, 0, 0), 0);
        checker.accept(0, 3, batch(SHAPE, 2, 0, 3), 0);
        checker.accept(0, 6, batch(SHAPE, 1, 3, 6), 0);
        checker.accept(1, 0, batch(SHAPE, 1, 0, 0), 0);

        assertThat(checker.recordCount()).isEqualTo(12);
    }

    @Test
    void countsABatchOnceThatComesInTwoFetches() {
        checker.accept(0, 0, batch(SHAPE, 1, 0, 0), 0);
        checker.accept(0, 2, batch(SHAPE, 1, 0, 0), 0);

        assertThat(checker.recordCount()).isEqualTo(3);
    }

    @Test
    void refusesALostBatch() {
        checker.accept(0, 0, batch(SHAPE, 1, 0, 0), 0);

        assertThatThrownBy(() -> checker.accept(0, 3, batch(SHAPE, 1, 6, 3), 0))
                .hasMessageContaining("record 6 of its stream follows, expected 3");
    }

    @Test
    void refusesABatchStoredTwice() {
        checker.accept(0, 0, batch(SHAPE, 1, 0, 0), 0);

        assertThatThrownBy(() -> checker.accept(0, 3, batch(SHAPE, 1, 0, 3), 0))
                .hasMessageContaining("record 0 of its stream follows, expected 3");
    }

    @Test
    void refusesAGapInOffsets() {
        assertThatThrownBy(() -> checker.accept(4, 0, batch(SHAPE, 1, 0, 2), 0))
                .hasMessageContaining("offset 2 follows, expected 0");
    }

    @Test
    void refusesDamagedBytes() {
        ByteBuffer batch = batch(SHAPE, 1, 0, 0);
        batch.put(batch.limit() - 5, (byte) ~batch.get(batch.limit() - 5));

        assertThatThrownBy(() -> checker.accept(0, 0, batch, 0)).hasMessageContaining("checksum");
    }

    @Test
    void compressedBatchesAreCheckedByTheirHeaders() {
        BatchShape shape = new BatchShape(50, 3, Compression.ZSTD);
        checker.accept(0, 0, batch(shape, 0, 0, 0), 0);
        checker.accept(0, 3, batch(shape, 0, 3, 3), 0);

        assertThat(checker.recordCount()).isEqualTo(6);
        assertThatThrownBy(() -> checker.accept(0, 6, batch(shape, 0, 3, 6), 0))
                .hasMessageContaining("expected 6");
    }

    /// A batch as the broker stores it.
    private static ByteBuffer batch(
            BatchShape shape, int stream, long firstSequence, long baseOffset) {
        PreparedProduce prepared =
                new PreparedProduce(
                        new Topic("t", new Uuid(1, 2), 1),
                        shape,
                        (short) 1,
                        stream,
                        new SplittableRandom(1));
        prepared.patch(0, 0, 0, firstSequence);
        ByteBuffer frame = prepared.bytes(1);
        int batchBytes = shape.build(stream, new SplittableRandom(1)).remaining();
        ByteBuffer stored = ByteBuffer.allocate(batchBytes);
        stored.put(frame.slice(frame.limit() - 3 - batchBytes, batchBytes)).flip();
        RecordBatch.at(stored, 0).assignOffsets(baseOffset, 0);
        return stored;
    }
}
