package dev.ottla.broker.handler.directory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.ottla.broker.handler.TestMetadata;
import dev.ottla.broker.metrics.BrokerMetrics;
import dev.ottla.broker.partition.PartitionManager;
import dev.ottla.broker.partition.ReplicaMoves;
import dev.ottla.broker.partition.ReplicaQueries;
import dev.ottla.broker.request.Asked;
import dev.ottla.broker.settings.BrokerConfig;
import dev.ottla.broker.shard.Shard;
import dev.ottla.broker.shard.Shards;
import dev.ottla.config.BrokerLayers;
import dev.ottla.config.ConfigResolver;
import dev.ottla.config.Surroundings;
import dev.ottla.log.DataDirectory;
import dev.ottla.log.DirectoryException;
import dev.ottla.log.LogShard;
import dev.ottla.log.disk.FileDisk;
import dev.ottla.metadata.controller.ApiError;
import dev.ottla.metadata.image.ClusterImage;
import dev.ottla.wire.ErrorCode;
import dev.ottla.wire.Uuid;
import dev.ottla.wire.message.AlterReplicaLogDirsRequest;
import dev.ottla.wire.message.AlterReplicaLogDirsRequest.AlterReplicaLogDir;
import dev.ottla.wire.message.AlterReplicaLogDirsRequest.AlterReplicaLogDirTopic;
import dev.ottla.wire.message.AlterReplicaLogDirsResponse;
import dev.ottla.wire.message.AlterReplicaLogDirsResponse.AlterReplicaLogDirPartitionResult;
import dev.ottla.wire.message.AlterReplicaLogDirsResponse.AlterReplicaLogDirTopicResult;
import dev.ottla.wire.message.DescribeLogDirsRequest;
import dev.ottla.wire.message.DescribeLogDirsRequest.DescribableLogDirTopic;
import dev.ottla.wire.message.DescribeLogDirsResponse;
import dev.ottla.wire.message.DescribeLogDirsResponse.DescribeLogDirsPartition;
import dev.ottla.wire.message.DescribeLogDirsResponse.DescribeLogDirsResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
final class LogDirsHandlersTest {
    private static final Uuid FIRST = new Uuid(50, 1000);
    private static final Uuid SECOND = new Uuid(50, 2000);

    @TempDir Path root;

    private final TestMetadata metadata = new TestMetadata(2, FIRST, SECOND);
    private final Shard shard =
            new Shard(0, System::nanoTime, Thread::new, Throwable::printStackTrace);
    private final Map<Uuid, DataDirectory> directories = new TreeMap<>();
    private Path first = Path.of("");
    private Path second = Path.of("");

    @BeforeEach
    void start() throws DirectoryException {
        first = open("first", FIRST);
        second = open("second", SECOND);
        metadata.create("here", List.of(List.of(1), List.of(1), List.of(1)));
        metadata.create("elsewhere", List.of(List.of(2)));
        shard.start();
    }

    private Path open(String name, Uuid id) throws DirectoryException {
        Path path = root.resolve(name);
        DataDirectory.Options options = new DataDirectory.Options(1, 0, 0, 0, id);
        directories.put(
                id,
                DataDirectory.open(new FileDisk(), path, options, Runnable::run, Runnable::run));
        return path;
    }

    @AfterEach
    void stop() throws Exception {
        shard.stop();
        shard.awaitStop(10_000);
        for (DataDirectory directory : directories.values()) {
            if (Files.exists(directory.path())) directory.close(false);
        }
    }

    private ReplicaQueries replicas() {
        ConfigResolver config =
                new ConfigResolver(BrokerLayers.of(Map.of()), Surroundings.of(1, 1));
        PartitionManager partitions =
                new PartitionManager(
                        shard,
                        new LogShard(new FileDisk(), shard, 10, 10),
                        new PartitionManager.Surroundings(
                                1,
                                new Shards(List.of(shard)),
                                directories,
                                new BrokerConfig(1, config),
                                InstantSource.system(),
                                new BrokerMetrics()));
        ClusterImage image = metadata.image();
        shard.execute(() -> partitions.start(image, List.of()));
        ReplicaMoves moves =
                new ReplicaMoves(
                        partitions,
                        new LogShard(new FileDisk(), shard, 10, 10),
                        new ReplicaMoves.Surroundings(
                                directories,
                                Runnable::run,
                                (_, _) -> CompletableFuture.completedFuture(ApiError.NONE),
                                InstantSource.system()));
        return new ReplicaQueries(_ -> moves);
    }

    private LocalDirectories local() {
        return new LocalDirectories(1, directories);
    }

    // --- DescribeLogDirs

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5})
    void everyVersionTellsWhatItCan(int version) {
        metadata.service()
                .submit(controller ->
                        controller.cordonDirectories(
                                1,
                                metadata.image().broker(1).orElseThrow().epoch(),
                                List.of(SECOND)))
                .join();

        DescribeLogDirsResponse answer =
                describe(version, DescribeLogDirsRequest.builder().topics(null).build());

        assertThat(answer.errorCode()).isZero();
        assertThat(answer.results())
                .extracting(DescribeLogDirsResult::logDir, DescribeLogDirsResult::isCordoned)
                .containsExactly(
                        tuple(first.toString(), false), tuple(second.toString(), version >= 5));
        assertThat(answer.results())
                .allMatch(result -> result.totalBytes() > 0 == version >= 4)
                .allMatch(result -> result.usableBytes() > 0 == version >= 4);
        assertThat(partitions(answer))
                .extracting(DescribeLogDirsPartition::partitionIndex)
                .containsExactlyInAnyOrder(0, 1, 2);
    }

    @Test
    void onlyWhatIsAskedForAndHereIsDescribed() {
        DescribeLogDirsResponse answer =
                describe(
                        5,
                        DescribeLogDirsRequest.builder()
                                .topics(
                                        List.of(
                                                asked("here", 1, 1, 9, -1),
                                                asked("elsewhere", 0),
                                                asked("unknown", 0)))
                                .build());

        assertThat(answer.results()).hasSize(2);
        assertThat(partitions(answer))
                .containsExactly(DescribeLogDirsPartition.builder().partitionIndex(1).build());
    }

    @Test
    void noTopicsMeanNoPartitions() {
        DescribeLogDirsResponse answer =
                describe(5, DescribeLogDirsRequest.builder().topics(List.of()).build());

        assertThat(answer.results()).hasSize(2);
        assertThat(partitions(answer)).isEmpty();
    }

    @Test
    void directoryThatCannotBeReadHasAnError() throws IOException {
        deleteAll(second);

        DescribeLogDirsResponse answer =
                describe(5, DescribeLogDirsRequest.builder().topics(null).build());

        assertThat(answer.results())
                .extracting(DescribeLogDirsResult::errorCode)
                .containsExactly(ErrorCode.NONE.code(), ErrorCode.KAFKA_STORAGE_ERROR.code());
        assertThat(answer.results().getLast().topics()).isEmpty();
    }

    private DescribeLogDirsResponse describe(int version, DescribeLogDirsRequest request) {
        return Asked.ask(
                new DescribeLogDirsHandler(
                        local(), metadata.service()::image, replicas(), Runnable::run),
                version,
                request,
                DescribeLogDirsResponse.class);
    }

    private static DescribableLogDirTopic asked(String topic, Integer... partitions) {
        return DescribableLogDirTopic.builder()
                .topic(topic)
                .partitions(List.of(partitions))
                .build();
    }

    private static List<DescribeLogDirsPartition> partitions(DescribeLogDirsResponse answer) {
        return answer.results().stream()
                .flatMap(result -> result.topics().stream())
                .flatMap(topic -> topic.partitions().stream())
                .toList();
    }

    private static void deleteAll(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted((a, b) -> b.compareTo(a)).toList()) Files.delete(file);
        }
    }

    // --- AlterReplicaLogDirs

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void everyPartitionIsAnsweredInEveryVersion(int version) {
        AlterReplicaLogDirsResponse answer =
                alter(
                        version,
                        directory(first.toString(), moving("here", 0, 7), moving("elsewhere", 0)),
                        directory("/no/such/directory", moving("here", 1)),
                        directory("relative", moving("unknown", 1)),
                        directory(second + "/", moving("unknown", 2)));

        assertThat(answer.results())
                .extracting(AlterReplicaLogDirTopicResult::topicName)
                .containsExactly("here", "elsewhere", "unknown");
        assertThat(errors(answer, "here"))
                .containsEntry(0, ErrorCode.NONE.code())
                .containsEntry(7, ErrorCode.UNKNOWN_TOPIC_OR_PARTITION.code())
                .containsEntry(1, ErrorCode.LOG_DIR_NOT_FOUND.code());
        assertThat(errors(answer, "elsewhere"))
                .containsEntry(0, ErrorCode.REPLICA_NOT_AVAILABLE.code());
        assertThat(errors(answer, "unknown"))
                .containsEntry(1, ErrorCode.LOG_DIR_NOT_FOUND.code())
                .containsEntry(2, ErrorCode.UNKNOWN_TOPIC_OR_PARTITION.code());
    }

    @Test
    void lastDirectoryOfAPartitionCounts() {
        AlterReplicaLogDirsResponse answer =
                alter(
                        2,
                        directory("/no/such/directory", moving("here", 0)),
                        directory(first.toString(), moving("here", 0)));

        assertThat(errors(answer, "here")).containsExactly(Map.entry(0, ErrorCode.NONE.code()));
    }

    @Test
    void emptyRequestHasAnEmptyAnswer() {
        assertThat(alter(2).results()).isEmpty();
        assertThat(alter(2, directory(first.toString())).results()).isEmpty();
    }

    private AlterReplicaLogDirsResponse alter(int version, AlterReplicaLogDir... directories) {
        return Asked.ask(
                new AlterReplicaLogDirsHandler(local(), metadata.service()::image, replicas()),
                version,
                AlterReplicaLogDirsRequest.builder().dirs(List.of(directories)).build(),
                AlterReplicaLogDirsResponse.class);
    }

    private static AlterReplicaLogDir directory(String path, AlterReplicaLogDirTopic... topics) {
        return AlterReplicaLogDir.builder().path(path).topics(List.of(topics)).build();
    }

    private static AlterReplicaLogDirTopic moving(String topic, Integer... partitions) {
        return AlterReplicaLogDirTopic.builder()
                .name(topic)
                .partitions(List.of(partitions))
                .build();
    }

    private static Map<Integer, Short> errors(AlterReplicaLogDirsResponse answer, String topic) {
        Map<Integer, Short> errors = new TreeMap<>();
        for (AlterReplicaLogDirTopicResult result : answer.results()) {
            if (!result.topicName().equals(topic)) continue;
            for (AlterReplicaLogDirPartitionResult partition : result.partitions()) {
                errors.put(partition.partitionIndex(), partition.errorCode());
            }
        }
        return errors;
    }
}
