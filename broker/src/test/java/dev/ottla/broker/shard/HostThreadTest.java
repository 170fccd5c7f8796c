package dev.ottla.broker.shard;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class HostThreadTest {
    @Test
    void hostThatFailsAtTheEndOfATurnBreaksTheShard() throws InterruptedException {
        BlockingQueue<Throwable> failures = new LinkedBlockingQueue<>();
        AtomicInteger later = new AtomicInteger();
        try (TestHost host = new TestHost()) {
            Shard shard = new Shard(0, System::nanoTime, host, failures::add);
            host.failAtTurnEnd(new AssertionError("planted"));
            shard.execute(() -> shard.execute(later::incrementAndGet));

            shard.start();

            assertThat(failures.poll(10, TimeUnit.SECONDS)).hasMessage("planted");
            assertThat(shard.awaitStop(10_000)).isTrue();
            assertThat(later).hasValue(0);
        }
    }
}
