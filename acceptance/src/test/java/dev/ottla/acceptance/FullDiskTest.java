package dev.ottla.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ottla.testkit.Await;
import dev.ottla.testkit.BrokerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.KafkaStorageException;
import org.apache.kafka.common.errors.RetriableException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A disk that runs full, played by a small file system in memory: writes are refused in a way that
/// clients repeat, reads go on, and writing resumes by itself.
class FullDiskTest {
    private @Nullable SmallDisk disk;

    @BeforeEach
    void mount() {
        disk = SmallDisk.mount();
    }

    @AfterEach
    void unmount() {
        if (disk != null) disk.close();
    }

    private SmallDisk disk() {
        return Objects.requireNonNull(disk);
    }

    @Test
    void writesAreRefusedReadsGoOnAndWritingResumes() throws IOException {
        BrokerProcess.Options options =
                BrokerProcess.Options.of(
                                "log.dir.min.free.bytes=8388608",
                                "log.dir.resume.free.bytes=16777216",
                                "log.dir.reserve.bytes=2097152")
                        .withJvm("-Xmx256m", "-XX:TieredStopAtLevel=1")
                        .withDataDir(disk().path().resolve("data"));
        try (BrokerProcess broker = BrokerProcess.start(options);
                Clients clients = new Clients(broker.bootstrap())) {
            String topic = clients.topic(1);
            clients.send(topic, "before", "x".repeat(100_000));
            Path filler = disk().fill();

            Producer<String, String> impatient =
                    clients.producer(
                            "retries",
                            0,
                            "enable.idempotence",
                            false,
                            "delivery.timeout.ms",
                            20_000,
                            "request.timeout.ms",
                            15_000);
            Await.until(
                    "a write is refused",
                    () -> {
                        try {
                            Clients.send(impatient, List.of(record(topic)));
                            return false;
                        } catch (RetriableException e) {
                            return true;
                        }
                    });
            assertThatThrownBy(() -> Clients.send(impatient, List.of(record(topic))))
                    .isInstanceOf(RetriableException.class);
            assertThat(clients.readAll(topic)).hasSizeGreaterThanOrEqualTo(2);
            assertThat(broker.output()).containsIgnoringCase("full");

            // A patient client notices nothing but time.
            Producer<String, String> patient = clients.producer("delivery.timeout.ms", 120_000);
            var waiting = patient.send(record(topic));
            assertThat(waiting.isDone()).isFalse();
            Clients.get(
                    clients.admin()
                            .deleteRecords(
                                    Map.of(
                                            new TopicPartition(topic, 0),
                                            RecordsToDelete.beforeOffset(1)))
                            .all());
            Files.delete(filler);

            assertThat(Clients.get(waiting).hasOffset()).isTrue();
            int size = clients.readAll(topic).size();
            broker.stop();
            broker.start();
            assertThat(clients.readAll(topic)).hasSize(size);
        }
    }

    /// With the settings that a broker has by itself, and with nothing left but its reserve.
    @ParameterizedTest
    @ValueSource(strings = {"classic", "consumer"})
    void groupsGoOnWhileProduceIsRefused(String protocol) throws IOException {
        BrokerProcess.Options options =
                BrokerProcess.Options.of("group.initial.rebalance.delay.ms=0")
                        .withJvm("-Xmx256m", "-XX:TieredStopAtLevel=1")
                        .withDataDir(disk().path().resolve("data"));
        try (BrokerProcess broker = BrokerProcess.start(options);
                Clients clients = new Clients(broker.bootstrap())) {
            String topic = clients.topic(1);
            clients.send(topic, "a", "b", "c");
            assertThat(broker.dataDir().resolve(".ottla-reserve")).isNotEmptyFile();
            Path filler = disk().fillWhole();
            Producer<String, String> impatient =
                    clients.producer("retries", 0, "enable.idempotence", false);
            Await.until(
                    "a write is refused",
                    () -> {
                        try {
                            Clients.send(impatient, List.of(record(topic)));
                            return false;
                        } catch (KafkaStorageException e) {
                            return true;
                        }
                    });

            int size = clients.readAll(topic).size();
            TopicPartition partition = new TopicPartition(topic, 0);
            String group = Clients.name("group");
            try (Consumer<String, String> member =
                    clients.consumer("group.id", group, "group.protocol", protocol)) {
                member.subscribe(List.of(topic));
                assertThat(Clients.poll(member, size)).hasSize(size);
                for (int i = 1; i <= 20; i++) {
                    member.commitSync(
                            Map.of(partition, new OffsetAndMetadata(i % 3, "x".repeat(100))));
                }
                assertThat(member.committed(Set.of(partition)))
                        .containsEntry(partition, new OffsetAndMetadata(2, "x".repeat(100)));
            }
            assertThatThrownBy(() -> Clients.send(impatient, List.of(record(topic))))
                    .isInstanceOf(KafkaStorageException.class);
            assertThat(clients.topic(1)).as("topics can be created").isNotEmpty();

            Files.delete(filler);
            clients.send(topic, "resumed");
            assertThat(clients.readAll(topic)).hasSize(size + 1);
            assertThat(broker.output()).doesNotContain("offline").doesNotContain("\tat ");
        }
    }

    private static ProducerRecord<String, String> record(String topic) {
        return new ProducerRecord<>(topic, 0, null, "x".repeat(10_000));
    }
}
