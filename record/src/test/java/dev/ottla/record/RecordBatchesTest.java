package dev.ottla.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ottla.record.RecordBatches.Fault;
import dev.ottla.record.RecordBatches.Step;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RecordBatchesTest {
    @Test
    void walksBatchesAndEndsExactly() {
        ByteBuffer two = concatenated(batch(0, "a", "b"), batch(2, "c"));

        RecordBatches batches = RecordBatches.in(two);

        assertThat(batches.next())
                .isInstanceOfSatisfying(
                        Step.Batch.class, s -> assertThat(s.batch().lastOffset()).isEqualTo(1));
        assertThat(batches.next())
                .isInstanceOfSatisfying(
                        Step.Batch.class, s -> assertThat(s.batch().baseOffset()).isEqualTo(2));
        assertThat(batches.next()).isEqualTo(new Step.End(two.limit()));
        assertThat(batches.next()).isEqualTo(new Step.End(two.limit()));
    }

    @Test
    void startsAtThePositionOfTheBuffer() {
        ByteBuffer two = concatenated(batch(0, "a", "b"), batch(2, "c"));
        int second = RecordBatch.at(two, 0).sizeBytes();

        List<Long> offsets = new ArrayList<>();
        for (RecordBatch batch : RecordBatches.in(two.position(second))) {
            offsets.add(batch.baseOffset());
        }

        assertThat(offsets).containsExactly(2L);
        assertThat(RecordBatches.in(two).next())
                .isInstanceOfSatisfying(
                        Step.Batch.class, s -> assertThat(s.batch().position()).isEqualTo(second));
    }

    @Test
    void everyCutOfABatchIsPartial() {
        ByteBuffer whole = batch(0, "a", "b");
        for (int cut = 1; cut < whole.limit(); cut++) {
            int needed =
                    cut < RecordBatch.LENGTH_PREFIX_BYTES
                            ? RecordBatch.HEADER_BYTES
                            : whole.limit();

            assertThat(RecordBatches.in(whole.slice(0, cut)).next())
                    .isEqualTo(new Step.Partial(0, cut, needed));
            assertThat(RecordBatches.in(whole.slice(0, cut))).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {Integer.MIN_VALUE, -1, 0, 48, Integer.MAX_VALUE - 11, Integer.MAX_VALUE})
    void lengthsThatCannotBeAreMalformed(int length) {
        ByteBuffer batch = batch(0, "a");
        batch.putInt(RecordBatch.LENGTH, length);

        assertThat(RecordBatches.in(batch).next())
                .isEqualTo(new Step.Malformed(0, Fault.LENGTH, length));
        assertThatThrownBy(() -> RecordBatch.at(batch, 0))
                .isInstanceOf(MalformedRecordsException.class)
                .hasMessageContaining(Integer.toString(length));
    }

    @ParameterizedTest
    @ValueSource(bytes = {0, 1, 3, -1})
    void otherFormatsAreMalformed(byte magic) {
        ByteBuffer batch = batch(0, "a");
        batch.put(RecordBatch.MAGIC_AT, magic);

        assertThat(RecordBatches.in(batch).next())
                .isEqualTo(new Step.Malformed(0, Fault.MAGIC, magic));
        assertThatThrownBy(() -> RecordBatches.in(batch).iterator().next())
                .isInstanceOf(MalformedRecordsException.class)
                .hasMessageContaining("magic " + magic);
    }

    @Test
    void zeroesAreNoBatch() {
        assertThat(RecordBatches.in(ByteBuffer.allocate(100)).next())
                .isInstanceOf(Step.Malformed.class);
    }

    @Test
    void littleEndianBuffersAreReadRight() {
        ByteBuffer batch = batch(5, "a").order(ByteOrder.LITTLE_ENDIAN);

        assertThat(RecordBatch.at(batch, 0).baseOffset()).isEqualTo(5);
        assertThat(RecordBatch.at(batch, 0).isCrcValid()).isTrue();
    }

    @Test
    void anyFlippedBitBreaksTheChecksumOfWhatItCovers() {
        ByteBuffer direct = ByteBuffer.allocateDirect(200).put(batch(0, "some value")).flip();
        RecordBatch batch = RecordBatch.at(direct, 0);
        assertThat(batch.isCrcValid()).isTrue();
        for (int at = RecordBatch.CRC; at < direct.limit(); at++) {
            byte good = direct.get(at);
            direct.put(at, (byte) (good ^ 0x10));

            assertThat(batch.isCrcValid()).as("byte %d", at).isFalse();
            direct.put(at, good);
        }
    }

    @Test
    void offsetsAndLeaderEpochLieOutsideTheChecksum() {
        RecordBatch batch = RecordBatch.at(batch(0, "a", "b"), 0);

        batch.assignOffsets(1_000_000_000_000L, 9);

        assertThat(batch.isCrcValid()).isTrue();
        assertThat(batch.lastOffset()).isEqualTo(1_000_000_000_001L);
        assertThat(batch.leaderEpoch()).isEqualTo(9);
    }

    static ByteBuffer batch(long baseOffset, String... values) {
        BatchBuilder builder = new BatchBuilder().baseOffset(baseOffset);
        for (String value : values) {
            builder.append(1_000, null, ByteBuffer.wrap(value.getBytes(StandardCharsets.UTF_8)));
        }
        return builder.build();
    }

    static ByteBuffer concatenated(ByteBuffer... parts) {
        ByteBuffer whole = ByteBuffer.allocate(1 << 16);
        for (ByteBuffer part : parts) {
            whole.put(part.duplicate());
        }
        return whole.flip();
    }
}
