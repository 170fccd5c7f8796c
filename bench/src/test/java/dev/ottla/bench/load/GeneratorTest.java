package dev.ottla.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ottla.bench.client.Groups;
import dev.ottla.bench.client.Topic;
import dev.ottla.bench.client.Topics;
import dev.ottla.bench.client.WireClient;
import dev.ottla.broker.server.BrokerServer;
import dev.ottla.broker.server.BrokerSettings;
import dev.ottla.record.Compression;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The generator against a broker in this process.
final class GeneratorTest {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final BatchShape SHAPE = new BatchShape(100, 10, Compression.NONE);

    @TempDir Path folder;

    @Test
    void everyRecordThatIsSentIsReadOnceAndInOrder() throws Exception {
        try (BrokerServer server = start();
                WireClient client = new WireClient(address(server))) {
            Topic topic = new Topics(client).create("t", 3, Map.of());
            ProducerPlan plan = ProducerPlan.fullRate(topic, SHAPE, 500).connections(5);

            try (LoadLoop loop = new LoadLoop(address(server))) {
                Producers producers = new Producers(loop, plan);
                OrderChecker checker = new OrderChecker();
                Consumers consumers = new Consumers(loop, ConsumerPlan.of(topic, 2), checker);
                loop.run(
                        () ->
                                producers.isDone()
                                        && consumers.consumedRecords() == plan.recordCount(),
                        LIMIT);

                assertThat(checker.recordCount()).isEqualTo(5000);
                assertThat(producers.latency().count()).isEqualTo(500);
            }
        }
    }

    @Test
    void aPacedLoadTakesItsTimeAndCountsFromWhenItWasMeantToLeave() throws Exception {
        try (BrokerServer server = start();
                WireClient client = new WireClient(address(server))) {
            Topic topic = new Topics(client).create("t", 1, Map.of());
            ProducerPlan plan =
                    ProducerPlan.fullRate(topic, SHAPE, 50).connections(1).batchesPerSecond(200);

            try (LoadLoop loop = new LoadLoop(address(server))) {
                Producers producers = new Producers(loop, plan);
                ArrivalSink arrivals =
                        new ArrivalSink(sequence -> producers.intendedNs(sequence / 10));
                Consumers consumers = new Consumers(loop, ConsumerPlan.of(topic, 1), arrivals);
                long beganNs = System.nanoTime();
                loop.run(() -> consumers.consumedRecords() == plan.recordCount(), LIMIT);

                assertThat(System.nanoTime() - beganNs).isGreaterThan(240_000_000L);
                assertThat(arrivals.latency().count()).isEqualTo(50);
            }
        }
    }

    @Test
    void groupsHaveWhatTheyCommittedLast() throws Exception {
        try (BrokerServer server = start();
                WireClient client = new WireClient(address(server))) {
            Topic topic = new Topics(client).create("t", 1, Map.of());
            CommitPlan plan = new CommitPlan(topic, 6, 2, 3, 4);
            for (int group = 0; group < 6; group++) {
                new Groups(client).untilCoordinated(plan.group(group), topic);
            }

            try (LoadLoop loop = new LoadLoop(address(server))) {
                Committers committers = new Committers(loop, plan);
                loop.run(committers::isDone, LIMIT);

                assertThat(committers.latency().count()).isEqualTo(24);
            }
            for (int group = 0; group < 6; group++) {
                assertThat(new Groups(client).committed(plan.group(group), topic)).isEqualTo(4);
            }
        }
    }

    @Test
    void aRefusedBatchEndsTheLoad() throws Exception {
        try (BrokerServer server = start();
                WireClient client = new WireClient(address(server))) {
            Topic topic = new Topics(client).create("t", 1, Map.of("max.message.bytes", "200"));

            try (LoadLoop loop = new LoadLoop(address(server))) {
                Producers producers = new Producers(loop, ProducerPlan.fullRate(topic, SHAPE, 10));

                assertThatThrownBy(() -> loop.run(producers::isDone, LIMIT))
                        .isInstanceOf(IOException.class)
                        .hasMessageContaining("MESSAGE_TOO_LARGE");
            }
        }
    }

    private BrokerServer start() {
        return BrokerServer.start(
                new BrokerSettings(
                        Map.of(
                                "listeners", "PLAINTEXT://127.0.0.1:0",
                                "log.dirs", folder.resolve("data").toString(),
                                "metrics.port", "-1",
                                "offsets.topic.num.partitions", "2",
                                "log.dir.reserve.bytes", "0")));
    }

    private static InetSocketAddress address(BrokerServer server) {
        return server.listeners().getFirst().address();
    }
}
