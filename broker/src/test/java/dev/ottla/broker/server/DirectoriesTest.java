package dev.ottla.broker.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.LogDirDescription;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.admin.ReplicaInfo;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionReplica;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.InvalidReplicaAssignmentException;
import org.apache.kafka.common.errors.LogDirNotFoundException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Kafka's admin client looks into the data directories of a broker in this process and moves
/// partitions between them.
@Timeout(60)
final class DirectoriesTest {
    private static final String OFFSETS = "__consumer_offsets";

    @TempDir Path root;

    private String first = "";
    private String second = "";
    private TestBroker broker;
    private Admin admin;

    @BeforeEach
    void start() {
        first = root.resolve("first").toString();
        second = root.resolve("second").toString();
        broker = new TestBroker(Map.of("log.dirs", first + "," + second));
        admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrap()));
    }

    @AfterEach
    void stop() {
        admin.close();
        broker.close();
    }

    @Test
    void directoriesShowTheirPartitionsAndRoom() throws Exception {
        create("seen", 4);
        produce("seen", 0, 100);

        Map<String, LogDirDescription> described = describe();

        assertThat(described).containsOnlyKeys(first, second);
        assertThat(described.values())
                .allSatisfy(directory -> {
                    assertThat(directory.error()).isNull();
                    assertThat(directory.totalBytes().orElse(-1)).isPositive();
                    assertThat(directory.usableBytes().orElse(-1)).isPositive();
                    assertThat(directory.replicaInfos()).hasSize(2);
                });
        ReplicaInfo written = replica("seen", 0);
        assertThat(written.size()).isGreaterThan(100);
        assertThat(written.offsetLag()).isZero();
        assertThat(replica("seen", 1).size()).isZero();
    }

    @Test
    void partitionMovesWhileItIsWrittenAndRead() throws Exception {
        create("moving", 1);
        String start = directoryOf("moving", 0);
        int count = 0;
        List<Future<RecordMetadata>> sent = new ArrayList<>();
        try (KafkaProducer<String, String> producer = producer()) {
            for (int move = 0; move < 5; move++) {
                for (int i = 0; i < 300; i++) sent.add(producer.send(record("moving", count++)));
                move("moving", 0, other(directoryOf("moving", 0)));
                while (isMoving("moving", 0)) sent.add(producer.send(record("moving", count++)));
            }
            for (int i = 0; i < 100; i++) sent.add(producer.send(record("moving", count++)));
        }
        for (Future<RecordMetadata> each : sent) each.get(10, TimeUnit.SECONDS);

        assertThat(directoryOf("moving", 0)).isEqualTo(other(start));
        assertRecords("moving", count);
        broker.restart();
        assertRecords("moving", count);
    }

    @Test
    void groupGoesOnWhileItsOffsetsMove() throws Exception {
        create("t", 1);
        produce("t", 0, 20);
        try (KafkaConsumer<String, String> consumer =
                new KafkaConsumer<>(
                        Map.of(
                                "bootstrap.servers", broker.bootstrap(),
                                "group.id", "g",
                                "auto.offset.reset", "earliest",
                                "max.poll.records", "1",
                                "enable.auto.commit", "false"),
                        new StringDeserializer(),
                        new StringDeserializer())) {
            consumer.subscribe(List.of("t"));
            for (int read = 0; read < 20; ) {
                int count = consumer.poll(Duration.ofMillis(100)).count();
                read += count;
                if (count > 0) consumer.commitSync(Duration.ofSeconds(20));
                if (count > 0 && read % 5 == 1) {
                    int offsets = offsetsPartition();
                    move(OFFSETS, offsets, other(directoryOf(OFFSETS, offsets)));
                }
            }
        }

        assertThat(
                        admin.listConsumerGroupOffsets("g")
                                .partitionsToOffsetAndMetadata()
                                .get(10, TimeUnit.SECONDS)
                                .get(new TopicPartition("t", 0)))
                .extracting(OffsetAndMetadata::offset)
                .isEqualTo(20L);
    }

    @Test
    void topicThatIsDeletedWhileItMovesLeavesNothing() throws Exception {
        create("t", 1);
        produce("t", 0, 2000);
        move("t", 0, other(directoryOf("t", 0)));

        admin.deleteTopics(List.of("t")).all().get(10, TimeUnit.SECONDS);

        create("t", 1);
        produce("t", 0, 5);
        assertRecords("t", 5);
        while (leftovers() > 1) Thread.onSpinWait();
    }

    /// Directories of partition 0 of `t`, its copies and its remains.
    private long leftovers() throws IOException {
        long count = 0;
        for (String directory : List.of(first, second)) {
            try (Stream<Path> files = Files.list(Path.of(directory))) {
                count +=
                        files.filter(file -> file.getFileName().toString().startsWith("t-0"))
                                .count();
            }
        }
        return count;
    }

    /// The partition that holds the offsets of the only group.
    private int offsetsPartition() throws Exception {
        return describe().values().stream()
                .flatMap(directory -> directory.replicaInfos().entrySet().stream())
                .filter(replica -> replica.getKey().topic().equals(OFFSETS))
                .filter(replica -> replica.getValue().size() > 0)
                .findFirst()
                .orElseThrow()
                .getKey()
                .partition();
    }

    @Test
    void recordsDeletedBeforeAMoveStayDeleted() throws Exception {
        create("trimmed", 1);
        produce("trimmed", 0, 50);
        admin.deleteRecords(
                        Map.of(new TopicPartition("trimmed", 0), RecordsToDelete.beforeOffset(20)))
                .all()
                .get(10, TimeUnit.SECONDS);

        move("trimmed", 0, other(directoryOf("trimmed", 0)));
        awaitMoved("trimmed", 0);

        assertThat(consume("trimmed", 30).getFirst().offset()).isEqualTo(20);
    }

    /// Neither what does not match its checksum nor what is no batch at all.
    @Test
    void damageIsNotCopiedAndThePartitionServesOnWhereItIs() throws Exception {
        create("t", 1);
        String home = directoryOf("t", 0);
        Path segment = Path.of(home, "t-0", "00000000000000000000.log");
        for (int damagedByte : List.of(70, 16)) {
            produce("t", 0, 3);
            long batch = Files.size(segment);
            produce("t", 0, 3);
            damage(segment, batch + damagedByte);

            move("t", 0, other(home));
            awaitMoved("t", 0);

            assertThat(directoryOf("t", 0)).isEqualTo(home);
            produce("t", 0, 3);
            damage(segment, batch + damagedByte);
        }
        move("t", 0, other(home));
        awaitMoved("t", 0);
        assertThat(directoryOf("t", 0)).isEqualTo(other(home));
        assertThat(consume("t", 18)).hasSize(18);
    }

    /// Twice is as if it had never been.
    private static void damage(Path file, long position) throws IOException {
        try (RandomAccessFile opened = new RandomAccessFile(file.toFile(), "rw")) {
            opened.seek(position);
            int value = opened.read();
            opened.seek(position);
            opened.write(value ^ 0x55);
        }
    }

    @Test
    void partitionThatWasNeverWrittenMovesToo() throws Exception {
        create("empty", 1);
        String target = other(directoryOf("empty", 0));

        move("empty", 0, target);
        awaitMoved("empty", 0);

        assertThat(directoryOf("empty", 0)).isEqualTo(target);
        produce("empty", 0, 10);
        assertThat(Path.of(target, "empty-0")).isDirectory();
    }

    @Test
    void directoryWhereThePartitionIsAlreadyIsNoMove() throws Exception {
        create("still", 1);
        produce("still", 0, 10);

        move("still", 0, directoryOf("still", 0));

        assertThat(describe().values())
                .allSatisfy(directory ->
                        assertThat(directory.replicaInfos().values())
                                .noneMatch(ReplicaInfo::isFuture));
    }

    @Test
    void movesThatCannotBeAreRefused() throws Exception {
        create("t", 1);

        assertThatThrownBy(() -> move("t", 0, "/no/such/directory"))
                .hasCauseInstanceOf(LogDirNotFoundException.class);
        assertThatThrownBy(() -> move("t", 7, second))
                .hasCauseInstanceOf(UnknownTopicOrPartitionException.class);
        assertThatThrownBy(() -> move("unknown", 0, second))
                .hasCauseInstanceOf(UnknownTopicOrPartitionException.class);
    }

    @Test
    @Tag("config:cordoned.log.dirs")
    void cordonedDirectoryGetsNoPartitions() throws Exception {
        create("t", 2);
        ConfigResource thisBroker = new ConfigResource(ConfigResource.Type.BROKER, "1");
        AlterConfigOp cordon =
                new AlterConfigOp(
                        new ConfigEntry("cordoned.log.dirs", second), AlterConfigOp.OpType.SET);
        admin.incrementalAlterConfigs(Map.of(thisBroker, List.of(cordon)))
                .all()
                .get(10, TimeUnit.SECONDS);

        while (!described(second).isCordoned()) Thread.onSpinWait();

        assertThatThrownBy(() -> move("t", 0, second))
                .hasCauseInstanceOf(InvalidReplicaAssignmentException.class);
        admin.createPartitions(Map.of("t", NewPartitions.increaseTo(6)))
                .all()
                .get(10, TimeUnit.SECONDS);
        assertThat(described(first).replicaInfos()).hasSize(5);
    }

    @Test
    void copyOfAMoveThatWasCutOffIsRemovedAtTheNextStart() throws Exception {
        create("t", 1);
        produce("t", 0, 10);
        String other = other(directoryOf("t", 0));
        Path copy = Path.of(other, "t-0.0123456789abcdef0123456789abcdef-future");
        Files.createDirectory(copy);

        broker.restart();

        assertThat(copy).doesNotExist();
        assertRecords("t", 10);
    }

    private void create(String topic, int partitions) throws Exception {
        admin.createTopics(List.of(new NewTopic(topic, partitions, (short) 1)))
                .all()
                .get(10, TimeUnit.SECONDS);
    }

    private KafkaProducer<String, String> producer() {
        return new KafkaProducer<>(
                Map.of("bootstrap.servers", broker.bootstrap()),
                new StringSerializer(),
                new StringSerializer());
    }

    private static ProducerRecord<String, String> record(String topic, int number) {
        return new ProducerRecord<>(topic, 0, "key", value(number));
    }

    /// Now and then a large one, so that a copy takes several steps.
    private static String value(int number) {
        return "value-" + number + (number % 10 == 0 ? "-".repeat(20_000) : "");
    }

    private void produce(String topic, int from, int to) throws Exception {
        try (KafkaProducer<String, String> producer = producer()) {
            List<Future<RecordMetadata>> sent = new ArrayList<>();
            for (int i = from; i < to; i++) sent.add(producer.send(record(topic, i)));
            producer.flush();
            for (Future<RecordMetadata> each : sent) each.get(10, TimeUnit.SECONDS);
        }
    }

    private void assertRecords(String topic, int count) throws IOException {
        List<ConsumerRecord<String, String>> records = consume(topic, count);
        for (int i = 0; i < count; i++) {
            assertThat(records.get(i).offset()).isEqualTo(i);
            assertThat(records.get(i).value()).isEqualTo(value(i));
        }
    }

    private List<ConsumerRecord<String, String>> consume(String topic, int count) {
        TopicPartition partition = new TopicPartition(topic, 0);
        List<ConsumerRecord<String, String>> records = new ArrayList<>();
        try (KafkaConsumer<String, String> consumer =
                new KafkaConsumer<>(
                        Map.of("bootstrap.servers", broker.bootstrap()),
                        new StringDeserializer(),
                        new StringDeserializer())) {
            consumer.assign(List.of(partition));
            consumer.seekToBeginning(List.of(partition));
            while (records.size() < count) {
                consumer.poll(Duration.ofMillis(200)).forEach(records::add);
            }
        }
        assertThat(records).hasSize(count);
        return records;
    }

    private Map<String, LogDirDescription> describe() throws Exception {
        return admin.describeLogDirs(List.of(1))
                .allDescriptions()
                .get(10, TimeUnit.SECONDS)
                .getOrDefault(1, Map.of());
    }

    private LogDirDescription described(String directory) throws Exception {
        return Optional.ofNullable(describe().get(directory)).orElseThrow();
    }

    private ReplicaInfo replica(String topic, int partition) throws Exception {
        return describe().values().stream()
                .map(LogDirDescription::replicaInfos)
                .map(replicas -> replicas.get(new TopicPartition(topic, partition)))
                .filter(replica -> replica != null && !replica.isFuture())
                .findFirst()
                .orElseThrow();
    }

    private String directoryOf(String topic, int partition) throws Exception {
        TopicPartition key = new TopicPartition(topic, partition);
        return describe().entrySet().stream()
                .filter(each -> {
                    ReplicaInfo replica = each.getValue().replicaInfos().get(key);
                    return replica != null && !replica.isFuture();
                })
                .map(Map.Entry::getKey)
                .findFirst()
                .orElseThrow();
    }

    private String other(String directory) {
        return directory.equals(first) ? second : first;
    }

    private void move(String topic, int partition, String directory)
            throws InterruptedException, ExecutionException {
        admin.alterReplicaLogDirs(Map.of(new TopicPartitionReplica(topic, partition, 1), directory))
                .all()
                .get();
    }

    private void awaitMoved(String topic, int partition) throws Exception {
        while (isMoving(topic, partition)) Thread.onSpinWait();
    }

    private boolean isMoving(String topic, int partition) throws Exception {
        TopicPartition key = new TopicPartition(topic, partition);
        return describe().values().stream()
                .map(each -> each.replicaInfos().get(key))
                .anyMatch(replica -> replica != null && replica.isFuture());
    }
}
