package dev.ottla.broker.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A broker refuses to take over data when it cannot know what it is, and leaves it as it was.
@Timeout(60)
final class OrphanedDataTest {
    private static final String CLUSTER = "fNAHdq-xTrS5sWmx5ZQoDg";

    @TempDir Path root;

    private Path first;
    private Path second;

    @BeforeEach
    void choose() {
        first = root.resolve("first");
        second = root.resolve("second");
    }

    @Test
    void partitionsWithoutIdentityAreRefused() throws IOException {
        Files.createDirectories(first.resolve("__cluster_metadata-0"));
        Files.createDirectories(first.resolve("orders-0"));

        assertThatThrownBy(() -> start(first))
                .isInstanceOf(StartRefusedException.class)
                .hasMessageContaining("no meta.properties");

        assertThat(first.resolve("orders-0")).isDirectory();
        assertThat(first.resolve("meta.properties")).doesNotExist();
    }

    @Test
    void directoryOfKafkaIsRefusedUntouched() throws IOException {
        claim(first, "hkG0QHMaRquyqQOZHx6LJQ");
        Files.createDirectories(first.resolve("__cluster_metadata-0"));
        Files.createFile(first.resolve("__cluster_metadata-0/quorum-state"));
        List<Path> before = files(first);

        assertThatThrownBy(() -> start(first))
                .isInstanceOf(StartRefusedException.class)
                .hasMessageContaining("belongs to Apache Kafka");

        assertThat(files(first)).isEqualTo(before);
    }

    @Test
    void directoryNamedTwiceIsRefused() {
        assertThatThrownBy(() -> start(first, first.resolve(".")))
                .isInstanceOf(StartRefusedException.class)
                .hasMessageContaining("stands twice in log.dirs");
    }

    private static List<Path> files(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.sorted().toList();
        }
    }

    @Test
    void partitionsWithoutTheMetadataOfTheirClusterAreRefused() throws IOException {
        claim(first, "hkG0QHMaRquyqQOZHx6LJQ");
        Files.createDirectories(first.resolve("orders-0"));

        assertThatThrownBy(() -> start(first))
                .isInstanceOf(StartRefusedException.class)
                .hasMessageContaining("there is no __cluster_metadata-0");

        assertThat(first.resolve("orders-0")).isDirectory();
        assertThat(first.resolve("__cluster_metadata-0")).doesNotExist();
    }

    @Test
    void partitionsBesideMetadataThatHasLostItsRecordsAreRefused() throws IOException {
        claim(first, "hkG0QHMaRquyqQOZHx6LJQ");
        Files.createDirectories(first.resolve("orders-0"));
        Path metadata = Files.createDirectories(first.resolve("__cluster_metadata-0"));
        Files.createFile(metadata.resolve("00000000000000000000.log"));

        assertThatThrownBy(() -> start(first))
                .isInstanceOf(StartRefusedException.class)
                .hasMessageContaining("__cluster_metadata-0 in " + first + " has lost its records");

        assertThat(first.resolve("orders-0")).isDirectory();
    }

    @Test
    void metadataInAnotherThanTheFirstDirectoryIsNotOverlooked() throws IOException {
        claim(second, "hkG0QHMaRquyqQOZHx6LJQ");
        Files.createDirectories(second.resolve("__cluster_metadata-0"));

        assertThatThrownBy(() -> start(first, second))
                .isInstanceOf(StartRefusedException.class)
                .hasMessageContaining("Name " + second + " in metadata.log.dir");
    }

    @Test
    void directoryThatWasOnlyClaimedIsTakenByItsCluster() throws IOException {
        claim(first, "hkG0QHMaRquyqQOZHx6LJQ");

        try (BrokerServer server = start(first)) {
            assertThat(server.clusterId()).isEqualTo(CLUSTER);
        }
    }

    private static void claim(Path directory, String id) throws IOException {
        Files.createDirectories(directory);
        Files.writeString(
                directory.resolve("meta.properties"),
                "version=1\ncluster.id=%s\nnode.id=1\ndirectory.id=%s\n".formatted(CLUSTER, id));
    }

    private static BrokerServer start(Path... directories) {
        String paths = String.join(",", Arrays.stream(directories).map(Path::toString).toList());
        return BrokerServer.start(
                new BrokerSettings(
                        Map.of(
                                "listeners", "PLAINTEXT://127.0.0.1:0",
                                "log.dirs", paths,
                                "metrics.port", "-1",
                                "log.dir.min.free.bytes", "0",
                                "log.dir.resume.free.bytes", "0",
                                "log.dir.reserve.bytes", "0")));
    }
}
