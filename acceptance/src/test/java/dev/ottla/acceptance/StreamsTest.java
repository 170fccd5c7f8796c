package dev.ottla.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ottla.testkit.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.LongDeserializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/// Kafka Streams keeps its counts in a changelog topic: killed, and its local state gone, it goes
/// on where it was.
@ExtendWith(SharedBroker.class)
class StreamsTest {
    private static final int WORDS = 10;

    @Test
    void killedApplicationRestoresItsCounts(Clients clients, @TempDir Path directory)
            throws IOException {
        String application = Clients.name("count");
        String input = clients.topic(2);
        String output = clients.topic(1);
        Path log = directory.resolve("streams.log");
        Counts counts = new Counts(clients, output);

        String[] arguments = {
            clients.bootstrap(), application, directory.resolve("state").toString(), input, output
        };
        try (JavaProcess app = JavaProcess.start(log, main(), arguments)) {
            produce(clients, input, 1_000);
            counts.awaitAtLeast(100, app);
            assertThat(counts.latest.values()).containsOnly(100L);
            awaitCommitted(clients, application, input);
            app.kill();
        }
        assertThat(Clients.get(clients.admin().listTopics().names()))
                .contains(application + "-counts-changelog", application + "-counts-repartition");

        delete(directory.resolve("state"));
        try (JavaProcess app = JavaProcess.start(log, main(), arguments)) {
            produce(clients, input, 500);
            counts.awaitAtLeast(150, app);
            assertThat(counts.latest.values()).containsOnly(150L);
            produce(clients, input, 2_000);
            app.kill();
        }

        // Killed in the middle of its work: at least once.
        try (JavaProcess app = JavaProcess.start(log, main(), arguments)) {
            counts.awaitAtLeast(350, app);
            app.stop();
        }
    }

    private static String main() {
        return StreamsCountMain.class.getName();
    }

    private static void produce(Clients clients, String topic, int count) {
        try (Producer<String, String> producer = clients.producer("linger.ms", 5)) {
            Clients.send(
                    producer,
                    IntStream.range(0, count)
                            .mapToObj(i -> new ProducerRecord<>(topic, "k" + i, "w" + i % WORDS))
                            .toList());
        }
    }

    /// Until the group has committed everything, the repartition topic included.
    private static void awaitCommitted(Clients clients, String group, String input) {
        Await.until(
                "the application has committed all",
                () -> {
                    Map<TopicPartition, OffsetAndMetadata> offsets =
                            Clients.get(
                                    clients.admin()
                                            .listConsumerGroupOffsets(group)
                                            .partitionsToOffsetAndMetadata());
                    boolean both =
                            offsets.keySet().stream().map(TopicPartition::topic).distinct().count()
                                    == 2;
                    return both
                            && offsets.keySet().stream().anyMatch(p -> p.topic().equals(input))
                            && offsets.entrySet().stream()
                                    .allMatch(e ->
                                            e.getValue().offset()
                                                    == clients.offset(
                                                            e.getKey().topic(),
                                                            e.getKey().partition(),
                                                            OffsetSpec.latest()));
                });
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> tree = Files.walk(directory)) {
            for (Path path : tree.toList().reversed()) {
                Files.delete(path);
            }
        }
    }

    /// The newest count of each word. Owned by the test's thread.
    private static final class Counts {
        final Map<String, Long> latest = new HashMap<>();
        private final Consumer<byte[], byte[]> consumer;

        Counts(Clients clients, String topic) {
            consumer = clients.bytesConsumer();
            consumer.assign(List.of(new TopicPartition(topic, 0)));
        }

        void awaitAtLeast(long count, JavaProcess app) {
            Await.until(
                    "every word was counted " + count + " times",
                    Await.DEADLINE,
                    () -> {
                        try (LongDeserializer longs = new LongDeserializer()) {
                            for (ConsumerRecord<byte[], byte[]> record :
                                    consumer.poll(Duration.ofMillis(100))) {
                                latest.put(
                                        new String(
                                                record.key(),
                                                java.nio.charset.StandardCharsets.UTF_8),
                                        longs.deserialize("", record.value()));
                            }
                        }
                        return latest.size() == WORDS
                                && latest.values().stream().allMatch(c -> c >= count);
                    },
                    () -> latest + "\n" + app.output());
        }
    }
}
