package dev.ottla.acceptance;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ottla.testkit.BrokerCommand;
import dev.ottla.testkit.BrokerProcess;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.KafkaStorageException;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/// Files that were damaged while the broker was down: it says so, and serves the rest.
@Order(2)
class DamageTest {
    private static final BrokerProcess.Options OPTIONS =
            BrokerProcess.Options.of("group.initial.rebalance.delay.ms=0")
                    .withJvm("-Xmx256m", "-XX:TieredStopAtLevel=1");

    @Test
    void damageInASegmentHurtsOnlyWhatIsBehindIt() throws IOException {
        try (BrokerProcess broker = BrokerProcess.start(OPTIONS);
                Clients clients = new Clients(broker.bootstrap())) {
            String damaged = clients.topic(1);
            String whole = clients.topic(1);
            for (int i = 0; i < 20; i++) {
                // One batch each, so that those before the damage are whole.
                clients.send(damaged, "value-" + i);
            }
            clients.send(whole, "whole");
            broker.stop();
            flip(broker.dataDir().resolve(damaged + "-0/00000000000000000000.log"), 0.6);
            broker.start();

            assertThat(clients.readAll(whole)).hasSize(1);
            clients.send(whole, "still written");
            List<String> read = readUntilDamage(clients, damaged);
            assertThat(read).hasSizeBetween(5, 15);
            assertThat(read)
                    .isEqualTo(
                            IntStream.range(0, read.size()).mapToObj(i -> "value-" + i).toList());
            assertThat(clients.readAll(whole)).hasSize(2);
        }
    }

    @Test
    void tornTailIsCutAfterAKill() throws IOException {
        try (BrokerProcess broker = BrokerProcess.start(OPTIONS);
                Clients clients = new Clients(broker.bootstrap())) {
            String topic = clients.topic(1);
            clients.send(topic, IntStream.range(0, 10).mapToObj(i -> "value-" + i).toList());
            broker.kill();
            // Half a batch, as a write that the machine did not finish.
            Path log = broker.dataDir().resolve(topic + "-0/00000000000000000000.log");
            byte[] batch = Files.readAllBytes(log);
            try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "rw")) {
                file.seek(batch.length);
                file.write(batch, 0, Math.min(40, batch.length / 2));
            }
            broker.start();

            assertThat(clients.readAll(topic)).hasSize(10);
            assertThat(clients.send(topic, "next").getFirst().offset()).isEqualTo(10);
            assertThat(clients.readAll(topic)).hasSize(11);
        }
    }

    @Test
    void lostIndexesAreRebuilt() throws IOException {
        try (BrokerProcess broker = BrokerProcess.start(OPTIONS);
                Clients clients = new Clients(broker.bootstrap())) {
            String topic = clients.topic(1, "index.interval.bytes", "100");
            for (int i = 0; i < 50; i++) {
                clients.send(topic, "value-" + i);
            }
            broker.kill();
            Path partition = broker.dataDir().resolve(topic + "-0");
            try (Stream<Path> files = Files.list(partition)) {
                for (Path file : files.filter(f -> f.toString().endsWith("index")).toList()) {
                    Files.write(file, "this is no index".getBytes(UTF_8));
                }
            }
            broker.start();

            assertThat(clients.readAll(topic)).hasSize(50);
            Consumer<String, String> consumer = clients.consumer();
            TopicPartition key = new TopicPartition(topic, 0);
            consumer.assign(List.of(key));
            consumer.seek(key, 33);
            assertThat(Clients.poll(consumer, 17).getFirst().value()).isEqualTo("value-33");
        }
    }

    @Test
    void damagedCheckpointsOfAPartitionAreReported() throws IOException {
        assumeTrue(BrokerCommand.isOttla(), "Apache Kafka takes the whole directory offline");
        try (BrokerProcess broker = BrokerProcess.start(OPTIONS);
                Clients clients = new Clients(broker.bootstrap())) {
            String damaged = clients.topic(1);
            String whole = clients.topic(1);
            clients.send(damaged, "a", "b");
            clients.send(whole, "a");
            broker.stop();
            Path checkpoint = broker.dataDir().resolve(damaged + "-0/leader-epoch-checkpoint");
            Files.write(checkpoint, "nonsense\n".getBytes(UTF_8));
            broker.start();

            assertThat(clients.readAll(whole)).hasSize(1);
            clients.send(whole, "still written");
            assertThat(broker.output()).contains("leader-epoch-checkpoint");
        }
    }

    /// Nothing is begun anew in the place of records that were there.
    @Test
    void partitionsWithoutTheirFilesAreOfflineUntilTheyAreBack() throws IOException {
        assumeTrue(BrokerCommand.isOttla(), "Apache Kafka begins some of them anew");
        try (BrokerProcess broker = BrokerProcess.start(OPTIONS);
                Clients clients = new Clients(broker.bootstrap())) {
            String garbage = clients.topic(1);
            String foreign = clients.topic(1);
            String gap = clients.topic(1, "segment.bytes", "1048576");
            String missing = clients.topic(1);
            String whole = clients.topic(1);
            List<String> damaged = List.of(garbage, foreign, gap, missing);
            for (String topic : List.of(garbage, foreign, gap, missing, whole)) {
                for (int i = 0; i < 3; i++) {
                    clients.send(topic, "x".repeat(topic.equals(gap) ? 600_000 : 10));
                }
            }
            broker.stop();
            Path data = broker.dataDir();
            Map<Path, byte[]> original = new HashMap<>();
            overwrite(original, data.resolve(garbage + "-0/partition.metadata"), "gibberish");
            overwrite(
                    original,
                    data.resolve(foreign + "-0/partition.metadata"),
                    Files.readString(data.resolve(whole + "-0/partition.metadata")));
            Path segment = data.resolve(gap + "-0/00000000000000000001.log");
            original.put(segment, Files.readAllBytes(segment));
            Files.delete(segment);
            Files.move(data.resolve(missing + "-0"), data.resolve("aside"));
            broker.start();

            for (String topic : damaged) {
                assertStorageError(clients, topic);
            }
            assertThat(clients.readAll(whole)).hasSize(3);
            clients.send(whole, "still written");
            assertThat(broker.output())
                    .contains(garbage + "-0/partition.metadata is damaged")
                    .contains(foreign + "-0/partition.metadata names topic id")
                    .contains(gap + "-0 has 2 segments")
                    .contains(missing + "-0 is missing")
                    .doesNotContain("stray")
                    .doesNotContain("\tat ");

            broker.stop();
            for (Map.Entry<Path, byte[]> file : original.entrySet()) {
                Files.write(file.getKey(), file.getValue());
            }
            Files.move(data.resolve("aside"), data.resolve(missing + "-0"));
            broker.start();
            for (String topic : damaged) {
                assertThat(clients.readAll(topic)).hasSize(3);
                clients.send(topic, "written again");
            }
            assertThat(clients.readAll(whole)).hasSize(4);
        }
    }

    private static void overwrite(Map<Path, byte[]> original, Path file, String content)
            throws IOException {
        original.put(file, Files.readAllBytes(file));
        Files.writeString(file, content);
    }

    private static void assertStorageError(Clients clients, String topic) {
        try (Producer<String, String> impatient =
                clients.producer("retries", 0, "enable.idempotence", false)) {
            assertThatThrownBy(() ->
                            Clients.send(
                                    impatient, List.of(new ProducerRecord<>(topic, 0, null, "x"))))
                    .as(topic)
                    .isInstanceOf(KafkaStorageException.class);
        }
    }

    /// A crash right after the directory was made leaves no file, or an empty one.
    @Test
    void anUnfinishedDirectoryWithoutRecordsIsTaken() throws IOException {
        try (BrokerProcess broker = BrokerProcess.start(OPTIONS);
                Clients clients = new Clients(broker.bootstrap())) {
            String bare = clients.topic(1);
            String empty = clients.topic(1);
            broker.kill();
            Files.createDirectory(broker.dataDir().resolve(bare + "-0"));
            Files.createDirectory(broker.dataDir().resolve(empty + "-0"));
            Files.createFile(broker.dataDir().resolve(empty + "-0/partition.metadata"));
            Files.createFile(broker.dataDir().resolve(empty + "-0/00000000000000000000.log"));
            broker.start();

            for (String topic : List.of(bare, empty)) {
                clients.send(topic, "written");
                assertThat(clients.readAll(topic)).hasSize(1);
            }
        }
    }

    /// Everything before the damage; a client that meets it gets an error or nothing more.
    private static List<String> readUntilDamage(Clients clients, String topic) {
        List<String> read = new ArrayList<>();
        try (Consumer<String, String> consumer = clients.consumer()) {
            TopicPartition partition = new TopicPartition(topic, 0);
            consumer.assign(List.of(partition));
            long deadlineNs = System.nanoTime() + Duration.ofSeconds(5).toNanos();
            while (System.nanoTime() < deadlineNs) {
                for (ConsumerRecord<String, String> record :
                        consumer.poll(Duration.ofMillis(200))) {
                    read.add(record.value());
                }
            }
        } catch (KafkaException e) {
            assertThat(e).hasMessageContaining(topic);
        }
        return read;
    }

    /// Turns a byte at a part of the file's length.
    private static void flip(Path path, double where) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
            long position = (long) (file.length() * where);
            file.seek(position);
            int old = file.read();
            file.seek(position);
            file.write(old ^ 0x55);
        }
    }
}
