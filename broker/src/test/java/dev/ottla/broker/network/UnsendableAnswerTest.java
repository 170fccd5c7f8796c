package dev.ottla.broker.network;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ottla.broker.metrics.BrokerMetrics;
import dev.ottla.broker.request.ApiHandler;
import dev.ottla.broker.request.HandlerTable;
import dev.ottla.broker.request.RequestContext;
import dev.ottla.broker.request.Responder;
import dev.ottla.wire.ApiMessage;
import dev.ottla.wire.WireWriter;
import dev.ottla.wire.message.ApiKey;
import dev.ottla.wire.message.FindCoordinatorRequest;
import dev.ottla.wire.message.FindCoordinatorResponse;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// An answer that cannot be written, or not even made, costs its own connection, and nobody else
/// anything. An answer is with its client a moment before its memory is given back.
@Timeout(60)
class UnsendableAnswerTest {
    private static final int VERSION = 3;

    private final UnpooledByteBufAllocator allocator = new UnpooledByteBufAllocator(true);
    private final BlockingQueue<Responder> waiting = new LinkedBlockingQueue<>();
    private final CountDownLatch loopMayGoOn = new CountDownLatch(1);

    @Test
    void closesItsConnectionAndReleasesItsMemory() throws Exception {
        try (NetworkServer server = server()) {
            InetSocketAddress address = server.bind("PLAINTEXT", "127.0.0.1", 0);
            server.accept(new HandlerTable(List.of(new Coordinators()), false), () -> false);
            try (RawClient spoiled = new RawClient(address);
                    RawClient other = new RawClient(address)) {
                ask(other, "at once", 1);
                other.receive(ApiKey.FIND_COORDINATOR, VERSION, 1);
                long directBefore = allocator.metric().usedDirectMemory();
                ask(spoiled, "later", 1);
                Responder first = nextWaiting();
                ask(other, "later", 2);
                Responder second = nextWaiting();
                ask(other, "block", 3);

                // The loop stands, so both are taken in one go.
                first.respond(answer("x".repeat(40_000)));
                second.respond(answer("host"));
                loopMayGoOn.countDown();

                assertThat(spoiled.isClosedByBroker()).isTrue();
                other.receive(ApiKey.FIND_COORDINATOR, VERSION, 2);
                other.receive(ApiKey.FIND_COORDINATOR, VERSION, 3);
                while (server.requestMemoryUsedBytes() > 0) Thread.onSpinWait();
                while (allocator.metric().usedDirectMemory() > directBefore) Thread.onSpinWait();
            }
        }
    }

    @Test
    void errorWhileAnsweringLeavesTheAnswersBehindItAlone() throws Exception {
        try (NetworkServer server = server()) {
            InetSocketAddress address = server.bind("PLAINTEXT", "127.0.0.1", 0);
            server.accept(new HandlerTable(List.of(new Coordinators()), false), () -> false);
            try (RawClient spoiled = new RawClient(address);
                    RawClient other = new RawClient(address)) {
                ask(spoiled, "later", 1);
                Responder first = nextWaiting();
                ask(other, "later", 1);
                Responder second = nextWaiting();
                ask(other, "block", 2);

                // The loop stands, so both are taken in one go.
                first.respond(new FailingResponse());
                second.respond(answer("host"));
                loopMayGoOn.countDown();

                other.receive(ApiKey.FIND_COORDINATOR, VERSION, 1);
                other.receive(ApiKey.FIND_COORDINATOR, VERSION, 2);
                assertThat(spoiled.isClosedByBroker()).isTrue();
                while (server.requestMemoryUsedBytes() > 0) Thread.onSpinWait();
            }
        }
    }

    @Test
    void failureInACallbackClosesTheConnectionAndGivesTheMemoryBack() throws Exception {
        try (NetworkServer server = server()) {
            InetSocketAddress address = server.bind("PLAINTEXT", "127.0.0.1", 0);
            server.accept(new HandlerTable(List.of(new Coordinators()), false), () -> false);
            try (RawClient failing = new RawClient(address);
                    RawClient answered = new RawClient(address)) {
                ask(failing, "later", 1);
                Responder first = nextWaiting();
                ask(answered, "later", 1);
                Responder second = nextWaiting();

                first.guard(() -> {
                    throw new IllegalStateException("planned");
                });
                second.guard(() -> {
                    second.respond(answer("host"));
                    throw new OutOfMemoryError("planned");
                });

                assertThat(failing.isClosedByBroker()).isTrue();
                answered.receive(ApiKey.FIND_COORDINATOR, VERSION, 1);
                ask(answered, "at once", 2);
                answered.receive(ApiKey.FIND_COORDINATOR, VERSION, 2);
                while (server.requestMemoryUsedBytes() > 0) Thread.onSpinWait();
            }
        }
    }

    private NetworkServer server() {
        NetworkSettings settings =
                new NetworkSettings(
                        1, 1 << 20, 4 << 20, 1 << 20, 8, 1 << 20, 60_000, 600_000, -1, -1, 50);
        return new NetworkServer(
                settings,
                ConnectionLimits.NONE,
                new NetworkServer.Surroundings(
                        task -> new Thread(task, "test-loop"),
                        allocator,
                        System::nanoTime,
                        new BrokerMetrics()));
    }

    private static void ask(RawClient client, String key, int correlationId) throws Exception {
        client.send(FindCoordinatorRequest.builder().key(key).build(), VERSION, correlationId);
    }

    private Responder nextWaiting() throws InterruptedException {
        Responder next = waiting.poll(10, TimeUnit.SECONDS);
        if (next == null) {
            throw new AssertionError("no request arrived");
        }
        return next;
    }

    private static FindCoordinatorResponse answer(String host) {
        return FindCoordinatorResponse.builder().host(host).build();
    }

    private static final class FailingResponse implements ApiMessage {
        @Override
        public short apiKey() {
            return ApiKey.FIND_COORDINATOR.id();
        }

        @Override
        public short lowestVersion() {
            return 0;
        }

        @Override
        public short highestVersion() {
            return VERSION;
        }

        @Override
        public int size(short version) {
            throw new StackOverflowError("planned");
        }

        @Override
        public void write(WireWriter writer, short version) {
            throw new StackOverflowError("planned");
        }
    }

    private final class Coordinators implements ApiHandler<FindCoordinatorRequest> {
        @Override
        public ApiKey api() {
            return ApiKey.FIND_COORDINATOR;
        }

        @Override
        public void handle(
                RequestContext context, FindCoordinatorRequest request, Responder responder) {
            switch (request.key()) {
                case "later" -> waiting.add(responder);
                case "block" -> {
                    try {
                        assertThat(loopMayGoOn.await(10, TimeUnit.SECONDS)).isTrue();
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                    responder.respond(answer("host"));
                }
                default -> responder.respond(answer("host"));
            }
        }
    }
}
