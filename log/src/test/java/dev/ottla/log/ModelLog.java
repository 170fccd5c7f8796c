package dev.ottla.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ottla.log.epoch.EpochEndOffset;
import dev.ottla.log.producer.AppendOrigin;
import dev.ottla.log.producer.ProducerEntry;
import dev.ottla.log.segment.AbortedTransaction;
import dev.ottla.record.BatchBuilder;
import dev.ottla.record.ControlRecords;
import dev.ottla.record.ControlType;
import dev.ottla.record.EndTransactionMarker;
import dev.ottla.record.RecordBatch;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;

/// What one partition was told and what it promised, to hold against what it has after a crash.
final class ModelLog {
    /// A batch that was appended, with the bytes as the log completed them.
    record Appended(long firstOffset, long lastOffset, ByteBuffer bytes) {
        RecordBatch batch() {
            return RecordBatch.at(bytes, 0);
        }
    }

    private static final int PRODUCERS = 4;

    final List<Appended> batches = new ArrayList<>();
    private final int[] nextSequences = new int[PRODUCERS];
    private final boolean[] inTransaction = new boolean[PRODUCERS];
    int leaderEpoch = 1;

    /// Records below it were acknowledged.
    long acknowledgedEnd;

    /// The log was told, and answered, that it starts here.
    long acknowledgedStart;

    /// The furthest start it may have.
    long requestedStart;

    long end() {
        return batches.isEmpty() ? 0 : batches.getLast().lastOffset() + 1;
    }

    // --- appends

    void appendSomething(PartitionLog log, RandomGenerator random, long nowMs) {
        int choice = random.nextInt(10);
        if (choice < 5) {
            int producer = random.nextInt(PRODUCERS);
            appendData(log, random, nowMs, producer);
        } else if (choice == 5) {
            int producer = random.nextInt(PRODUCERS);
            if (inTransaction[producer]) {
                endTransaction(log, producer, random.nextBoolean(), nowMs);
            }
        } else {
            append(log, Batches.of(nowMs, values(random)), AppendOrigin.CLIENT, nowMs);
        }
    }

    /// Producers with an odd number are transactional.
    private void appendData(PartitionLog log, RandomGenerator random, long nowMs, int producer) {
        boolean transactional = producer % 2 == 1;
        String[] values = values(random);
        BatchBuilder builder =
                new BatchBuilder()
                        .producer(producer, (short) 0, nextSequences[producer])
                        .transactional(transactional);
        if (append(log, Batches.of(builder, nowMs, values), AppendOrigin.CLIENT, nowMs)) {
            nextSequences[producer] += values.length;
            inTransaction[producer] |= transactional;
        }
    }

    private void endTransaction(PartitionLog log, int producer, boolean commit, long nowMs) {
        ByteBuffer marker =
                ControlRecords.endTransactionBatch(
                        new EndTransactionMarker(commit, 0), producer, (short) 0, nowMs);
        if (append(log, marker, AppendOrigin.COORDINATOR, nowMs)) {
            inTransaction[producer] = false;
        }
    }

    private static String[] values(RandomGenerator random) {
        String[] values = new String[1 + random.nextInt(3)];
        for (int i = 0; i < values.length; i++) {
            values[i] = Long.toString(random.nextLong() >>> 1, 36).repeat(random.nextInt(1, 6));
        }
        return values;
    }

    private boolean append(PartitionLog log, ByteBuffer bytes, AppendOrigin origin, long nowMs) {
        return switch (log.append(bytes, leaderEpoch, origin, nowMs)) {
            case AppendOutcome.Appended(long first, long last) -> {
                assertThat(first).isEqualTo(end());
                batches.add(new Appended(first, last, bytes));
                yield true;
            }
            case AppendOutcome.Offline _ -> false;
            case AppendOutcome other -> throw new AssertionError(other.toString());
        };
    }

    /// Forgets batches from an offset on, and what their producers sent with them.
    void truncate(long end) {
        batches.removeIf(batch -> batch.lastOffset() >= end);
        acknowledgedEnd = Math.min(acknowledgedEnd, end);
        for (int producer = 0; producer < PRODUCERS; producer++) {
            nextSequences[producer] = 0;
            inTransaction[producer] = false;
        }
        for (Appended appended : batches) {
            RecordBatch batch = appended.batch();
            if (batch.producerId() >= 0) {
                int producer = (int) batch.producerId();
                if (batch.isControl()) {
                    inTransaction[producer] = false;
                } else {
                    nextSequences[producer] = batch.lastSequence() + 1;
                    inTransaction[producer] = batch.isTransactional();
                }
            }
        }
    }

    // --- verification

    /// What is in the log is the beginning of what was appended, with all that was acknowledged.
    void verify(PartitionLog log, RandomGenerator random) throws IOException {
        long start = log.logStartOffset();
        long end = log.logEndOffset();
        assertThat(end)
                .as("end offset of %s", log)
                .isBetween(acknowledgedEnd, Math.max(end(), acknowledgedEnd));
        // A log of which nothing was acknowledged may have lost its beginning instead of its end.
        long latestStart = acknowledgedEnd > requestedStart ? requestedStart : end;
        assertThat(start)
                .as("start offset of %s", log)
                .isBetween(acknowledgedStart, Math.max(requestedStart, latestStart));
        requestedStart = Math.max(requestedStart, start);
        List<Appended> expected =
                batches.stream()
                        .filter(b -> b.lastOffset() >= start && b.firstOffset() < end)
                        .toList();
        if (!expected.isEmpty()) {
            assertThat(expected.getLast().lastOffset())
                    .as("whole batches in %s", log)
                    .isEqualTo(end - 1);
        }
        verifyContent(log, expected);
        verifyRandomReads(log, expected, random);
        verifyEpochs(log, expected);
        truncate(end);
        verifyProducers(log, start);
        verifyTransactions(log, start, end);
    }

    private static void verifyContent(PartitionLog log, List<Appended> expected)
            throws IOException {
        List<RecordBatch> found = LogContent.batches(log, log.logStartOffset(), 10_000);
        assertThat(found).as("batches in %s", log).hasSameSizeAs(expected);
        for (int i = 0; i < found.size(); i++) {
            assertThat(found.get(i).bytes())
                    .as("batch %d of %s", i, log)
                    .isEqualTo(expected.get(i).bytes());
        }
    }

    private static void verifyRandomReads(
            PartitionLog log, List<Appended> expected, RandomGenerator random) throws IOException {
        for (int i = 0; i < 4 && !expected.isEmpty(); i++) {
            Appended wanted = expected.get(random.nextInt(expected.size()));
            long low = Math.max(wanted.firstOffset(), log.logStartOffset());
            long offset = low + random.nextLong(wanted.lastOffset() - low + 1);
            ReadOutcome outcome = log.read(offset, 1, Long.MAX_VALUE, true);
            assertThat(outcome)
                    .as("read at %d of %s", offset, log)
                    .isInstanceOf(ReadOutcome.Batches.class);
            LogSlice slice = ((ReadOutcome.Batches) outcome).slice();
            assertThat(slice.readAll())
                    .as("read at %d of %s", offset, log)
                    .isEqualTo(wanted.bytes());
            slice.release();

            long timestamp = wanted.batch().maxTimestamp();
            long first =
                    expected.stream()
                            .filter(b -> b.batch().maxTimestamp() >= timestamp)
                            .mapToLong(Appended::firstOffset)
                            .findFirst()
                            .orElseThrow();
            assertThat(
                            LogContent.found(log.offsetForTimestamp(timestamp, Long.MAX_VALUE))
                                    .map(TimestampedOffset::offset))
                    .as("offset for %d of %s", timestamp, log)
                    .contains(Math.max(first, log.logStartOffset()));
        }
    }

    private static void verifyEpochs(PartitionLog log, List<Appended> expected) {
        Map<Integer, Long> ends = new HashMap<>();
        for (Appended appended : expected) {
            ends.put(appended.batch().leaderEpoch(), appended.lastOffset() + 1);
        }
        ends.forEach((epoch, end) ->
                assertThat(LogContent.found(log.endOffsetForEpoch(epoch)))
                        .as("epoch %d of %s", epoch, log)
                        .isEqualTo(new EpochEndOffset(epoch, end)));
    }

    void verifyProducers(PartitionLog log, long start) {
        Map<Long, ProducerEntry> known = new HashMap<>();
        LogContent.found(log.activeProducers())
                .forEach(entry -> known.put(entry.producerId(), entry));
        for (int producer = 0; producer < PRODUCERS; producer++) {
            Optional<RecordBatch> last = Optional.empty();
            for (Appended appended : batches) {
                RecordBatch batch = appended.batch();
                if (batch.producerId() == producer && !batch.isControl()) {
                    last = Optional.of(batch);
                }
            }
            ProducerEntry entry = known.get((long) producer);
            if (last.isPresent() && last.get().lastOffset() >= start) {
                if (entry == null) {
                    throw new AssertionError("producer " + producer + " is unknown to " + log);
                }
                assertThat(entry.lastSequence())
                        .as("of producer %d", producer)
                        .isEqualTo(last.get().lastSequence());
                assertThat(entry.lastOffset())
                        .as("of producer %d", producer)
                        .isEqualTo(last.get().lastOffset());
            } else if (entry != null) {
                assertThat(entry.lastOffset())
                        .as("of producer %d", producer)
                        .isLessThan(Math.max(start, 1));
                nextSequences[producer] = entry.lastSequence() + 1;
            } else {
                nextSequences[producer] = 0;
            }
        }
    }

    private void verifyTransactions(PartitionLog log, long start, long end) {
        Map<Long, Long> open = new HashMap<>();
        List<String> expected = new ArrayList<>();
        for (Appended appended : batches) {
            RecordBatch batch = appended.batch();
            if (batch.isControl()) {
                Long first = open.remove(batch.producerId());
                boolean abort = ControlRecords.typeOf(batch) == ControlType.ABORT;
                if (first != null && abort && batch.baseOffset() >= start) {
                    expected.add(batch.producerId() + ":" + first + "-" + batch.baseOffset());
                }
            } else if (batch.isTransactional()) {
                open.putIfAbsent(batch.producerId(), batch.baseOffset());
            }
        }
        List<String> found = new ArrayList<>();
        for (AbortedTransaction aborted : LogContent.found(log.abortedTransactions(start, end))) {
            found.add(
                    aborted.producerId()
                            + ":"
                            + aborted.firstOffset()
                            + "-"
                            + aborted.lastOffset());
        }
        // Of a transaction that began before the start nothing certain is known.
        assertThat(found)
                .as("aborted transactions of %s", log)
                .containsAll(expected.stream().filter(t -> firstOffset(t) >= start).toList());
        long firstOpen =
                open.values().stream()
                        .mapToLong(Long::longValue)
                        .filter(o -> o >= start)
                        .min()
                        .orElse(end);
        assertThat(log.lastStableOffset(end))
                .as("last stable offset of %s", log)
                .isLessThanOrEqualTo(firstOpen);
    }

    private static long firstOffset(String transaction) {
        return Long.parseLong(
                transaction.substring(transaction.indexOf(':') + 1, transaction.indexOf('-')));
    }
}
