package dev.ottla.bench.scenario;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/// Many small clients, each a virtual thread, that live until it is closed. Thread-safe where a
/// client fails: the first failure is kept, the main thread asks for it.
final class Crowd implements AutoCloseable {
    private final List<Thread> threads = new ArrayList<>();

    /// Written once by the client that failed first, read by the main thread; nothing else depends
    /// on the order.
    private final AtomicReference<Optional<Exception>> failure =
            new AtomicReference<>(Optional.empty());

    void start(Client client) {
        threads.add(Thread.ofVirtual().start(() -> live(client)));
    }

    /// Fails when a client has failed.
    void requireAlive() throws IOException {
        Optional<Exception> first = failure.get();
        if (first.isPresent()) throw new IOException("a client failed", first.get());
    }

    /// Waits until every client has ended by itself.
    void join() throws InterruptedException, IOException {
        for (Thread thread : threads) thread.join();
        requireAlive();
    }

    private void live(Client client) {
        try {
            client.live();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException | RuntimeException e) {
            failure.compareAndSet(Optional.empty(), Optional.of(e));
        }
    }

    /// Interrupts all; a client in a read of its socket is cut off by that too.
    @Override
    public void close() {
        threads.forEach(Thread::interrupt);
        try {
            for (Thread thread : threads) thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// What one of them does.
    interface Client {
        void live() throws IOException, InterruptedException;
    }
}
