package dev.ottla.broker.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ottla.record.Compression;
import dev.ottla.record.RecordBatches;
import dev.ottla.wire.ErrorCode;
import dev.ottla.wire.message.ConsumerGroupDescribeRequest;
import dev.ottla.wire.message.ConsumerGroupDescribeResponse;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// How coordinators write, on a disk whose syncs can be held up, and which protocols they offer.
@Timeout(60)
final class GroupWritesTest {
    private final StuckDisk disk = new StuckDisk("__consumer_offsets", "sync");
    private TestBroker broker;
    private GroupClient groups;

    @BeforeEach
    void start() throws IOException {
        broker =
                new TestBroker(
                        Map.of(
                                "offsets.topic.num.partitions", "1",
                                "offsets.topic.compression.codec", "4",
                                "offsets.commit.timeout.ms", "200",
                                "group.coordinator.rebalance.protocols", "classic"),
                        disk.disk());
        groups = new GroupClient(broker);
        groups.client().create("t", 1);
    }

    @AfterEach
    void stop() throws IOException {
        disk.release();
        groups.close();
        broker.close();
    }

    @Test
    @Tag("config:offsets.commit.timeout.ms")
    void commitThatIsNotOnDiskInTimeFails() throws Exception {
        assertThat(commit()).isEqualTo(ErrorCode.NONE);
        disk.stick();
        long startNs = System.nanoTime();

        assertThat(groups.tryCommit(GroupClient.commitment("g", "t", 1, "")))
                .isEqualTo(ErrorCode.COORDINATOR_NOT_AVAILABLE);

        assertThat(System.nanoTime() - startNs)
                .isBetween(
                        TimeUnit.MILLISECONDS.toNanos(190), TimeUnit.MILLISECONDS.toNanos(4_900));
        disk.release();
        assertThat(commit()).isEqualTo(ErrorCode.NONE);
    }

    @Test
    @Tag("config:offsets.topic.compression.codec")
    void recordsOfCoordinatorsAreCompressed() throws Exception {
        assertThat(commit()).isEqualTo(ErrorCode.NONE);

        assertThat(codecs()).containsExactly(Compression.ZSTD);

        broker.restart(Map.of("offsets.topic.compression.codec", "0"));
        groups.close();
        groups = new GroupClient(broker);
        assertThat(commit()).isEqualTo(ErrorCode.NONE);
        assertThat(codecs()).containsExactlyInAnyOrder(Compression.ZSTD, Compression.NONE);
    }

    @Test
    @Tag("config:group.coordinator.rebalance.protocols")
    void protocolThatIsNotNamedIsNotOffered() throws IOException {
        assertThat(GroupClient.code(groups.join("modern", "m1").errorCode()))
                .isEqualTo(ErrorCode.UNSUPPORTED_VERSION);
        ConsumerGroupDescribeRequest describe =
                ConsumerGroupDescribeRequest.builder().groupIds(List.of("modern")).build();
        assertThat(groups.client().ask(ConsumerGroupDescribeResponse.class, describe, 1).groups())
                .extracting(group -> GroupClient.code(group.errorCode()))
                .containsExactly(ErrorCode.UNSUPPORTED_VERSION);

        broker.restart(Map.of("group.coordinator.rebalance.protocols", "classic,consumer"));
        groups.close();
        groups = new GroupClient(broker);
        assertThat(groups.join("modern", "m1").errorCode()).isZero();
    }

    private ErrorCode commit() throws IOException {
        return groups.commit(GroupClient.commitment("g", "t", 1, ""));
    }

    private Set<Compression> codecs() throws IOException {
        Path log = broker.directory().resolve("data/__consumer_offsets-0/00000000000000000000.log");
        Set<Compression> codecs = new HashSet<>();
        RecordBatches.in(ByteBuffer.wrap(Files.readAllBytes(log)))
                .forEach(batch -> codecs.add(batch.compression()));
        return codecs;
    }
}
