package dev.ottla.broker.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/// A broker whose settings are changed while it runs, with clients and a view of its disk that show
/// what comes of it. One shard and one thread for the disk, so that what was asked for first is
/// done first.
final class TunedBroker implements AutoCloseable {
    private static final long DEADLINE_SECONDS = 30;
    private static final ConfigResource ALL_BROKERS =
            new ConfigResource(ConfigResource.Type.BROKER, "");

    /// What one topic shows of a setting that changes while it is in use.
    interface Probe<T> {
        /// Runs `change` between the first use of the topic and the look at it.
        T look(String topic, Callable<Void> change) throws Exception;
    }

    /// A topic's key and the broker's key that gives its default.
    ///
    /// @param usual the broker's default
    record Keys(String broker, String topic, String usual, String changed) {}

    private final WatchedDisk disk;
    private final TestBroker broker;
    private Admin admin;
    private KafkaProducer<byte[], byte[]> producer;
    private int topics;

    TunedBroker(Map<String, String> settings) {
        this(settings, new WatchedDisk(_ -> {}));
    }

    TunedBroker(Map<String, String> settings, WatchedDisk disk) {
        this.disk = disk;
        Map<String, String> all = new HashMap<>(settings);
        all.put("num.shards", "1");
        all.put("num.io.threads.per.data.dir", "1");
        broker = new TestBroker(all, disk);
        admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrap()));
        producer = producer(Map.of());
    }

    Admin admin() {
        return admin;
    }

    /// Restarts it with `changed` settings.
    void restart(Map<String, String> changed) {
        restart(changed, () -> {});
    }

    void restart(Map<String, String> changed, Runnable whileStopped) {
        producer.close();
        admin.close();
        broker.restart(changed, whileStopped);
        admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrap()));
        producer = producer(Map.of());
    }

    /// Looks at four topics: as things are; with the broker's key changed; with the broker's key
    /// changed, but the topic's key set to the usual value; with the topic's key changed.
    <T> void assertBothDecide(
            Keys keys, Map<String, String> topicSettings, Probe<T> probe, T usual, T changed)
            throws Exception {
        assertThat(looks(keys, topicSettings, probe))
                .as("%s and %s", keys.broker(), keys.topic())
                .containsExactly(usual, changed, usual, changed);
    }

    /// What [#assertBothDecide] compares.
    <T> List<T> looks(Keys keys, Map<String, String> topicSettings, Probe<T> probe)
            throws Exception {
        Map<String, String> overruling = new HashMap<>(topicSettings);
        overruling.put(keys.topic(), keys.usual());
        List<T> seen = new ArrayList<>();
        seen.add(probe.look(topic(topicSettings), () -> null));
        String first = topic(topicSettings);
        seen.add(probe.look(first, () -> setForAll(keys.broker(), keys.changed())));
        seen.add(probe.look(topic(overruling), () -> null));
        resetForAll(keys.broker());
        String last = topic(topicSettings);
        seen.add(probe.look(last, () -> set(last, keys.topic(), keys.changed())));
        return seen;
    }

    // Settings.

    Void setForAll(String key, String value) throws Exception {
        return alter(ALL_BROKERS, key, value, AlterConfigOp.OpType.SET);
    }

    Void resetForAll(String key) throws Exception {
        return alter(ALL_BROKERS, key, "", AlterConfigOp.OpType.DELETE);
    }

    Void set(String topic, String key, String value) throws Exception {
        return alter(
                new ConfigResource(ConfigResource.Type.TOPIC, topic),
                key,
                value,
                AlterConfigOp.OpType.SET);
    }

    @SuppressWarnings("NullAway") // Callable's type argument is Void.
    private Void alter(ConfigResource resource, String key, String value, AlterConfigOp.OpType type)
            throws Exception {
        AlterConfigOp change = new AlterConfigOp(new ConfigEntry(key, value), type);
        return admin.incrementalAlterConfigs(Map.of(resource, List.of(change)))
                .all()
                .get(DEADLINE_SECONDS, TimeUnit.SECONDS);
    }

    // Topics and records.

    /// A new topic of eight partitions.
    String topic(Map<String, String> settings) throws Exception {
        String name = "topic-" + topics++;
        admin.createTopics(List.of(new NewTopic(name, 8, (short) 1).configs(settings)))
                .all()
                .get(DEADLINE_SECONDS, TimeUnit.SECONDS);
        return name;
    }

    /// A producer that neither waits for more records nor tries again.
    KafkaProducer<byte[], byte[]> producer(Map<String, String> settings) {
        Map<String, Object> all = new HashMap<>();
        all.put("bootstrap.servers", broker.bootstrap());
        all.put("linger.ms", "0");
        all.put("enable.idempotence", "false");
        all.put("retries", "0");
        all.put("max.request.size", "10000000");
        all.putAll(settings);
        return new KafkaProducer<>(all, new ByteArraySerializer(), new ByteArraySerializer());
    }

    /// Writes one record, in a batch of its own, to partition 0.
    RecordMetadata send(String topic, long timestamp, int bytes) throws Exception {
        return send(topic, 0, timestamp, new byte[bytes]);
    }

    RecordMetadata send(String topic, int partition, long timestamp, byte[] value)
            throws Exception {
        return producer.send(
                        new ProducerRecord<>(topic, partition, timestamp, new byte[] {1}, value))
                .get(DEADLINE_SECONDS, TimeUnit.SECONDS);
    }

    /// Why a record is not taken: the name of the error, empty when it was taken.
    String refusal(String topic, long timestamp, int bytes) throws Exception {
        return refusal(
                producer,
                new ProducerRecord<>(topic, 0, timestamp, new byte[] {1}, new byte[bytes]));
    }

    static String refusal(
            KafkaProducer<byte[], byte[]> producer, ProducerRecord<byte[], byte[]> record)
            throws Exception {
        try {
            producer.send(record).get(DEADLINE_SECONDS, TimeUnit.SECONDS);
            return "";
        } catch (ExecutionException e) {
            return Objects.requireNonNull(e.getCause()).getClass().getSimpleName();
        }
    }

    /// The record without key.
    String refusalWithoutKey(String topic) throws Exception {
        return refusal(producer, new ProducerRecord<>(topic, 0, null, null, new byte[10]));
    }

    void deleteRecords(String topic, long beforeOffset) throws Exception {
        admin.deleteRecords(
                        Map.of(
                                new TopicPartition(topic, 0),
                                RecordsToDelete.beforeOffset(beforeOffset)))
                .all()
                .get(DEADLINE_SECONDS, TimeUnit.SECONDS);
    }

    /// First offset of partition 0.
    long startOffset(String topic) throws Exception {
        TopicPartition partition = new TopicPartition(topic, 0);
        return admin.listOffsets(Map.of(partition, OffsetSpec.earliest()))
                .partitionResult(partition)
                .get(DEADLINE_SECONDS, TimeUnit.SECONDS)
                .offset();
    }

    // The disk.

    Path dataDirectory() {
        return broker.server().dataDirectories().getFirst();
    }

    /// Syncs of the files of partition 0 up to now.
    long syncs(String topic) {
        return disk.syncsIn(dataDirectory().resolve(topic + "-0"));
    }

    /// The files of all partitions of a topic whose names end so, sorted.
    List<Path> files(String topic, String suffix) throws IOException {
        List<Path> found = new ArrayList<>();
        for (int partition = 0; partition < 8; partition++) {
            Path directory = dataDirectory().resolve(topic + "-" + partition);
            if (Files.exists(directory)) {
                try (Stream<Path> files = Files.list(directory)) {
                    files.filter(file -> file.toString().endsWith(suffix)).forEach(found::add);
                }
            }
        }
        Path[] sorted = found.toArray(Path[]::new);
        Arrays.sort(sorted);
        return List.of(sorted);
    }

    /// Asks until it is so.
    static void await(String what, Callable<Boolean> condition) throws Exception {
        long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(DEADLINE_SECONDS);
        while (!condition.call()) {
            assertThat(System.nanoTime()).as("time until %s", what).isLessThan(deadlineNs);
        }
    }

    @Override
    public void close() {
        producer.close();
        admin.close();
        broker.close();
    }
}
