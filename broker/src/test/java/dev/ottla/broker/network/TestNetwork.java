package dev.ottla.broker.network;

import dev.ottla.broker.metrics.BrokerMetrics;
import dev.ottla.broker.request.ApiHandler;
import dev.ottla.broker.request.HandlerTable;
import dev.ottla.broker.request.RequestContext;
import dev.ottla.broker.request.Responder;
import dev.ottla.wire.message.ApiKey;
import dev.ottla.wire.message.HeartbeatRequest;
import dev.ottla.wire.message.HeartbeatResponse;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.ChannelOption;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/// A network server whose only API is Heartbeat: a request of group `wait` stays unanswered until
/// the test says so, any other is answered at once with its generation as throttle time. One of
/// group `slow` takes a millisecond of the network's clock, one of group `hold` its loop until the
/// test lets it go.
public final class TestNetwork implements AutoCloseable {
    public static final NetworkSettings SETTINGS =
            new NetworkSettings(
                    2, 1 << 20, 4 << 20, 1 << 20, 8, 1 << 20, 60_000, 600_000, -1, -1, 1024);

    public record Waiting(
            RequestContext context,
            HeartbeatRequest request,
            Responder responder,
            AtomicBoolean answered) {
        /// What the system has for the socket that the request came by.
        public int option(ChannelOption<Integer> option) {
            return ((Connection) context.connection()).socketOption(option);
        }

        public void answer() {
            if (answered.compareAndSet(false, true)) {
                responder.respond(
                        HeartbeatResponse.builder().throttleTimeMs(request.generationId()).build());
            }
        }
    }

    public final BlockingQueue<Waiting> waiting = new LinkedBlockingQueue<>();
    private final Queue<Waiting> everyWaiting = new ConcurrentLinkedQueue<>();

    /// The generations of requests of group `slow`, in the order in which they were handled.
    final Queue<Integer> handled = new ConcurrentLinkedQueue<>();

    /// A permit for each request that holds its loop, and one that the test gives for its release.
    final Semaphore holding = new Semaphore(0);

    final Semaphore letGo = new Semaphore(0);
    private final AtomicLong spentNs = new AtomicLong();
    final AtomicBoolean overloaded = new AtomicBoolean();

    /// Once for each try to read a frame.
    final AtomicInteger askedWhetherOverloaded = new AtomicInteger();

    public final NetworkServer server;
    public final InetSocketAddress address;

    public TestNetwork(NetworkSettings settings, ConnectionLimits limits) throws IOException {
        this(settings, limits, List.of());
    }

    /// @param more handlers besides the one of Heartbeat
    public TestNetwork(NetworkSettings settings, ConnectionLimits limits, List<ApiHandler<?>> more)
            throws IOException {
        server =
                new NetworkServer(
                        settings,
                        limits,
                        new NetworkServer.Surroundings(
                                task -> new Thread(task, "test-loop"),
                                PooledByteBufAllocator.DEFAULT,
                                () -> System.nanoTime() + spentNs.get(),
                                new BrokerMetrics()));
        List<ApiHandler<?>> all = new ArrayList<>(more);
        all.add(new Heartbeats());
        HandlerTable handlers = new HandlerTable(all, false);
        address = server.bind("PLAINTEXT", "127.0.0.1", 0);
        server.accept(
                handlers,
                () -> {
                    askedWhetherOverloaded.incrementAndGet();
                    return overloaded.get();
                });
    }

    TestNetwork() throws IOException {
        this(SETTINGS, ConnectionLimits.NONE);
    }

    public RawClient connect() throws IOException {
        return new RawClient(address);
    }

    public Waiting nextWaiting() throws InterruptedException {
        Waiting next = waiting.poll(10, TimeUnit.SECONDS);
        if (next == null) {
            throw new AssertionError("no request arrived");
        }
        return next;
    }

    public static HeartbeatRequest heartbeat(String group, int number, int paddingBytes) {
        return HeartbeatRequest.builder()
                .groupId(group)
                .generationId(number)
                .memberId("x".repeat(paddingBytes))
                .build();
    }

    @Override
    public void close() {
        letGo.release(1_000);
        server.closeConnections(0);
        server.close();
        everyWaiting.forEach(Waiting::answer);
    }

    private final class Heartbeats implements ApiHandler<HeartbeatRequest> {
        @Override
        public ApiKey api() {
            return ApiKey.HEARTBEAT;
        }

        @Override
        public void handle(RequestContext context, HeartbeatRequest request, Responder responder) {
            Waiting one = new Waiting(context, request, responder, new AtomicBoolean());
            switch (request.groupId()) {
                case "wait" -> {
                    everyWaiting.add(one);
                    waiting.add(one);
                }
                case "slow" -> {
                    handled.add(request.generationId());
                    spentNs.addAndGet(1_000_000);
                    one.answer();
                }
                case "hold" -> {
                    holding.release();
                    letGo.acquireUninterruptibly();
                    one.answer();
                }
                case "silent" -> responder.noResponse();
                case "broken" -> throw new IllegalStateException("planned");
                default -> one.answer();
            }
        }
    }
}
