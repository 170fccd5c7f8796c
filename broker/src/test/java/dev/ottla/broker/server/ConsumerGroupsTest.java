package dev.ottla.broker.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.GroupListing;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.SubscriptionPattern;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Group coordinators on a shard that shares the network loop's thread, and on two that have their
/// own, seen by Kafka's own consumers of both protocols.
@Timeout(120)
@ParameterizedClass
@ValueSource(strings = {"1", "2"})
class ConsumerGroupsTest {
    private static final Duration POLL = Duration.ofMillis(100);
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(60);

    @Parameter String shards = "";

    private TestBroker broker;

    @BeforeEach
    void start() {
        broker =
                new TestBroker(
                        Map.of(
                                "group.initial.rebalance.delay.ms", "0",
                                "num.network.threads", "1",
                                "num.shards", shards));
    }

    @AfterEach
    void stop() {
        broker.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"classic", "consumer"})
    void committedOffsetsSurviveARestart(String protocol) throws Exception {
        create("orders", 2);
        produce("orders", 10);
        try (KafkaConsumer<String, String> consumer = consumer("billing", protocol)) {
            consumer.subscribe(List.of("orders"));
            read(consumer, 10);
            consumer.commitSync();
        }

        broker.restart();
        produce("orders", 3);

        try (KafkaConsumer<String, String> consumer = consumer("billing", protocol)) {
            consumer.subscribe(List.of("orders"));
            assertThat(read(consumer, 3)).isEqualTo(3);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"classic", "consumer"})
    void newPartitionsAreAssignedToTheGroup(String protocol) throws Exception {
        create("grows", 1);
        try (KafkaConsumer<String, String> consumer = consumer("readers", protocol);
                Admin admin = admin()) {
            consumer.subscribe(List.of("grows"));
            awaitAssigned(consumer, Set.of(new TopicPartition("grows", 0)));

            admin.createPartitions(Map.of("grows", NewPartitions.increaseTo(2)))
                    .all()
                    .get(30, TimeUnit.SECONDS);

            awaitAssigned(
                    consumer,
                    Set.of(new TopicPartition("grows", 0), new TopicPartition("grows", 1)));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"classic", "consumer"})
    void groupsAreListedAndDeletedWithTheirOffsets(String protocol) throws Exception {
        create("orders", 1);
        produce("orders", 1);
        try (KafkaConsumer<String, String> consumer = consumer("short-lived", protocol)) {
            consumer.subscribe(List.of("orders"));
            read(consumer, 1);
            consumer.commitSync();
        }

        try (Admin admin = admin()) {
            assertThat(groups(admin)).contains("short-lived");
            admin.deleteConsumerGroups(List.of("short-lived")).all().get(30, TimeUnit.SECONDS);
            assertThat(groups(admin)).doesNotContain("short-lived");
        }
    }

    @Test
    void newTopicsThatMatchAPatternAreAssigned() throws Exception {
        create("logs-a", 1);
        create("other", 1);
        try (KafkaConsumer<String, String> consumer = consumer("watchers", "consumer")) {
            consumer.subscribe(new SubscriptionPattern("logs-.*"));
            awaitAssigned(consumer, Set.of(new TopicPartition("logs-a", 0)));

            create("logs-b", 1);

            awaitAssigned(
                    consumer,
                    Set.of(new TopicPartition("logs-a", 0), new TopicPartition("logs-b", 0)));
        }
    }

    private static Collection<String> groups(Admin admin) throws Exception {
        return admin.listGroups().all().get(30, TimeUnit.SECONDS).stream()
                .map(GroupListing::groupId)
                .toList();
    }

    private static int read(KafkaConsumer<String, String> consumer, int count) {
        Set<String> seen = new HashSet<>();
        long deadlineNs = System.nanoTime() + PATIENCE_NS;
        while (seen.size() < count && System.nanoTime() < deadlineNs) {
            for (ConsumerRecord<String, String> each : consumer.poll(POLL)) {
                assertThat(seen.add(each.partition() + "@" + each.offset())).isTrue();
            }
        }
        return seen.size();
    }

    private static void awaitAssigned(
            KafkaConsumer<String, String> consumer, Set<TopicPartition> expected) {
        long deadlineNs = System.nanoTime() + PATIENCE_NS;
        while (!consumer.assignment().equals(expected) && System.nanoTime() < deadlineNs) {
            consumer.poll(POLL);
        }
        assertThat(consumer.assignment()).isEqualTo(expected);
    }

    private void create(String topic, int partitions) throws Exception {
        try (Admin admin = admin()) {
            admin.createTopics(
                            List.of(new NewTopic(topic, Optional.of(partitions), Optional.empty())))
                    .all()
                    .get(30, TimeUnit.SECONDS);
        }
    }

    private void produce(String topic, int count) throws Exception {
        Map<String, Object> config = Map.of("bootstrap.servers", broker.bootstrap());
        try (KafkaProducer<String, String> producer =
                new KafkaProducer<>(config, new StringSerializer(), new StringSerializer())) {
            for (int i = 0; i < count; i++) {
                producer.send(new ProducerRecord<>(topic, "k" + i, "v" + i))
                        .get(30, TimeUnit.SECONDS);
            }
        }
    }

    private Admin admin() {
        return Admin.create(Map.of("bootstrap.servers", broker.bootstrap()));
    }

    private KafkaConsumer<String, String> consumer(String group, String protocol) {
        return new KafkaConsumer<>(
                Map.of(
                        "bootstrap.servers",
                        broker.bootstrap(),
                        "group.id",
                        group,
                        "group.protocol",
                        protocol,
                        "auto.offset.reset",
                        "earliest",
                        "enable.auto.commit",
                        "false",
                        "metadata.max.age.ms",
                        "500"),
                new StringDeserializer(),
                new StringDeserializer());
    }
}
