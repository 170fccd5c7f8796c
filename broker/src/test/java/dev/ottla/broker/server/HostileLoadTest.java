package dev.ottla.broker.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ottla.broker.network.RawClient;
import dev.ottla.wire.ApiMessage;
import dev.ottla.wire.message.ApiKey;
import dev.ottla.wire.message.DescribeGroupsRequest;
import dev.ottla.wire.message.DescribeGroupsResponse;
import dev.ottla.wire.message.FindCoordinatorRequest;
import dev.ottla.wire.message.HeartbeatRequest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Clients that ask for as much as they can at once.
@Timeout(120)
class HostileLoadTest {
    private static final int CLIENTS = 8;
    private static final int GROUPS = 5_000;
    private static final int REQUESTS = 60;
    private static final int QUEUED_MAX_REQUESTS = 20;

    /// Above the limit each of two loops may be one request late, which posts 64 messages at most,
    /// and each of the clients has a request in work. A request posted as a whole would be 5,000.
    private static final int MOST_MESSAGES = QUEUED_MAX_REQUESTS + (CLIENTS + 2) * 64 + 500;

    @Test
    void shardsGetOnlySoManyMessages() throws Exception {
        try (TestBroker broker =
                new TestBroker(
                        Map.of(
                                "metrics.port",
                                "0",
                                "queued.max.requests",
                                Integer.toString(QUEUED_MAX_REQUESTS)))) {
            try (RawClient client = new RawClient(broker.address())) {
                client.send(FindCoordinatorRequest.builder().key("g").build(), 0, 1);
                client.receive(ApiKey.FIND_COORDINATOR, 0, 1);
            }
            double most = 0;
            try (ExecutorService threads = Executors.newFixedThreadPool(CLIENTS)) {
                List<Future<?>> hostile = new ArrayList<>();
                for (int i = 0; i < CLIENTS; i++) {
                    hostile.add(threads.submit(() -> flood(broker)));
                }
                while (hostile.stream().anyMatch(client -> !client.isDone())) {
                    most =
                            Math.max(
                                    most,
                                    MetricsPage.of(broker).value("ottla_shard_queue_messages"));
                }
                for (Future<?> client : hostile) {
                    client.get();
                }
            }

            assertThat(most).isLessThan(MOST_MESSAGES);
        }
    }

    /// Everything is sent before the first answer is read; questions about many groups and many
    /// small ones take turns.
    private static void flood(TestBroker broker) {
        ApiMessage many =
                DescribeGroupsRequest.builder()
                        .groups(IntStream.range(0, GROUPS).mapToObj(i -> "group-" + i).toList())
                        .build();
        ApiMessage small = HeartbeatRequest.builder().groupId("g").memberId("m").build();
        try (RawClient client = new RawClient(broker.address())) {
            client.socket().setSoTimeout(100_000);
            Thread sender =
                    Thread.ofPlatform()
                            .start(() -> {
                                for (int i = 0; i < REQUESTS; i++) {
                                    try {
                                        client.send(i % 20 == 0 ? many : small, 0, i);
                                    } catch (IOException _) {
                                        return;
                                    }
                                }
                            });
            for (int i = 0; i < REQUESTS; i++) {
                ApiMessage answer =
                        client.receive(
                                i % 20 == 0 ? ApiKey.DESCRIBE_GROUPS : ApiKey.HEARTBEAT, 0, i);
                if (answer instanceof DescribeGroupsResponse groups) {
                    assertThat(groups.groups()).hasSize(GROUPS);
                }
            }
            sender.join();
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
