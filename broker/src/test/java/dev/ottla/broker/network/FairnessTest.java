package dev.ottla.broker.network;

import static dev.ottla.broker.network.TestNetwork.heartbeat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ottla.wire.message.ApiKey;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// One loop, on which each request takes longer than a connection's slice of time.
@Timeout(60)
class FairnessTest {
    private static final int VERSION = 4;
    private static final int MANY = 300;
    private static final int OTHER = 1_000;
    private static final int NEW = 2_000;

    private final List<RawClient> clients = new ArrayList<>();
    private TestNetwork network;

    @BeforeEach
    void start() throws IOException {
        NetworkSettings two = TestNetwork.SETTINGS;
        network =
                new TestNetwork(
                        new NetworkSettings(
                                1,
                                two.maxFrameBytes(),
                                two.requestMemoryBytes(),
                                two.connectionMemoryBytes(),
                                two.maxInFlightRequests(),
                                two.pendingResponseBytes(),
                                two.frameTimeoutMs(),
                                two.connectionsMaxIdleMs(),
                                two.sendBufferBytes(),
                                two.receiveBufferBytes(),
                                two.listenBacklog()),
                        ConnectionLimits.NONE);
    }

    @AfterEach
    void stop() throws IOException {
        for (RawClient client : clients) client.close();
        network.close();
    }

    @Test
    void othersComeBeforeTheRestOfWhatOneClientSentAtOnce() throws Exception {
        RawClient other = client();
        RawClient greedy = client();
        hold(greedy);
        greedy.send(many(0));

        other.send(heartbeat("slow", OTHER, 0), VERSION, OTHER);
        RawClient newcomer = new RawClient(network.address);
        clients.add(newcomer);
        newcomer.send(heartbeat("slow", NEW, 0), VERSION, NEW);
        network.letGo.release();

        other.receive(ApiKey.HEARTBEAT, VERSION, OTHER);
        newcomer.receive(ApiKey.HEARTBEAT, VERSION, NEW);
        assertThat(position(OTHER)).isLessThan(5);
        assertThat(position(NEW)).isLessThan(10);
        receiveMany(greedy);
    }

    /// Requests in work that end let the connection go on, but not before the others.
    @Test
    void othersComeBeforeOneWhoseAnswersLetItGoOn() throws Exception {
        RawClient other = client();
        RawClient greedy = client();
        int waiting = TestNetwork.SETTINGS.maxInFlightRequests();
        for (int i = 0; i < waiting; i++) greedy.send(heartbeat("wait", i, 0), VERSION, -1);
        greedy.send(heartbeat("hold", 0, 0), VERSION, -1);
        greedy.send(many(0));
        TestNetwork.Waiting first = network.nextWaiting();
        for (int i = 1; i < waiting; i++) network.nextWaiting().answer();
        first.answer();
        network.holding.acquire();

        other.send(heartbeat("slow", OTHER, 0), VERSION, OTHER);
        network.letGo.release();

        other.receive(ApiKey.HEARTBEAT, VERSION, OTHER);
        assertThat(position(OTHER)).isLessThan(5);
        for (int i = 0; i < waiting; i++) receive(greedy, -1);
        receiveMany(greedy);
    }

    @Test
    void oneRequestDoesNotWaitForARoundOfAllThatAreBehind() throws Exception {
        RawClient other = client();
        RawClient holder = client();
        List<RawClient> greedy = new ArrayList<>();
        for (int i = 0; i < 40; i++) greedy.add(client());
        hold(holder);
        for (int i = 1; i <= 40; i++) {
            RawClient one = greedy.get(i - 1);
            one.send(heartbeat("slow", i * MANY, 0), VERSION, -1);
            one.send(heartbeat("slow", i * MANY, 0), VERSION, -1);
            one.send(heartbeat(i == 1 ? "hold" : "slow", i * MANY, 0), VERSION, -1);
            one.send(many(i * MANY));
        }
        network.letGo.release();
        network.holding.acquire();
        int before = network.handled.size();
        other.send(heartbeat("slow", OTHER * MANY, 0), VERSION, OTHER);
        network.letGo.release();

        other.receive(ApiKey.HEARTBEAT, VERSION, OTHER);
        assertThat(position(OTHER * MANY) - before).isLessThan(10);
    }

    /// Connected and answered once.
    private RawClient client() throws IOException {
        RawClient client = new RawClient(network.address);
        clients.add(client);
        client.send(heartbeat("g", 0, 0), VERSION, 1);
        client.receive(ApiKey.HEARTBEAT, VERSION, 1);
        return client;
    }

    /// What is sent now waits in its socket until `letGo`.
    private void hold(RawClient client) throws Exception {
        client.send(heartbeat("hold", 0, 0), VERSION, -1);
        network.holding.acquire();
    }

    private static byte[] many(int from) throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (int i = 1; i <= MANY; i++) {
            all.write(RawClient.frame(heartbeat("slow", from + i, 0), VERSION, from + i));
        }
        return all.toByteArray();
    }

    private static void receiveMany(RawClient client) throws IOException {
        receive(client, -1);
        for (int i = 1; i <= MANY; i++) receive(client, i);
    }

    private static void receive(RawClient client, int number) throws IOException {
        client.receive(ApiKey.HEARTBEAT, VERSION, number);
    }

    private int position(int number) {
        return List.copyOf(network.handled).indexOf(number);
    }
}
