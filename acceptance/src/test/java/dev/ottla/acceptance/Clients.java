package dev.ottla.acceptance;

import dev.ottla.testkit.Await;
import dev.ottla.testkit.BrokerCommand;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jspecify.annotations.Nullable;

/// Kafka's own clients for one broker, with the settings of a test: short waits, fresh names.
/// Closes all that it opened. Owned by one test; [#name] may be called from any thread.
final class Clients implements AutoCloseable {
    private static final AtomicInteger SEQUENCE = new AtomicInteger();
    private static final String RUN = UUID.randomUUID().toString().substring(0, 8);

    private final String bootstrap;
    private final Optional<Path> dataDir;
    private final Deque<AutoCloseable> opened = new ArrayDeque<>();
    private @Nullable Admin admin;

    Clients(String bootstrap) {
        this(bootstrap, Optional.empty());
    }

    Clients(String bootstrap, Optional<Path> dataDir) {
        this.bootstrap = bootstrap;
        this.dataDir = dataDir;
    }

    /// The broker's data directory; empty when the broker is none that this run started.
    Optional<Path> dataDir() {
        return dataDir;
    }

    String bootstrap() {
        return bootstrap;
    }

    /// A name that no other test uses.
    static String name(String prefix) {
        return prefix + "-" + RUN + "-" + SEQUENCE.incrementAndGet();
    }

    Admin admin() {
        if (admin == null) {
            admin =
                    open(
                            Admin.create(
                                    Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrap)));
        }
        return admin;
    }

    /// A new topic with settings given as key, value, key, value.
    String topic(int partitions, String... settings) {
        String name = name("topic");
        create(name, partitions, settings);
        return name;
    }

    void create(String name, int partitions, String... settings) {
        NewTopic topic =
                new NewTopic(name, Optional.of(partitions), Optional.empty())
                        .configs(map(settings));
        get(admin().createTopics(List.of(topic)).all());
        if (!BrokerCommand.isOttla()) {
            // Ottla's answer says that the topic can be used; another broker's may come a moment
            // earlier.
            Await.until(
                    name + " is known",
                    () -> !get(admin().describeTopics(List.of(name)).allTopicNames()).isEmpty());
        }
    }

    /// A producer of strings; settings are key, value, key, value.
    Producer<String, String> producer(Object... settings) {
        return open(
                new KafkaProducer<>(
                        producerSettings(settings),
                        new StringSerializer(),
                        new StringSerializer()));
    }

    Producer<byte[], byte[]> bytesProducer(Object... settings) {
        return open(
                new KafkaProducer<>(
                        producerSettings(settings),
                        new ByteArraySerializer(),
                        new ByteArraySerializer()));
    }

    private Map<String, Object> producerSettings(Object... settings) {
        Map<String, Object> all = new HashMap<>();
        all.put(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrap);
        all.put(ProducerConfig.LINGER_MS_CONFIG, 0);
        all.putAll(map(settings));
        return all;
    }

    /// A consumer of strings that starts at the beginning and commits only by hand, unless the
    /// settings say otherwise.
    Consumer<String, String> consumer(Object... settings) {
        return open(
                new KafkaConsumer<>(
                        consumerSettings(settings),
                        new StringDeserializer(),
                        new StringDeserializer()));
    }

    Consumer<byte[], byte[]> bytesConsumer(Object... settings) {
        return open(
                new KafkaConsumer<>(
                        consumerSettings(settings),
                        new ByteArrayDeserializer(),
                        new ByteArrayDeserializer()));
    }

    private Map<String, Object> consumerSettings(Object... settings) {
        Map<String, Object> all = new HashMap<>();
        all.put(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrap);
        all.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
        all.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        all.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
        all.put(ConsumerConfig.METADATA_MAX_AGE_CONFIG, 1_000);
        // Closing waits for the last fetch.
        all.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, 100);
        Map<String, Object> given = map(settings);
        if (!"consumer".equals(given.get(ConsumerConfig.GROUP_PROTOCOL_CONFIG))) {
            all.put(ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG, 200);
            all.put(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG, 10_000);
        }
        all.putAll(given);
        return all;
    }

    /// Sends and waits for all; returns what the broker said of each, in the order given.
    static <K, V> List<RecordMetadata> send(
            Producer<K, V> producer, Collection<ProducerRecord<K, V>> records) {
        List<Future<RecordMetadata>> sent = new ArrayList<>();
        for (ProducerRecord<K, V> record : records) {
            sent.add(producer.send(record));
        }
        producer.flush();
        return sent.stream().map(Clients::get).toList();
    }

    /// Sends the values to partition 0.
    List<RecordMetadata> send(String topic, String... values) {
        return send(topic, Arrays.asList(values));
    }

    List<RecordMetadata> send(String topic, Collection<String> values) {
        try (Producer<String, String> producer = producer()) {
            return send(
                    producer,
                    values.stream()
                            .map(v -> new ProducerRecord<String, String>(topic, 0, null, v))
                            .toList());
        }
    }

    /// Reads exactly `count` records through a consumer that already has its partitions or
    /// subscription.
    static <K, V> List<ConsumerRecord<K, V>> poll(Consumer<K, V> consumer, int count) {
        List<ConsumerRecord<K, V>> records = new ArrayList<>();
        Await.until(
                "%d records arrive".formatted(count),
                Await.DEADLINE,
                () -> {
                    consumer.poll(Duration.ofMillis(200)).forEach(records::add);
                    return records.size() >= count;
                },
                () -> "(%d came)".formatted(records.size()));
        if (records.size() > count) {
            throw new AssertionError(
                    "expected %d records, came %d".formatted(count, records.size()));
        }
        return records;
    }

    /// All that is in the topic now, read from the beginning without a group, by partition and in
    /// order.
    List<ConsumerRecord<byte[], byte[]>> readAll(String topic, Object... settings) {
        try (Consumer<byte[], byte[]> consumer = bytesConsumer(settings)) {
            List<TopicPartition> partitions = partitions(consumer, topic);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
            Map<TopicPartition, Long> read = new HashMap<>();
            Await.until(
                    "everything in " + topic + " is read",
                    Await.DEADLINE,
                    () -> {
                        drain(consumer, records);
                        partitions.forEach(p -> read.put(p, consumer.position(p)));
                        return partitions.stream().allMatch(p -> reached(read, ends, p));
                    },
                    () -> "(read to %s, ends are %s)".formatted(read, ends));
            return records;
        }
    }

    private static boolean reached(
            Map<TopicPartition, Long> read, Map<TopicPartition, Long> ends, TopicPartition key) {
        return read.getOrDefault(key, -1L) >= ends.getOrDefault(key, 0L);
    }

    /// Polls until nothing comes at once: a wait between full polls would be most of the time.
    private static <K, V> void drain(Consumer<K, V> consumer, List<ConsumerRecord<K, V>> records) {
        ConsumerRecords<K, V> polled = consumer.poll(Duration.ofMillis(200));
        while (!polled.isEmpty()) {
            polled.forEach(records::add);
            polled = consumer.poll(Duration.ZERO);
        }
    }

    static List<TopicPartition> partitions(Consumer<?, ?> consumer, String topic) {
        return consumer.partitionsFor(topic).stream()
                .map(info -> new TopicPartition(topic, info.partition()))
                .toList();
    }

    long offset(String topic, int partition, OffsetSpec spec) {
        TopicPartition key = new TopicPartition(topic, partition);
        return get(admin().listOffsets(Map.of(key, spec)).partitionResult(key)).offset();
    }

    /// What the map must have.
    static <K, V> V of(Map<K, V> map, K key) {
        return Objects.requireNonNull(map.get(key), () -> key + " in " + map);
    }

    int brokerId() {
        return get(admin().describeCluster().nodes()).iterator().next().id();
    }

    /// The value, or the cause of the failure when that is unchecked (Kafka's exceptions are).
    static <T> T get(Future<T> future) {
        try {
            return future.get(Await.DEADLINE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw new AssertionError(e.getCause());
        } catch (TimeoutException e) {
            throw new AssertionError("no answer in time", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }

    private static <V> Map<String, V> map(V[] settings) {
        Map<String, V> map = new HashMap<>();
        for (int i = 0; i < settings.length; i += 2) {
            map.put(String.valueOf(settings[i]), settings[i + 1]);
        }
        return map;
    }

    private <T extends AutoCloseable> T open(T client) {
        opened.push(client);
        return client;
    }

    @Override
    public void close() {
        for (AutoCloseable client : opened) {
            try {
                switch (client) {
                    case Consumer<?, ?> consumer ->
                            consumer.close(CloseOptions.timeout(Duration.ofSeconds(1)));
                    case Producer<?, ?> producer -> producer.close(Duration.ofSeconds(1));
                    default -> client.close();
                }
            } catch (Exception e) {
                throw new AssertionError("closing " + client, e);
            }
        }
        opened.clear();
    }
}
