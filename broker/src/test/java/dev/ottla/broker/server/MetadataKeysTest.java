package dev.ottla.broker.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ottla.metadata.ConfigResource;
import dev.ottla.wire.ErrorCode;
import dev.ottla.wire.message.IncrementalAlterConfigsRequest;
import dev.ottla.wire.message.IncrementalAlterConfigsRequest.AlterConfigsResource;
import dev.ottla.wire.message.IncrementalAlterConfigsRequest.AlterableConfig;
import dev.ottla.wire.message.IncrementalAlterConfigsResponse;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Where the metadata log is, and the files it is made of.
@Timeout(60)
final class MetadataKeysTest {
    private static final String LOG = "__cluster_metadata-0";

    @TempDir Path root;

    private int changes;

    @Test
    @Tag("config:metadata.log.dir")
    void metadataLivesInADirectoryOfItsOwn() throws IOException {
        Path own = root.resolve("own");
        try (TestBroker broker = new TestBroker(Map.of("metadata.log.dir", own.toString()))) {
            try (BrokerClient client = new BrokerClient(broker)) {
                client.create("known", 1);
            }
            assertThat(own.resolve(LOG)).isDirectory();
            assertThat(log(broker)).doesNotExist();

            broker.restart();

            try (BrokerClient client = new BrokerClient(broker)) {
                assertThat(client.metadata("known").topics().getFirst().errorCode()).isZero();
            }
        }
    }

    @Test
    @Tag("config:metadata.log.dir")
    void metadataLivesInAnyOfTheDataDirectories() throws IOException {
        String first = root.resolve("first").toString();
        String second = root.resolve("second").toString();
        Map<String, String> settings =
                Map.of("log.dirs", first + "," + second, "metadata.log.dir", second);

        try (TestBroker _ = new TestBroker(settings)) {
            assertThat(Path.of(second, LOG)).isDirectory();
            assertThat(Path.of(first, LOG)).doesNotExist();
        }
    }

    @Test
    @Tag("config:metadata.log.dir")
    void metadataThatIsElsewhereIsNotMadeAnew() {
        Path own = root.resolve("own");
        Path other = root.resolve("other");
        try (TestBroker broker = new TestBroker(Map.of())) {
            assertThatThrownBy(() -> broker.restart(Map.of("metadata.log.dir", own.toString())))
                    .isInstanceOf(StartRefusedException.class)
                    .hasMessageContaining("Name " + data(broker) + " in metadata.log.dir");
            assertThat(own.resolve(LOG)).doesNotExist();
        }
        try (TestBroker broker = new TestBroker(Map.of("metadata.log.dir", own.toString()))) {
            assertThatThrownBy(() -> broker.restart(Map.of("metadata.log.dir", other.toString())))
                    .isInstanceOf(StartRefusedException.class)
                    .hasMessageContaining("whose metadata is not in " + other);
            assertThat(other.resolve(LOG)).doesNotExist();

            broker.restart(Map.of("metadata.log.dir", own.toString()));
        }
    }

    @Test
    @Tag("config:metadata.log.segment.bytes")
    void segmentOfTheMetadataEndsAtItsSize() throws Exception {
        try (TestBroker broker = new TestBroker(Map.of("metadata.log.segment.bytes", "8388608"));
                BrokerClient client = new BrokerClient(broker)) {
            for (int i = 0; i < 3; i++) changeMuch(client);

            Await.until("a second segment", () -> files(broker, ".log").size() > 1);
        }
    }

    @Test
    @Tag("config:metadata.log.segment.ms")
    void segmentOfTheMetadataEndsAtItsAge() throws Exception {
        try (TestBroker broker = new TestBroker(Map.of("metadata.log.segment.ms", "1"));
                BrokerClient client = new BrokerClient(broker)) {
            Await.until(
                    "a second segment",
                    () -> {
                        change(client);
                        return files(broker, ".log").size() > 1;
                    });
        }
    }

    @Test
    @Tag("config:metadata.log.max.record.bytes.between.snapshots")
    void snapshotIsWrittenAfterSoManyBytes() throws Exception {
        try (TestBroker broker =
                        new TestBroker(
                                Map.of(
                                        "metadata.log.max.record.bytes.between.snapshots",
                                        "2000000"));
                BrokerClient client = new BrokerClient(broker)) {
            change(client);
            assertThat(files(broker, ".checkpoint")).isEmpty();

            changeMuch(client);

            Await.until("a snapshot", () -> !files(broker, ".checkpoint").isEmpty());
        }
    }

    @Test
    @Tag("config:metadata.log.max.snapshot.interval.ms")
    void snapshotIsWrittenAfterSomeTime() throws Exception {
        try (TestBroker broker =
                        new TestBroker(Map.of("metadata.log.max.snapshot.interval.ms", "1"));
                BrokerClient client = new BrokerClient(broker)) {
            change(client);

            Await.until("a snapshot", () -> !files(broker, ".checkpoint").isEmpty());
        }
    }

    @Test
    @Tag("config:metadata.max.retention.ms")
    void oldSnapshotsGo() throws Exception {
        assertSnapshotsGo("metadata.max.retention.ms");
    }

    @Test
    @Tag("config:metadata.max.retention.bytes")
    void snapshotsGoWhenTheyTakeTooMuchRoom() throws Exception {
        assertSnapshotsGo("metadata.max.retention.bytes");
    }

    private void assertSnapshotsGo(String limit) throws Exception {
        try (TestBroker broker =
                        new TestBroker(
                                Map.of(
                                        limit,
                                        "1",
                                        "metadata.log.max.record.bytes.between.snapshots",
                                        "1"));
                BrokerClient client = new BrokerClient(broker)) {
            List<String> seen = new ArrayList<>();
            Await.until(
                    "a snapshot that is gone",
                    () -> {
                        change(client);
                        List<String> there = files(broker, ".checkpoint");
                        seen.addAll(there);
                        return !there.containsAll(seen);
                    });
        }
    }

    /// One small record.
    private void change(BrokerClient client) throws IOException {
        client.set(
                ConfigResource.Type.GROUP,
                "g",
                "consumer.heartbeat.interval.ms",
                Integer.toString(5_000 + ++changes % 1000));
    }

    /// Three megabytes of records.
    private static void changeMuch(BrokerClient client) throws IOException {
        AlterableConfig config =
                AlterableConfig.builder()
                        .name("metrics")
                        .configOperation((byte) 0)
                        .value(Long.toString(System.nanoTime()) + "x".repeat(30_000))
                        .build();
        List<AlterConfigsResource> resources = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            resources.add(
                    AlterConfigsResource.builder()
                            .resourceType(ConfigResource.Type.CLIENT_METRICS.id())
                            .resourceName("subscription" + i)
                            .configs(List.of(config))
                            .build());
        }
        assertThat(
                        client.ask(
                                        IncrementalAlterConfigsResponse.class,
                                        IncrementalAlterConfigsRequest.builder()
                                                .resources(resources)
                                                .build(),
                                        1)
                                .responses())
                .allSatisfy(response ->
                        assertThat(GroupClient.code(response.errorCode()))
                                .isEqualTo(ErrorCode.NONE));
    }

    private static Path log(TestBroker broker) {
        return data(broker).resolve(LOG);
    }

    private static Path data(TestBroker broker) {
        return broker.directory().resolve("data");
    }

    private static List<String> files(TestBroker broker, String ending) throws IOException {
        try (Stream<Path> files = Files.list(log(broker))) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(ending))
                    .toList();
        }
    }
}
