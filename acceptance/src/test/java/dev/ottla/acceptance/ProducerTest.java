package dev.ottla.acceptance;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ottla.testkit.Await;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Partitioner;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.clients.producer.RoundRobinPartitioner;
import org.apache.kafka.common.Cluster;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InvalidTimestampException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Kafka's producer: what it sends arrives, once and in order, under every setting that changes how
/// it sends.
@ExtendWith(SharedBroker.class)
class ProducerTest {
    @ParameterizedTest
    @ValueSource(strings = {"0", "1", "all"})
    void recordsArriveInOrderUnderEveryAcks(String acks, Clients clients) {
        String topic = clients.topic(1);
        List<String> values = numbers(500);

        try (Producer<String, String> producer =
                clients.producer("acks", acks, "enable.idempotence", false)) {
            Clients.send(producer, records(topic, values));
        }

        Await.until(
                "all records are in the log",
                () -> clients.offset(topic, 0, OffsetSpec.latest()) == values.size());
        assertThat(clients.readAll(topic)).extracting(r -> text(r.value())).isEqualTo(values);
    }

    @Test
    void idempotentProducerKeepsOrderAndOffsetsOnManyPartitions(Clients clients) {
        String topic = clients.topic(6);
        Producer<String, String> producer =
                clients.producer("enable.idempotence", true, "batch.size", 500, "linger.ms", 1);
        List<ProducerRecord<String, String>> records =
                IntStream.range(0, 6_000)
                        .mapToObj(i -> new ProducerRecord<>(topic, i % 6, "k", "v" + i))
                        .toList();

        List<RecordMetadata> sent = Clients.send(producer, records);

        Map<Integer, List<Long>> offsets =
                sent.stream()
                        .collect(
                                Collectors.groupingBy(
                                        RecordMetadata::partition,
                                        Collectors.mapping(
                                                RecordMetadata::offset, Collectors.toList())));
        List<Long> expected = IntStream.range(0, 1_000).mapToObj(i -> (long) i).toList();
        assertThat(offsets.values()).hasSize(6).allMatch(expected::equals);
        assertThat(clients.readAll(topic)).hasSize(6_000);
    }

    @ParameterizedTest
    @CsvSource({
        "none, producer", "gzip, producer", "snappy, producer", "lz4, producer", "zstd, producer",
        "none, gzip", "gzip, snappy", "snappy, lz4", "lz4, zstd", "zstd, uncompressed"
    })
    void everyCodecArrives(String producerCodec, String topicCodec, Clients clients) {
        String topic = clients.topic(1, "compression.type", topicCodec);
        List<String> values =
                numbers(300).stream().map(n -> n + "-" + "ottla".repeat(200)).toList();

        Producer<String, String> producer =
                clients.producer("compression.type", producerCodec, "linger.ms", 20);
        List<RecordMetadata> sent = Clients.send(producer, records(topic, values));

        assertThat(sent).extracting(RecordMetadata::offset).isEqualTo(longs(300));
        List<ConsumerRecord<byte[], byte[]>> read = clients.readAll(topic);
        assertThat(read).extracting(r -> text(r.value())).isEqualTo(values);
        assertThat(read).extracting(ConsumerRecord::offset).isEqualTo(longs(300));
    }

    @Test
    void headersKeepOrderDuplicatesNullsAndEmptyValues(Clients clients) {
        String topic = clients.topic(1);
        List<Header> headers =
                List.of(
                        new RecordHeader("a", bytes("1")),
                        new RecordHeader("a", bytes("2")),
                        new RecordHeader("nothing", null),
                        new RecordHeader("empty", new byte[0]),
                        new RecordHeader("žluť", bytes("ž")));

        Producer<String, String> producer = clients.producer();
        Clients.send(producer, List.of(new ProducerRecord<>(topic, 0, null, "k", "v", headers)));

        ConsumerRecord<byte[], byte[]> read = clients.readAll(topic).getFirst();
        assertThat(Arrays.asList(read.headers().toArray())).isEqualTo(headers);
    }

    @Test
    void nullAndEmptyKeysAndValuesAreKeptApart(Clients clients) {
        String topic = clients.topic(1);
        Producer<String, String> producer = clients.producer();

        Clients.send(
                producer,
                List.of(
                        new ProducerRecord<String, String>(topic, 0, null, null),
                        new ProducerRecord<>(topic, 0, "", "")));

        List<ConsumerRecord<byte[], byte[]>> read = clients.readAll(topic);
        assertThat(read.get(0).key()).isNull();
        assertThat(read.get(0).value()).isNull();
        assertThat(read.get(1).key()).isEmpty();
        assertThat(read.get(1).value()).isEmpty();
    }

    @Test
    void largeRecordsPassWhereTheTopicAllowsThem(Clients clients) {
        String topic = clients.topic(1, "max.message.bytes", "12000000");
        byte[] large = new byte[10_000_000];
        new Random(7).nextBytes(large);
        Producer<byte[], byte[]> producer =
                clients.bytesProducer("max.request.size", 12_000_000, "buffer.memory", 64_000_000L);

        Clients.send(
                producer,
                List.of(
                        new ProducerRecord<byte[], byte[]>(topic, large),
                        new ProducerRecord<byte[], byte[]>(topic, bytes("small"))));

        // A fetch limit far below the record must not stop the consumer.
        List<ConsumerRecord<byte[], byte[]>> read =
                clients.readAll(
                        topic, "max.partition.fetch.bytes", 1_000, "fetch.max.bytes", 1_000);
        assertThat(read.get(0).value()).isEqualTo(large);
        assertThat(read.get(1).value()).isEqualTo(bytes("small"));
    }

    @Test
    void recordsLargerThanTheTopicAllowsAreRefused(Clients clients) {
        String topic = clients.topic(1, "max.message.bytes", "1000");
        Producer<String, String> producer = clients.producer();

        assertThatThrownBy(() -> clients.send(topic, "x".repeat(5_000)))
                .isInstanceOf(RecordTooLargeException.class);

        Clients.send(producer, records(topic, List.of("fits")));
        assertThat(clients.readAll(topic)).hasSize(1);
    }

    @Test
    void keysDecideThePartition(Clients clients) {
        String topic = clients.topic(7);
        Producer<String, String> producer = clients.producer();
        List<ProducerRecord<String, String>> records =
                IntStream.range(0, 700)
                        .mapToObj(i -> new ProducerRecord<>(topic, "key-" + i % 70, "v" + i))
                        .toList();

        Clients.send(producer, records);

        Map<String, List<ConsumerRecord<byte[], byte[]>>> byKey =
                clients.readAll(topic).stream().collect(Collectors.groupingBy(r -> text(r.key())));
        assertThat(byKey).hasSize(70);
        byKey.forEach((key, read) -> {
            assertThat(read)
                    .extracting(ConsumerRecord::partition)
                    .containsOnly(read.getFirst().partition());
            List<Integer> order =
                    read.stream().map(r -> Integer.valueOf(text(r.value()).substring(1))).toList();
            assertThat(order).isSorted().hasSize(10);
        });
        assertThat(partitionsUsed(clients, topic)).hasSize(7);
    }

    @Test
    void stickyPartitionerFillsABatchAndMovesOn(Clients clients) {
        String topic = clients.topic(4);
        Producer<String, String> producer = clients.producer("batch.size", 2_000, "linger.ms", 5);
        List<ProducerRecord<String, String>> records =
                IntStream.range(0, 2_000)
                        .mapToObj(i -> new ProducerRecord<String, String>(topic, "x".repeat(100)))
                        .toList();

        List<RecordMetadata> sent = Clients.send(producer, records);

        long moves =
                IntStream.range(1, sent.size())
                        .filter(i -> sent.get(i).partition() != sent.get(i - 1).partition())
                        .count();
        assertThat(moves).isPositive().isLessThan(sent.size() / 4);
        assertThat(clients.readAll(topic)).hasSize(2_000);
    }

    @Test
    void roundRobinAndCustomPartitionersAreFollowed(Clients clients) {
        String topic = clients.topic(4);
        Producer<String, String> roundRobin =
                clients.producer("partitioner.class", RoundRobinPartitioner.class.getName());
        Clients.send(roundRobin, records(topic, numbers(40), -1));
        assertThat(partitionsUsed(clients, topic)).hasSizeGreaterThanOrEqualTo(2);

        String other = clients.topic(4);
        Producer<String, String> custom =
                clients.producer("partitioner.class", LengthPartitioner.class.getName());
        Clients.send(custom, records(other, List.of("", "1", "22", "333", "4444", "55555"), -1));
        assertThat(clients.readAll(other))
                .hasSize(6)
                .allMatch(r -> r.partition() == r.value().length % 4);
    }

    @Test
    void timestampsAreTheProducersOrTheBrokersAsTheTopicSays(Clients clients) {
        String create = clients.topic(1);
        String append = clients.topic(1, "message.timestamp.type", "LogAppendTime");
        long before = System.currentTimeMillis();
        Producer<String, String> producer = clients.producer();

        for (String topic : List.of(create, append)) {
            RecordMetadata sent =
                    Clients.send(
                                    producer,
                                    List.of(
                                            new ProducerRecord<>(
                                                    topic, 0, before - 5_000, "k", "v")))
                            .getFirst();
            ConsumerRecord<byte[], byte[]> read = clients.readAll(topic).getFirst();
            assertThat(read.timestamp()).isEqualTo(sent.timestamp());
            if (topic.equals(create)) {
                assertThat(read.timestampType()).isEqualTo(TimestampType.CREATE_TIME);
                assertThat(read.timestamp()).isEqualTo(before - 5_000);
            } else {
                assertThat(read.timestampType()).isEqualTo(TimestampType.LOG_APPEND_TIME);
                assertThat(read.timestamp()).isBetween(before, System.currentTimeMillis());
            }
        }
    }

    @Test
    void timestampsOutsideTheTopicsBoundsAreRefused(Clients clients) {
        String topic =
                clients.topic(
                        1,
                        "message.timestamp.before.max.ms",
                        "60000",
                        "message.timestamp.after.max.ms",
                        "60000");
        Producer<String, String> producer = clients.producer();
        long now = System.currentTimeMillis();

        for (long timestamp : new long[] {now - 600_000, now + 600_000}) {
            assertThatThrownBy(() ->
                            Clients.send(
                                    producer,
                                    List.of(new ProducerRecord<>(topic, 0, timestamp, "k", "v"))))
                    .isInstanceOf(InvalidTimestampException.class);
        }
        assertThat(clients.readAll(topic)).isEmpty();
    }

    @Test
    void compactedTopicsRefuseRecordsWithoutKey(Clients clients) {
        String topic = clients.topic(1, "cleanup.policy", "compact");

        assertThatThrownBy(() -> clients.send(topic, "no key"))
                .isInstanceOf(InvalidRecordException.class);

        Producer<String, String> producer = clients.producer();
        Clients.send(producer, List.of(new ProducerRecord<>(topic, 0, "k", "v")));
        assertThat(clients.readAll(topic)).hasSize(1);
    }

    @Test
    void invalidTopicNamesAreRefused(Clients clients) {
        Producer<String, String> producer = clients.producer("max.block.ms", 5_000);

        assertThatThrownBy(() -> Clients.get(producer.send(new ProducerRecord<>("bad name!", "v"))))
                .isInstanceOf(InvalidTopicException.class);
    }

    @Test
    void firstRecordCreatesItsTopic(Clients clients) {
        String topic = Clients.name("auto");
        Producer<String, String> producer = clients.producer();

        List<RecordMetadata> sent = Clients.send(producer, records(topic, List.of("first"), -1));

        assertThat(sent.getFirst().offset()).isZero();
        assertThat(producer.partitionsFor(topic)).hasSize(1);
        assertThat(clients.readAll(topic)).hasSize(1);
    }

    @Test
    void manyTopicsShareRequests(Clients clients) {
        List<String> topics = IntStream.range(0, 30).mapToObj(i -> clients.topic(2)).toList();
        Producer<String, String> producer = clients.producer("linger.ms", 50);
        List<ProducerRecord<String, String>> records = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            for (String topic : topics) {
                records.add(new ProducerRecord<>(topic, i % 2, "k", "v" + i));
            }
        }

        Clients.send(producer, records);

        Consumer<byte[], byte[]> consumer = clients.bytesConsumer();
        List<TopicPartition> all =
                topics.stream().flatMap(t -> Clients.partitions(consumer, t).stream()).toList();
        assertThat(consumer.endOffsets(all))
                .hasSize(60)
                .allSatisfy((p, end) -> assertThat(end).isEqualTo(10));
        consumer.assign(all);
        assertThat(Clients.poll(consumer, 600)).hasSize(600);
    }

    @Test
    void severalProducersWriteToOnePartitionAtOnce(Clients clients) {
        String topic = clients.topic(1);
        List<Producer<String, String>> producers =
                IntStream.range(0, 4)
                        .mapToObj(i -> clients.producer("batch.size", 300, "linger.ms", 1))
                        .toList();
        AtomicInteger sent = new AtomicInteger();

        producers.parallelStream()
                .forEach(producer -> {
                    int number = producers.indexOf(producer);
                    List<String> values =
                            numbers(1_000).stream().map(n -> number + ":" + n).toList();
                    sent.addAndGet(Clients.send(producer, records(topic, values)).size());
                });

        List<String> read = clients.readAll(topic).stream().map(r -> text(r.value())).toList();
        assertThat(read).hasSize(4_000);
        for (int i = 0; i < 4; i++) {
            String prefix = i + ":";
            assertThat(read.stream().filter(v -> v.startsWith(prefix)).map(v -> v.substring(2)))
                    .containsExactlyElementsOf(numbers(1_000));
        }
        assertThat(sent).hasValue(4_000);
    }

    private static List<Integer> partitionsUsed(Clients clients, String topic) {
        return clients.readAll(topic).stream().map(ConsumerRecord::partition).distinct().toList();
    }

    private static List<String> numbers(int count) {
        return IntStream.range(0, count).mapToObj(String::valueOf).toList();
    }

    private static List<Long> longs(int count) {
        return IntStream.range(0, count).mapToObj(i -> (long) i).toList();
    }

    private static List<ProducerRecord<String, String>> records(String topic, List<String> values) {
        return records(topic, values, 0);
    }

    private static List<ProducerRecord<String, String>> records(
            String topic, List<String> values, int partition) {
        Integer chosen = partition < 0 ? null : Integer.valueOf(partition);
        return values.stream()
                .map(v -> new ProducerRecord<String, String>(topic, chosen, null, v))
                .toList();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(UTF_8);
    }

    private static String text(byte[] bytes) {
        return new String(bytes, UTF_8);
    }

    /// Chooses by the length of the value.
    public static final class LengthPartitioner implements Partitioner {
        @Override
        public int partition(
                String topic,
                Object key,
                byte[] keyBytes,
                Object value,
                byte[] valueBytes,
                Cluster cluster) {
            return valueBytes.length % cluster.partitionCountForTopic(topic);
        }

        @Override
        public void close() {}

        @Override
        public void configure(Map<String, ?> configs) {}
    }
}
