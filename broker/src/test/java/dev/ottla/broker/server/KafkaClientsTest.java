package dev.ottla.broker.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DeletedRecords;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Kafka's own Java clients against a broker in this process, whose shard shares the thread of the
/// network loop, or whose shards have threads of their own.
@Timeout(60)
@ParameterizedClass
@ValueSource(strings = {"1", "2"})
class KafkaClientsTest {
    @SuppressWarnings("NullAway.Init") // not known: the method before each form
    private static TestBroker broker;

    @Parameter String shards = "";

    @BeforeParameterizedClassInvocation
    static void start(String shards) {
        broker = new TestBroker(Map.of("num.network.threads", "1", "num.shards", shards));
    }

    @AfterParameterizedClassInvocation
    static void stop() {
        broker.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"all", "1", "0"})
    void recordsOfEveryAcksLevelAreReadInOrder(String acks) throws Exception {
        String topic = create("acks-" + acks, 1);

        produce(topic, 1000, Map.of("acks", acks, "enable.idempotence", "false"));

        List<ConsumerRecord<String, String>> records = consume(new TopicPartition(topic, 0), 1000);
        for (int i = 0; i < records.size(); i++) {
            assertThat(records.get(i).offset()).isEqualTo(i);
            assertThat(records.get(i).value()).isEqualTo("value-" + i);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"none", "gzip", "snappy", "lz4", "zstd"})
    void idempotentProducerWithEveryCodecIsRead(String codec) throws Exception {
        String topic = create("codec-" + codec, 1);

        produce(topic, 5000, Map.of("compression.type", codec, "linger.ms", "5"));

        assertThat(consume(new TopicPartition(topic, 0), 5000))
                .extracting(ConsumerRecord::value)
                .endsWith("value-4999");
    }

    @Test
    void topicIsCreatedWhenFirstUsed() throws Exception {
        produce("made-on-the-way", 10, Map.of());

        assertThat(consume(new TopicPartition("made-on-the-way", 0), 10)).hasSize(10);
    }

    @Test
    void largeRecordsPassThrough() throws Exception {
        String topic = create("large", 1);
        String value = "x".repeat(900_000);
        try (KafkaProducer<String, String> producer =
                producer(Map.of("max.request.size", "2000000"))) {
            for (int i = 0; i < 20; i++) {
                producer.send(new ProducerRecord<>(topic, value)).get(30, TimeUnit.SECONDS);
            }
        }

        assertThat(consume(new TopicPartition(topic, 0), 20))
                .allSatisfy(record -> assertThat(record.value()).hasSize(900_000));
    }

    @Test
    void consumerSeeksByOffsetAndTime() throws Exception {
        String topic = create("seek", 1);
        TopicPartition partition = new TopicPartition(topic, 0);
        try (KafkaProducer<String, String> producer = producer(Map.of())) {
            for (int i = 0; i < 100; i++) {
                long timestamp = 1000L + i * 10L;
                var _ = producer.send(new ProducerRecord<>(topic, 0, timestamp, "k", "v" + i));
            }
            producer.flush();
        }

        try (KafkaConsumer<String, String> consumer = consumer()) {
            consumer.assign(List.of(partition));
            consumer.seek(partition, 42);
            assertThat(next(consumer).value()).isEqualTo("v42");

            assertThat(consumer.offsetsForTimes(Map.of(partition, 1555L)))
                    .containsEntry(partition, new OffsetAndTimestamp(56, 1560, Optional.of(0)));
            assertThat(consumer.beginningOffsets(List.of(partition))).containsEntry(partition, 0L);
            assertThat(consumer.endOffsets(List.of(partition))).containsEntry(partition, 100L);
        }
    }

    @Test
    void deletedRecordsAreGone() throws Exception {
        String topic = create("trimmed", 1);
        TopicPartition partition = new TopicPartition(topic, 0);
        produce(topic, 100, Map.of());

        try (Admin admin = admin()) {
            KafkaFuture<DeletedRecords> deleted =
                    Objects.requireNonNull(
                            admin.deleteRecords(Map.of(partition, RecordsToDelete.beforeOffset(30)))
                                    .lowWatermarks()
                                    .get(partition));
            assertThat(deleted.get(30, TimeUnit.SECONDS).lowWatermark()).isEqualTo(30);
        }

        assertThat(consume(partition, 70).getFirst().offset()).isEqualTo(30);
    }

    @Test
    void waitingConsumerHearsAtOnceOfNewRecords() throws Exception {
        String topic = create("waiting", 4);
        try (KafkaConsumer<String, String> consumer = consumer();
                KafkaProducer<String, String> producer = producer(Map.of())) {
            consumer.assign(partitions(topic, 4));
            consumer.poll(Duration.ofMillis(300));
            for (int i = 0; i < 20; i++) {
                producer.send(new ProducerRecord<>(topic, i % 4, "k", "v" + i))
                        .get(10, TimeUnit.SECONDS);
                long start = System.nanoTime();
                assertThat(next(consumer).value()).isEqualTo("v" + i);
                assertThat(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start))
                        .isLessThan(400);
            }
        }
    }

    @Test
    void everythingIsThereAfterARestart() throws Exception {
        try (TestBroker own = new TestBroker()) {
            produce(own, "kept", 1000, Map.of());
            own.restart();
            produce(own, "kept", 1000, Map.of());
            own.restart();

            assertThat(consume(own, new TopicPartition("kept", 0), 2000))
                    .extracting(ConsumerRecord::offset)
                    .endsWith(1999L);
        }
    }

    private static String create(String topic, int partitions) throws Exception {
        try (Admin admin = admin()) {
            admin.createTopics(List.of(new NewTopic(topic, partitions, (short) 1)))
                    .all()
                    .get(30, TimeUnit.SECONDS);
        }
        return topic;
    }

    private static List<TopicPartition> partitions(String topic, int count) {
        List<TopicPartition> partitions = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            partitions.add(new TopicPartition(topic, i));
        }
        return partitions;
    }

    private static void produce(String topic, int count, Map<String, String> settings)
            throws Exception {
        produce(broker, topic, count, settings);
    }

    private static void produce(
            TestBroker target, String topic, int count, Map<String, String> settings)
            throws Exception {
        try (KafkaProducer<String, String> producer = producer(target, settings)) {
            List<Future<RecordMetadata>> sent = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                sent.add(producer.send(new ProducerRecord<>(topic, "key-" + i, "value-" + i)));
            }
            producer.flush();
            for (Future<RecordMetadata> one : sent) {
                one.get(30, TimeUnit.SECONDS);
            }
        }
    }

    private static List<ConsumerRecord<String, String>> consume(
            TopicPartition partition, int count) {
        return consume(broker, partition, count);
    }

    private static List<ConsumerRecord<String, String>> consume(
            TestBroker source, TopicPartition partition, int count) {
        List<ConsumerRecord<String, String>> records = new ArrayList<>();
        try (KafkaConsumer<String, String> consumer = consumer(source)) {
            consumer.assign(List.of(partition));
            consumer.seekToBeginning(List.of(partition));
            while (records.size() < count) {
                consumer.poll(Duration.ofMillis(200)).forEach(records::add);
            }
        }
        assertThat(records).hasSize(count);
        return records;
    }

    private static ConsumerRecord<String, String> next(KafkaConsumer<String, String> consumer) {
        while (true) {
            for (ConsumerRecord<String, String> record : consumer.poll(Duration.ofSeconds(5))) {
                return record;
            }
        }
    }

    private static KafkaProducer<String, String> producer(Map<String, String> settings) {
        return producer(broker, settings);
    }

    private static KafkaProducer<String, String> producer(
            TestBroker target, Map<String, String> settings) {
        Map<String, Object> all = new java.util.HashMap<>(settings);
        all.put("bootstrap.servers", target.bootstrap());
        return new KafkaProducer<>(all, new StringSerializer(), new StringSerializer());
    }

    private static KafkaConsumer<String, String> consumer() {
        return consumer(broker);
    }

    private static KafkaConsumer<String, String> consumer(TestBroker source) {
        return new KafkaConsumer<>(
                Map.of("bootstrap.servers", source.bootstrap()),
                new StringDeserializer(),
                new StringDeserializer());
    }

    private static Admin admin() {
        return Admin.create(Map.of("bootstrap.servers", broker.bootstrap()));
    }
}
