package dev.ottla.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ottla.testkit.Await;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.NoOffsetForPartitionException;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Kafka's consumer with partitions it was given by hand: positions, limits, resets, time look-ups.
@ExtendWith(SharedBroker.class)
@NullUnmarked // a null from a map of the answer fails the case just as well
class ConsumerTest {
    @Test
    void seekMovesToAnyPosition(Clients clients) {
        TopicPartition partition = partition(clients, 100);
        Consumer<String, String> consumer = clients.consumer();
        consumer.assign(List.of(partition));

        consumer.seek(partition, 42);
        assertThat(consumer.poll(Duration.ofSeconds(10)).iterator().next().offset()).isEqualTo(42);

        consumer.seekToEnd(List.of(partition));
        assertThat(consumer.position(partition)).isEqualTo(100);

        consumer.seekToBeginning(List.of(partition));
        assertThat(consumer.position(partition)).isZero();
        assertThat(Clients.poll(consumer, 100)).hasSize(100);
        assertThat(consumer.beginningOffsets(List.of(partition))).containsEntry(partition, 0L);
        assertThat(consumer.endOffsets(List.of(partition))).containsEntry(partition, 100L);
        assertThat(consumer.currentLag(partition)).hasValue(0);
    }

    @Test
    void pausedPartitionsDeliverNothingUntilResumed(Clients clients) {
        String topic = clients.topic(2);
        Producer<String, String> producer = clients.producer();
        Clients.send(
                producer,
                IntStream.range(0, 20)
                        .mapToObj(i -> new ProducerRecord<>(topic, i % 2, "k", "v" + i))
                        .toList());
        TopicPartition paused = new TopicPartition(topic, 0);
        TopicPartition open = new TopicPartition(topic, 1);
        Consumer<String, String> consumer = clients.consumer();
        consumer.assign(List.of(paused, open));
        consumer.pause(List.of(paused));

        assertThat(Clients.poll(consumer, 10)).allMatch(r -> r.partition() == 1);
        assertThat(consumer.poll(Duration.ofMillis(300))).isEmpty();
        assertThat(consumer.paused()).containsExactly(paused);

        consumer.resume(List.of(paused));
        assertThat(Clients.poll(consumer, 10)).allMatch(r -> r.partition() == 0);
    }

    @Test
    void offsetsForTimesFindTheFirstRecordAtOrAfterATime(Clients clients) {
        String topic = clients.topic(1, "retention.ms", "-1");
        Producer<String, String> producer = clients.producer();
        long base = 1_700_000_000_000L;
        Clients.send(
                producer,
                IntStream.range(0, 50)
                        .mapToObj(
                                i -> new ProducerRecord<>(topic, 0, base + i * 100L, "k", "v" + i))
                        .toList());
        TopicPartition partition = new TopicPartition(topic, 0);
        Consumer<String, String> consumer = clients.consumer();

        assertThat(at(consumer, partition, base + 1_950).offset()).isEqualTo(20);
        assertThat(at(consumer, partition, base + 1_950).timestamp()).isEqualTo(base + 2_000);
        assertThat(at(consumer, partition, base + 2_000).offset()).isEqualTo(20);
        assertThat(at(consumer, partition, 0).offset()).isZero();
        assertThat(consumer.offsetsForTimes(Map.of(partition, base + 5_000)))
                .satisfiesAnyOf(
                        found -> assertThat(found).doesNotContainKey(partition),
                        found -> assertThat(found.get(partition)).isNull());
    }

    @ParameterizedTest
    @ValueSource(strings = {"earliest", "latest", "by_duration:PT1H"})
    void resetPolicyDecidesWhereAConsumerWithoutOffsetStarts(String policy, Clients clients) {
        String topic = clients.topic(1);
        TopicPartition partition = new TopicPartition(topic, 0);
        Producer<String, String> producer = clients.producer();
        long now = System.currentTimeMillis();
        Clients.send(
                producer,
                List.of(
                        new ProducerRecord<>(topic, 0, now - 7_200_000, "k", "old"),
                        new ProducerRecord<>(topic, 0, now, "k", "new")));
        Consumer<String, String> consumer = clients.consumer("auto.offset.reset", policy);
        consumer.assign(List.of(partition));

        long position = consumer.position(partition);

        assertThat(position)
                .isEqualTo(Map.of("earliest", 0L, "latest", 2L).getOrDefault(policy, 1L));
    }

    @Test
    void resetPolicyNoneTellsTheCaller(Clients clients) {
        TopicPartition partition = partition(clients, 5);
        Consumer<String, String> consumer =
                clients.consumer("auto.offset.reset", "none", "group.id", Clients.name("group"));
        consumer.assign(List.of(partition));

        assertThatThrownBy(() -> consumer.position(partition))
                .isInstanceOf(NoOffsetForPartitionException.class);

        consumer.seek(partition, 1_000);
        assertThatThrownBy(() -> consumer.poll(Duration.ofSeconds(10)))
                .isInstanceOf(OffsetOutOfRangeException.class);
    }

    @Test
    void consumersThatFellBehindTheLogStartAreReset(Clients clients) {
        TopicPartition partition = partition(clients, 30);
        Clients.get(
                clients.admin()
                        .deleteRecords(Map.of(partition, RecordsToDelete.beforeOffset(12)))
                        .all());
        Consumer<String, String> consumer = clients.consumer();
        consumer.assign(List.of(partition));
        consumer.seek(partition, 3);

        assertThat(Clients.poll(consumer, 18)).extracting(ConsumerRecord::offset).startsWith(12L);
        assertThat(consumer.beginningOffsets(List.of(partition))).containsEntry(partition, 12L);
    }

    @Test
    void limitsOfAPollAndOfAFetchLoseNothing(Clients clients) {
        TopicPartition partition = partition(clients, 500);
        Consumer<String, String> consumer =
                clients.consumer("max.poll.records", 7, "max.partition.fetch.bytes", 200);
        consumer.assign(List.of(partition));

        int first = consumer.poll(Duration.ofSeconds(10)).count();

        assertThat(first).isBetween(1, 7);
        assertThat(Clients.poll(consumer, 500 - first)).hasSize(500 - first);
    }

    @Test
    void fetchWaitsForItsMinimumOrItsTime(Clients clients) {
        TopicPartition partition = partition(clients, 1);
        Consumer<String, String> patient =
                clients.consumer("fetch.min.bytes", 1_000_000, "fetch.max.wait.ms", 700);
        patient.assign(List.of(partition));
        long position = patient.position(partition);

        long startNs = System.nanoTime();
        List<ConsumerRecord<String, String>> read = Clients.poll(patient, 1);
        long waitedMs = (System.nanoTime() - startNs) / 1_000_000;

        assertThat(position).isZero();
        assertThat(read).hasSize(1);
        assertThat(waitedMs).isGreaterThanOrEqualTo(600);
    }

    @Test
    void waitingFetchIsAnsweredAsSoonAsARecordCommits(Clients clients) {
        TopicPartition partition = partition(clients, 0);
        Consumer<String, String> consumer = clients.consumer("fetch.max.wait.ms", 20_000);
        consumer.assign(List.of(partition));
        Producer<String, String> producer = clients.producer();
        consumer.poll(Duration.ofMillis(300));

        Clients.send(producer, List.of(new ProducerRecord<>(partition.topic(), 0, "k", "v")));
        long startNs = System.nanoTime();
        Clients.poll(consumer, 1);

        assertThat(Duration.ofNanos(System.nanoTime() - startNs))
                .isLessThan(Duration.ofSeconds(10));
    }

    @Test
    void readCommittedSeesPlainRecords(Clients clients) {
        TopicPartition partition = partition(clients, 10);
        Consumer<String, String> consumer = clients.consumer("isolation.level", "read_committed");
        consumer.assign(List.of(partition));

        assertThat(Clients.poll(consumer, 10)).hasSize(10);
        assertThat(consumer.endOffsets(List.of(partition))).containsEntry(partition, 10L);
    }

    @Test
    void wakeupEndsAPoll(Clients clients) {
        TopicPartition partition = partition(clients, 0);
        Consumer<String, String> consumer = clients.consumer();
        consumer.assign(List.of(partition));
        consumer.wakeup();

        assertThatThrownBy(() -> consumer.poll(Duration.ofSeconds(20)))
                .isInstanceOf(WakeupException.class);
    }

    @Test
    void consumersFollowATopicThatIsDeletedAndCreatedAgain(Clients clients) {
        TopicPartition partition = partition(clients, 10);
        String topic = partition.topic();
        Consumer<String, String> consumer = clients.consumer("metadata.max.age.ms", 300);
        consumer.assign(List.of(partition));
        assertThat(Clients.poll(consumer, 10)).hasSize(10);

        Clients.get(clients.admin().deleteTopics(List.of(topic)).all());
        Await.until(
                "the topic is gone",
                () -> !Clients.get(clients.admin().listTopics().names()).contains(topic));
        clients.create(topic, 1);
        assertThat(clients.offset(topic, 0, OffsetSpec.latest())).isZero();
        clients.send(topic, "again");

        assertThat(Clients.poll(consumer, 1).getFirst().value()).isEqualTo("again");
    }

    @Test
    void clientsWithOldMetadataCarryOnAfterNewPartitions(Clients clients) {
        String topic = clients.topic(1);
        Consumer<String, String> consumer = clients.consumer();
        assertThat(consumer.partitionsFor(topic)).hasSize(1);
        Clients.get(
                clients.admin()
                        .createPartitions(
                                Map.of(
                                        topic,
                                        org.apache.kafka.clients.admin.NewPartitions.increaseTo(3)))
                        .all());

        Producer<String, String> producer = clients.producer();
        Clients.send(producer, List.of(new ProducerRecord<>(topic, 2, "k", "v")));

        TopicPartition last = new TopicPartition(topic, 2);
        consumer.assign(List.of(last));
        assertThat(Clients.poll(consumer, 1)).hasSize(1);
    }

    private static OffsetAndTimestamp at(
            Consumer<String, String> consumer, TopicPartition partition, long timestamp) {
        return consumer.offsetsForTimes(Map.of(partition, timestamp)).get(partition);
    }

    /// The one partition of a new topic with that many records.
    private static TopicPartition partition(Clients clients, int records) {
        String topic = clients.topic(1);
        clients.send(topic, IntStream.range(0, records).mapToObj(i -> "value-" + i).toList());
        return new TopicPartition(topic, 0);
    }
}
