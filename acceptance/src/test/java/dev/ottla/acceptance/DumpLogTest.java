package dev.ottla.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// Kafka's kafka-dump-log reads the files of the broker without complaint.
@ExtendWith({SharedBroker.class, KafkaTools.Resolver.class})
class DumpLogTest {
    @Test
    void segmentsIndexesAndSnapshotsAreReadable(KafkaTools tools, Clients clients)
            throws IOException {
        Path dataDir = dataDir(clients);
        String topic = clients.topic(1, "segment.bytes", "1048576", "index.interval.bytes", "1000");
        Producer<String, String> producer =
                clients.producer(
                        "batch.size", 4_000, "compression.type", "lz4", "enable.idempotence", true);
        Clients.send(
                producer,
                IntStream.range(0, 3_000)
                        .mapToObj(i -> new ProducerRecord<>(topic, 0, "key" + i, random(i)))
                        .toList());

        Path partition = dataDir.resolve(topic + "-0");
        List<Path> files = files(partition, ".log", ".index", ".timeindex", ".snapshot");
        assertThat(files)
                .extracting(f -> f.toString().replaceAll(".*\\.", ""))
                .contains("log", "index", "timeindex");
        assertThat(files(partition, ".log")).hasSizeGreaterThan(1);
        for (Path file : files) {
            KafkaTools.Result result =
                    tools.run("DumpLogSegments", "--files", file.toString(), "--deep-iteration");
            assertThat(result.exitCode()).as(result.all()).isZero();
            assertThat(
                            result.all()
                                    .lines()
                                    .filter(l ->
                                            !l.startsWith("| off")
                                                    && !(l.startsWith("baseOffset")
                                                            && l.endsWith("true"))))
                    .as(file.toString())
                    .doesNotContain(
                            "Non-consecutive",
                            "Mismatches",
                            "Misaligned",
                            "corrupt",
                            "rror",
                            "xception")
                    .doesNotContain("isvalid: false");
        }
        String first =
                tools.run(
                                "DumpLogSegments",
                                "--files",
                                partition.resolve("00000000000000000000.log").toString(),
                                "--print-data-log")
                        .out();
        assertThat(first)
                .contains("Log starting offset: 0", "compresscodec: lz4", "key: key0 payload: ");
    }

    @Test
    void offsetsAndMetadataAreDecoded(KafkaTools tools, Clients clients) throws IOException {
        Path dataDir = dataDir(clients);
        String topic = clients.topic(1);
        String group = Clients.name("group");
        Clients.get(
                clients.admin()
                        .alterConsumerGroupOffsets(
                                group,
                                Map.of(new TopicPartition(topic, 0), new OffsetAndMetadata(77)))
                        .all());

        StringBuilder offsets = new StringBuilder();
        try (Stream<Path> directories = Files.list(dataDir)) {
            for (Path directory :
                    directories
                            .filter(d ->
                                    d.getFileName().toString().startsWith("__consumer_offsets-"))
                            .toList()) {
                for (Path file : files(directory, ".log")) {
                    offsets.append(
                            tools.run(
                                            "DumpLogSegments",
                                            "--files",
                                            file.toString(),
                                            "--offsets-decoder")
                                    .out());
                }
            }
        }
        assertThat(offsets.toString())
                .contains("\"group\":\"" + group + "\"")
                .contains("\"offset\":77");

        StringBuilder metadata = new StringBuilder();
        for (Path file : files(dataDir.resolve("__cluster_metadata-0"), ".log")) {
            metadata.append(
                    tools.run(
                                    "DumpLogSegments",
                                    "--files",
                                    file.toString(),
                                    "--cluster-metadata-decoder")
                            .out());
        }
        assertThat(metadata.toString())
                .contains(
                        "\"type\":\"TOPIC_RECORD\"",
                        "\"name\":\"" + topic + "\"",
                        "PARTITION_RECORD");
    }

    private static Path dataDir(Clients clients) {
        assumeTrue(clients.dataDir().isPresent(), "the broker's files are not at hand");
        return clients.dataDir().orElseThrow();
    }

    /// Text that compresses badly, the same for the same number.
    private static String random(int seed) {
        StringBuilder text = new StringBuilder();
        new java.util.Random(seed).ints(800, 'a', 'z').forEach(c -> text.append((char) c));
        return text.toString();
    }

    private static List<Path> files(Path directory, String... endings) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(f -> Stream.of(endings).anyMatch(f.toString()::endsWith))
                    .filter(f -> f.toFile().length() > 0 || f.toString().endsWith(".log"))
                    .sorted()
                    .toList();
        }
    }
}
