package dev.ottla.broker.network;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ottla.broker.shard.Shard;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.IoHandle;
import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerContext;
import io.netty.channel.IoRegistration;
import io.netty.channel.nio.NioIoHandler;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A shard on a loop's thread that never runs out of work leaves the sockets their time.
@Timeout(60)
class TurnsTest {
    private static final int ROUNDS = 500;

    private final AtomicInteger looksAtSockets = new AtomicInteger();
    private final BlockingQueue<Throwable> failures = new LinkedBlockingQueue<>();
    private final CountDownLatch done = new CountDownLatch(1);
    private final UnpooledByteBufAllocator allocator = new UnpooledByteBufAllocator(true);
    private final Scratch scratch = Scratch.allocate(allocator);
    private final LoopGroup group =
            new LoopGroup(
                    task -> new Thread(task, "test-loop"),
                    executor ->
                            new CountingIoHandler(
                                    NioIoHandler.newFactory().newHandler(executor),
                                    looksAtSockets));
    private final NetworkLoop loop = new NetworkLoop(0, group.add(), System::nanoTime, scratch);
    private final Shard shard = new Shard(0, System::nanoTime, loop, failures::add);

    @BeforeEach
    void start() {
        shard.start();
    }

    @AfterEach
    void stop() throws InterruptedException {
        shard.stop();
        assertThat(shard.awaitStop(10_000)).isTrue();
        var _ = group.shutdownGracefully(0, 0, TimeUnit.SECONDS);
        assertThat(group.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
        scratch.release();
        assertThat(failures).isEmpty();
    }

    @Test
    void socketsAreLookedAtBetweenTurnsThatTheShardAsksItselfFor() throws InterruptedException {
        shard.execute(() -> goOn(ROUNDS));

        assertThat(done.await(30, TimeUnit.SECONDS)).isTrue();
        assertThat(looksAtSockets.get()).isGreaterThanOrEqualTo(ROUNDS);
    }

    private void goOn(int rounds) {
        if (rounds == 0) {
            done.countDown();
        } else {
            shard.execute(() -> goOn(rounds - 1));
        }
    }

    @Test
    void socketsAreLookedAtBetweenTurnsThatOthersAskFor() throws InterruptedException {
        SynchronousQueue<Integer> turns = new SynchronousQueue<>();

        // Each message is posted while the turn of the one before it runs.
        for (int i = 0; i < ROUNDS; i++) {
            shard.execute(() -> taken(turns));
            turns.put(i);
        }
        shard.execute(done::countDown);

        assertThat(done.await(30, TimeUnit.SECONDS)).isTrue();
        assertThat(looksAtSockets.get()).isGreaterThanOrEqualTo(ROUNDS);
    }

    private static void taken(SynchronousQueue<Integer> turns) {
        try {
            assertThat(turns.take()).isNotNegative();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private record CountingIoHandler(IoHandler transport, AtomicInteger runs) implements IoHandler {
        @Override
        public int run(IoHandlerContext context) {
            runs.incrementAndGet();
            return transport.run(context);
        }

        @Override
        public IoRegistration register(IoHandle handle) throws Exception {
            return transport.register(handle);
        }

        @Override
        public void wakeup() {
            transport.wakeup();
        }

        @Override
        public boolean isCompatible(Class<? extends IoHandle> type) {
            return transport.isCompatible(type);
        }

        @Override
        public void initialize() {
            transport.initialize();
        }

        @Override
        public void prepareToDestroy() {
            transport.prepareToDestroy();
        }

        @Override
        public void destroy() {
            transport.destroy();
        }
    }
}
