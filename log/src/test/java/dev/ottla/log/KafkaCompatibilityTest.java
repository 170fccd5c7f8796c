package dev.ottla.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ottla.log.disk.DiskIo;
import dev.ottla.log.disk.FileDisk;
import dev.ottla.log.producer.AppendOrigin;
import dev.ottla.log.producer.ProducerEntry;
import dev.ottla.record.BatchBuilder;
import dev.ottla.record.Compression;
import dev.ottla.record.ControlRecords;
import dev.ottla.record.EndTransactionMarker;
import dev.ottla.wire.Uuid;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.Stream;
import org.apache.kafka.common.message.AbortedTxn;
import org.apache.kafka.common.message.DescribeProducersResponseData.ProducerState;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.server.common.RequestLocal;
import org.apache.kafka.server.util.KafkaScheduler;
import org.apache.kafka.storage.internals.log.LogDirFailureChannel;
import org.apache.kafka.storage.internals.log.ProducerStateManagerConfig;
import org.apache.kafka.storage.internals.log.UnifiedLog;
import org.apache.kafka.storage.internals.log.VerificationGuard;
import org.apache.kafka.storage.log.metrics.BrokerTopicStats;
import org.apache.kafka.tools.DumpLogSegments;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Holds our directories against Kafka's own classes, in both directions.
final class KafkaCompatibilityTest {
    private static final PartitionId ID =
            new PartitionId(new Uuid(0x1234_5678_9abcL, 42), "orders", 0);
    private static final LogConfig CONFIG =
            LogConfig.builder().segmentBytes(4000).indexIntervalBytes(300).build();
    private static final long NOW = System.currentTimeMillis();

    private static final List<Compression> CODECS = List.of(Compression.values());

    @TempDir Path temporary;

    /// One step of a history that both brokers are given.
    private record Step(ByteBuffer batch, int leaderEpoch, AppendOrigin origin) {}

    /// Plain, compressed, idempotent and transactional batches over three epochs; one transaction
    /// is aborted and one stays open.
    private static List<Step> history() {
        List<Step> steps = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            int epoch = i / 20;
            long timestamp = NOW + 10L * i;
            Compression codec = CODECS.get(i % CODECS.size());
            steps.add(
                    client(
                            Batches.of(
                                    new BatchBuilder().compression(codec),
                                    timestamp,
                                    "plain " + i,
                                    "more " + "x".repeat(50)),
                            epoch));
            steps.add(client(Batches.of(producer(7, i), timestamp, "idempotent " + i), epoch));
            steps.add(
                    client(
                            Batches.of(
                                    producer(9, i).transactional(true),
                                    timestamp + 1,
                                    "transactional " + i),
                            epoch));
            if (i % 10 == 9 && i < 50) {
                ByteBuffer marker =
                        ControlRecords.endTransactionBatch(
                                new EndTransactionMarker(i % 20 == 9, 3),
                                9,
                                (short) 0,
                                timestamp + 2);
                steps.add(new Step(marker, epoch, AppendOrigin.COORDINATOR));
            }
        }
        return steps;
    }

    private static Step client(ByteBuffer batch, int epoch) {
        return new Step(batch, epoch, AppendOrigin.CLIENT);
    }

    private static BatchBuilder producer(long id, int sequence) {
        return new BatchBuilder().producer(id, (short) 0, sequence);
    }

    private ManualShard owner() throws IOException {
        ManualShard owner = new ManualShard(new FileDisk(), temporary);
        owner.nowMs = NOW;
        return owner;
    }

    private void writeOurs() throws IOException {
        ManualShard owner = owner();
        PartitionLog log = owner.loaded(ID, CONFIG);
        for (Step step : history()) {
            assertThat(log.append(step.batch(), step.leaderEpoch(), step.origin(), NOW))
                    .isInstanceOf(AppendOutcome.Appended.class);
            owner.settle();
        }
        owner.closeAll(log);
    }

    // --- Kafka reads ours

    @Test
    void kafkaDumpLogReadsOurFilesWithoutComplaint() throws IOException {
        writeOurs();
        Path directory = temporary.resolve(ID.directoryName());

        assertThat(files(directory, ".log")).hasSizeGreaterThan(3);
        for (String suffix : List.of(".log", ".index", ".timeindex", ".txnindex", ".snapshot")) {
            List<Path> files = files(directory, suffix);
            assertThat(files).as(suffix).isNotEmpty();
            String out = dump("--deep-iteration", "--print-data-log", "--files", joined(files));
            assertThat(out).as(suffix).contains("Dumping").doesNotContainIgnoringCase("mismatch");
            assertThat(out)
                    .as(suffix)
                    .doesNotContain("isvalid: false")
                    .doesNotContain("not found")
                    .doesNotContain("out of order")
                    .doesNotContain("Non-consecutive")
                    .doesNotContainIgnoringCase("corrupt");
        }
        List<Path> indexes = new ArrayList<>(files(directory, ".index"));
        indexes.addAll(files(directory, ".timeindex"));
        assertThat(
                        dump("--index-sanity-check", "--files", joined(indexes))
                                .split("passed sanity check", -1))
                .hasSize(indexes.size() + 1);
        assertThat(dump("--print-data-log", "--files", joined(files(directory, ".log"))))
                .contains("payload: idempotent 59", "endTxnMarker: ABORT");
    }

    @Test
    void kafkaOpensOurDirectory() throws Exception {
        writeOurs();
        ManualShard owner = owner();
        PartitionLog ours = owner.loaded(ID, CONFIG);

        UnifiedLog kafkas = kafkaLog(true, ours.recoveryPoint());

        assertSame(ours, kafkas);
        kafkas.close();
    }

    // --- we read Kafka's

    @Test
    void weOpenADirectoryThatKafkaClosedInOrder() throws Exception {
        UnifiedLog kafkas = writeKafkas();
        long end = kafkas.logEndOffset();
        kafkas.prepareActiveSegmentForClose();
        kafkas.flush(true);
        kafkas.close();
        checkpointOfKafka(end);
        Files.writeString(
                temporary.resolve(".kafka_cleanshutdown"), "{\"version\":0,\"brokerEpoch\":5}");

        ManualShard owner = owner();
        assertThat(owner.directory.wasClean()).isTrue();
        assertThat(owner.directory.storedPartitions())
                .containsExactly(
                        new DataDirectory.StoredPartition("orders", 0, Optional.of(ID.topicId())));
        LoadOutcome outcome = owner.load(ID, CONFIG, new LogListener() {});
        assertThat(outcome).isInstanceOf(LoadOutcome.Ready.class);
        assertThat(((LoadOutcome.Ready) outcome).repairs()).isEmpty();
        PartitionLog ours = ((LoadOutcome.Ready) outcome).log();

        assertThat(owner.directory.progress().bytesScanned()).isZero();
        assertSame(ours, kafkaLog(true, end));
    }

    @Test
    void weRecoverADirectoryThatKafkaLeftBehind() throws Exception {
        UnifiedLog kafkas = writeKafkas();
        kafkas.flush(true);

        // Not closed: indexes are preallocated, no snapshot at the end, no checkpoint.
        ManualShard owner = owner();
        PartitionLog ours = owner.loaded(ID, CONFIG);

        assertThat(owner.directory.progress().bytesScanned()).isPositive();
        assertSame(ours, kafkas);
        kafkas.close();
    }

    @Test
    void weRecoverADirectoryThatKafkaLeftBehindFromItsRecoveryPoint() throws Exception {
        UnifiedLog kafkas = writeKafkas();
        kafkas.flush(true);
        checkpointOfKafka(kafkas.logEndOffset() - 31);

        PartitionLog ours = owner().loaded(ID, CONFIG);

        assertSame(ours, kafkas);
        kafkas.close();
    }

    private void checkpointOfKafka(long recoveryPoint) throws IOException {
        DiskIo.replaceText(
                new FileDisk(),
                temporary.resolve("recovery-point-offset-checkpoint"),
                "0\n1\norders 0 " + recoveryPoint + "\n");
    }

    private UnifiedLog writeKafkas() throws Exception {
        UnifiedLog kafkas = kafkaLog(true, 0);
        for (Step step : history()) {
            kafkas.appendAsLeader(
                    MemoryRecords.readableRecords(step.batch()),
                    step.leaderEpoch(),
                    step.origin() == AppendOrigin.CLIENT
                            ? org.apache.kafka.storage.internals.log.AppendOrigin.CLIENT
                            : org.apache.kafka.storage.internals.log.AppendOrigin.COORDINATOR,
                    RequestLocal.noCaching(),
                    VerificationGuard.SENTINEL,
                    (short) 1);
        }
        return kafkas;
    }

    private UnifiedLog kafkaLog(boolean clean, long recoveryPoint) throws IOException {
        Path directory = temporary.resolve(ID.directoryName());
        Files.createDirectories(directory);
        Properties properties = new Properties();
        properties.put("segment.bytes", "1048576");
        properties.put("internal.segment.bytes", "4000");
        properties.put("index.interval.bytes", "300");
        return UnifiedLog.create(
                directory.toFile(),
                new org.apache.kafka.storage.internals.log.LogConfig(properties),
                0,
                recoveryPoint,
                new KafkaScheduler(1),
                new BrokerTopicStats(),
                Time.SYSTEM,
                3_600_000,
                new ProducerStateManagerConfig(86_400_000, false),
                600_000,
                new LogDirFailureChannel(5),
                clean,
                Optional.of(org.apache.kafka.common.Uuid.fromString(ID.topicId().toString())));
    }

    private static void assertSame(PartitionLog ours, UnifiedLog kafkas) throws IOException {
        assertThat(ours.logStartOffset()).isEqualTo(kafkas.logStartOffset());
        assertThat(ours.logEndOffset()).isEqualTo(kafkas.logEndOffset());
        assertThat(ours.segmentCount()).isEqualTo(kafkas.logSegments().size());
        List<String> records = LogContent.records(ours, 0, 5000);
        long markers =
                history().stream().filter(step -> step.origin() != AppendOrigin.CLIENT).count();
        assertThat(records).hasSize((int) ours.logEndOffset()).contains("0:plain 0");
        assertThat(markers).isEqualTo(5);

        kafkas.updateHighWatermark(kafkas.logEndOffset());
        assertThat(ours.lastStableOffset(ours.logEndOffset())).isEqualTo(kafkas.lastStableOffset());
        assertThat(
                        LogContent.found(ours.abortedTransactions(0, ours.logEndOffset())).stream()
                                .map(aborted -> aborted.producerId() + "@" + aborted.firstOffset()))
                .containsExactlyElementsOf(aborted(kafkas));
        for (int epoch = 0; epoch < 4; epoch++) {
            var end = kafkas.leaderEpochCache().endOffsetFor(epoch, kafkas.logEndOffset());
            assertThat(LogContent.found(ours.endOffsetForEpoch(epoch)).endOffset())
                    .isEqualTo(end.getValue());
        }
        for (long timestamp = NOW - 5; timestamp < NOW + 620; timestamp += 7) {
            var found =
                    kafkas.fetchOffsetByTimestamp(timestamp, Optional.empty())
                            .timestampAndOffsetOpt();
            assertThat(
                            LogContent.found(ours.offsetForTimestamp(timestamp, Long.MAX_VALUE))
                                    .map(TimestampedOffset::offset))
                    .isEqualTo(found.map(at -> at.offset));
        }
        assertThat(producers(LogContent.found(ours.activeProducers())))
                .isEqualTo(kafkaProducers(kafkas.activeProducers()));
    }

    private static List<String> aborted(UnifiedLog kafkas) throws IOException {
        List<String> transactions = new ArrayList<>();
        for (AbortedTxn aborted : kafkas.collectAbortedTransactions(0, kafkas.logEndOffset())) {
            transactions.add(aborted.producerId() + "@" + aborted.firstOffset());
        }
        return transactions;
    }

    private static Map<Long, String> producers(Collection<ProducerEntry> entries) {
        Map<Long, String> producers = new HashMap<>();
        for (ProducerEntry entry : entries) {
            producers.put(
                    entry.producerId(),
                    "epoch %d sequence %d timestamp %d coordinator %d transaction %d"
                            .formatted(
                                    entry.producerEpoch(),
                                    entry.lastSequence(),
                                    entry.lastTimestamp(),
                                    entry.coordinatorEpoch(),
                                    entry.currentTransactionFirstOffset()));
        }
        return producers;
    }

    private static Map<Long, String> kafkaProducers(List<ProducerState> states) {
        Map<Long, String> producers = new HashMap<>();
        for (ProducerState state : states) {
            producers.put(
                    state.producerId(),
                    "epoch %d sequence %d timestamp %d coordinator %d transaction %d"
                            .formatted(
                                    state.producerEpoch(),
                                    state.lastSequence(),
                                    state.lastTimestamp(),
                                    state.coordinatorEpoch(),
                                    state.currentTxnStartOffset()));
        }
        return producers;
    }

    // --- the tool

    private static List<Path> files(Path directory, String suffix) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.toString().endsWith(suffix)).sorted().toList();
        }
    }

    private static String joined(List<Path> files) {
        return String.join(",", files.stream().map(Path::toString).toList());
    }

    private static String dump(String... arguments) throws IOException {
        PrintStream before = System.out;
        ByteArrayOutputStream captured = new ByteArrayOutputStream();
        System.setOut(new PrintStream(captured, true, StandardCharsets.UTF_8));
        try {
            DumpLogSegments.main(arguments);
        } finally {
            System.setOut(before);
        }
        return captured.toString(StandardCharsets.UTF_8);
    }
}
