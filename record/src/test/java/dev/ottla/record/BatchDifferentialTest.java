package dev.ottla.record;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.kafka.common.record.internal.MutableRecordBatch;
import org.junit.jupiter.api.Test;

/// Batches against Kafka's own classes, both ways.
class BatchDifferentialTest {
    private static final int ROUNDS = Boolean.getBoolean("ottla.long") ? 1_000_000 : 500;

    @Test
    void uncompressedBatchesAreByteForByteKafkas() {
        Seed seed = Seed.next("uncompressedBatchesAreByteForByteKafkas");
        for (int round = 0; round < ROUNDS; round++) {
            BatchSettings settings = BatchSettings.random(seed.round(round));
            List<LogRecord> records =
                    RandomRecords.consecutive(seed.round(round), 1 + round % 40, 200);

            ByteBuffer ours = settings.ours(records);
            ByteBuffer theirs = settings.theirs(records);

            assertThat(ours).as("round %d, %s", round, settings).isEqualTo(theirs);
        }
    }

    @Test
    void kafkaReadsOurRecords() {
        Seed seed = Seed.next("kafkaReadsOurRecords");
        for (int round = 0; round < ROUNDS; round++) {
            List<LogRecord> records =
                    RandomRecords.consecutive(seed.round(round), 1 + round % 40, 200);

            ByteBuffer batch = BatchSettings.PLAIN.ours(records);

            assertThat(KafkaRecords.read(batch)).as("round %d", round).isEqualTo(records);
        }
    }

    @Test
    void weReadKafkasBatches() {
        Seed seed = Seed.next("weReadKafkasBatches");
        for (int round = 0; round < ROUNDS; round++) {
            BatchSettings settings = BatchSettings.random(seed.round(round));
            List<LogRecord> records =
                    RandomRecords.consecutive(seed.round(round), 1 + round % 40, 200);
            ByteBuffer theirs = settings.theirs(records);

            RecordBatch batch = RecordBatch.at(theirs, 0);

            assertSameView(batch, KafkaRecords.onlyBatch(theirs), "round " + round);
            assertThat(RecordsOf.batch(batch))
                    .as("round %d", round)
                    .isEqualTo(KafkaRecords.read(theirs));
        }
    }

    @Test
    void patchedBatchesAreKafkas() {
        Seed seed = Seed.next("patchedBatchesAreKafkas");
        for (int round = 0; round < ROUNDS; round++) {
            SplittableRandom random = seed.round(round);
            List<LogRecord> records = RandomRecords.consecutive(random, 1 + round % 40, 50);
            ByteBuffer ours = BatchSettings.PLAIN.ours(records);
            ByteBuffer theirs = BatchSettings.PLAIN.ours(records);
            long baseOffset = random.nextLong(Long.MAX_VALUE / 2);
            long now = random.nextLong(Long.MAX_VALUE / 2);

            RecordBatch batch = RecordBatch.at(ours, 0);
            batch.assignOffsets(baseOffset, round);
            batch.setLogAppendTime(now);

            MutableRecordBatch expected = KafkaRecords.onlyBatch(theirs);
            expected.setLastOffset(baseOffset + records.size() - 1);
            expected.setPartitionLeaderEpoch(round);
            expected.setMaxTimestamp(
                    org.apache.kafka.common.record.TimestampType.LOG_APPEND_TIME, now);
            assertThat(ours).as("round %d", round).isEqualTo(theirs);
            assertThat(batch.isCrcValid()).isTrue();
            assertThat(RecordsOf.batch(batch)).isEqualTo(KafkaRecords.read(theirs));
        }
    }

    private static void assertSameView(RecordBatch ours, MutableRecordBatch theirs, String round) {
        assertThat(ours.isCrcValid()).as(round).isTrue();
        assertThat(Integer.toUnsignedLong(ours.crc())).as(round).isEqualTo(theirs.checksum());
        assertThat(ours.baseOffset()).as(round).isEqualTo(theirs.baseOffset());
        assertThat(ours.lastOffset()).as(round).isEqualTo(theirs.lastOffset());
        assertThat(ours.nextOffset()).as(round).isEqualTo(theirs.nextOffset());
        assertThat(ours.leaderEpoch()).as(round).isEqualTo(theirs.partitionLeaderEpoch());
        assertThat(ours.sizeBytes()).as(round).isEqualTo(theirs.sizeInBytes());
        assertThat(ours.compression().id()).as(round).isEqualTo(theirs.compressionType().id);
        assertThat(ours.timestampType().configName())
                .as(round)
                .isEqualTo(theirs.timestampType().name);
        assertThat(ours.maxTimestamp()).as(round).isEqualTo(theirs.maxTimestamp());
        assertThat(ours.deleteHorizonMs()).as(round).isEqualTo(theirs.deleteHorizonMs());
        assertThat(ours.producerId()).as(round).isEqualTo(theirs.producerId());
        assertThat(ours.producerEpoch()).as(round).isEqualTo(theirs.producerEpoch());
        assertThat(ours.baseSequence()).as(round).isEqualTo(theirs.baseSequence());
        assertThat(ours.lastSequence()).as(round).isEqualTo(theirs.lastSequence());
        assertThat(ours.isTransactional()).as(round).isEqualTo(theirs.isTransactional());
        assertThat(ours.isControl()).as(round).isEqualTo(theirs.isControlBatch());
        assertThat(ours.recordCount()).as(round).isEqualTo(theirs.countOrNull());
    }
}
