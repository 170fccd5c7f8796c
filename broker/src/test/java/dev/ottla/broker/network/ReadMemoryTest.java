package dev.ottla.broker.network;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ottla.broker.metrics.BrokerMetrics;
import dev.ottla.broker.request.ApiHandler;
import dev.ottla.broker.request.HandlerTable;
import dev.ottla.broker.request.PooledRecords;
import dev.ottla.broker.request.ReadMemory;
import dev.ottla.broker.request.RequestContext;
import dev.ottla.broker.request.Responder;
import dev.ottla.wire.BufferRecords;
import dev.ottla.wire.RecordsPayload;
import dev.ottla.wire.message.ApiKey;
import dev.ottla.wire.message.FetchRequest;
import dev.ottla.wire.message.FetchResponse;
import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The memory of records in answers comes back, sent or not.
@Timeout(60)
class ReadMemoryTest {
    private static final int VERSION = 12;

    private final ReadMemory memory = new ReadMemory(PooledByteBufAllocator.DEFAULT, 1000);
    private final BlockingQueue<Responder> waiting = new LinkedBlockingQueue<>();

    @Test
    void memoryIsBounded() {
        ByteBuf first = memory.tryTake(600).orElseThrow();
        assertThat(memory.tryTake(600)).isEmpty();

        new PooledRecords(first, memory).release();

        assertThat(memory.usedBytes()).isZero();
        new PooledRecords(memory.tryTake(1000).orElseThrow(), memory).release();
    }

    @Test
    void spentDirectMemoryIsNoFailure() {
        ReadMemory spent =
                new ReadMemory(
                        new AbstractByteBufAllocator(true) {
                            @Override
                            protected ByteBuf newHeapBuffer(int initial, int maximum) {
                                throw new UnsupportedOperationException();
                            }

                            @Override
                            public boolean isDirectBufferPooled() {
                                return false;
                            }

                            @Override
                            protected ByteBuf newDirectBuffer(int initial, int maximum) {
                                throw new OutOfMemoryError("planned");
                            }
                        },
                        1000);

        assertThat(spent.tryTake(10)).isEmpty();
        assertThat(spent.usedBytes()).isZero();
    }

    @Test
    void memoryComesBackWhenAnAnswerIsSentOrItsClientIsGone() throws Exception {
        try (NetworkServer server = server()) {
            InetSocketAddress address = server.bind("PLAINTEXT", "127.0.0.1", 0);
            server.accept(new HandlerTable(List.of(new Fetches()), false), () -> false);
            try (RawClient client = new RawClient(address)) {
                client.send(FetchRequest.builder().build(), VERSION, 1);
                nextWaiting().respond(answer());

                FetchResponse received = (FetchResponse) client.receive(ApiKey.FETCH, VERSION, 1);
                RecordsPayload records =
                        received.responses().getFirst().partitions().getFirst().records();
                assertThat(records)
                        .isInstanceOfSatisfying(
                                BufferRecords.class,
                                inMemory ->
                                        assertThat(inMemory.buffer().get(0)).isEqualTo((byte) 7));
                awaitNothingUsed();
                client.send(FetchRequest.builder().build(), VERSION, 2);
            }
            Responder late = nextWaiting();
            late.respond(answer());
            awaitNothingUsed();
        }
    }

    private FetchResponse answer() {
        ByteBuf buffer = memory.tryTake(500).orElseThrow();
        buffer.writeZero(500).setByte(0, 7);
        return FetchResponse.builder()
                .responses(
                        List.of(
                                FetchResponse.FetchableTopicResponse.builder()
                                        .topic("t")
                                        .partitions(
                                                List.of(
                                                        FetchResponse.PartitionData.builder()
                                                                .records(
                                                                        new PooledRecords(
                                                                                buffer, memory))
                                                                .build()))
                                        .build()))
                .build();
    }

    private void awaitNothingUsed() {
        long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
        while (memory.usedBytes() > 0) {
            assertThat(System.nanoTime()).isLessThan(deadlineNs);
            Thread.onSpinWait();
        }
    }

    private Responder nextWaiting() throws InterruptedException {
        Responder next = waiting.poll(10, TimeUnit.SECONDS);
        if (next == null) {
            throw new AssertionError("no request arrived");
        }
        return next;
    }

    private static NetworkServer server() {
        return new NetworkServer(
                TestNetwork.SETTINGS,
                ConnectionLimits.NONE,
                new NetworkServer.Surroundings(
                        task -> new Thread(task, "test-loop"),
                        PooledByteBufAllocator.DEFAULT,
                        System::nanoTime,
                        new BrokerMetrics()));
    }

    private final class Fetches implements ApiHandler<FetchRequest> {
        @Override
        public ApiKey api() {
            return ApiKey.FETCH;
        }

        @Override
        public void handle(RequestContext context, FetchRequest request, Responder responder) {
            waiting.add(responder);
        }
    }
}
