package dev.ottla.bench.load;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.IntFunction;

/// The sockets of a load and the loop that serves them. Owned by the thread that calls [#run].
public final class LoadLoop implements AutoCloseable {
    /// Longest sleep without an event, so that a run notices that it is done.
    private static final long SELECT_MS = 5;

    private final IntFunction<InetSocketAddress> leaders;
    private final Selector selector;
    private final List<LoadConnection> connections = new ArrayList<>();
    private final List<Pace> paces = new ArrayList<>();

    /// For connections to the broker at `address`.
    public LoadLoop(InetSocketAddress address) throws IOException {
        this(_ -> address);
    }

    /// For connections to the leaders of partitions.
    public LoadLoop(IntFunction<InetSocketAddress> leaders) throws IOException {
        this.leaders = leaders;
        this.selector = Selector.open();
    }

    /// Connects to the leader of `partition`.
    LoadConnection connect(int partition, Conversation conversation) throws IOException {
        LoadConnection connection =
                new LoadConnection(leaders.apply(partition), selector, conversation);
        connections.add(connection);
        return connection;
    }

    /// Has the loop call the pace whenever something is due.
    void follow(Pace pace) {
        paces.add(pace);
    }

    /// Serves until `done`, looked at after each round of events; fails when that takes longer than
    /// `limit`.
    public void run(BooleanSupplier done, Duration limit) throws IOException {
        long beganNs = System.nanoTime();
        List<Thread> alarms = new ArrayList<>();
        for (Pace pace : paces) {
            pace.start(beganNs);
            alarms.add(Thread.ofPlatform().daemon().start(() -> pace.ring(selector)));
        }
        try {
            for (LoadConnection connection : connections) connection.send(beganNs);
            while (!done.getAsBoolean()) {
                long nowNs = System.nanoTime();
                if (nowNs - beganNs > limit.toNanos()) {
                    throw new IOException("the load did not end within " + limit);
                }
                for (Pace pace : paces) pace.dispatch(nowNs);
                selector.select(LoadLoop::onReady, SELECT_MS);
            }
        } catch (UncheckedIOException e) {
            throw new IOException(e.getCause());
        } finally {
            alarms.forEach(Thread::interrupt);
        }
    }

    private static void onReady(SelectionKey key) {
        try {
            ((LoadConnection) key.attachment()).onReady(System.nanoTime());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() throws IOException {
        for (LoadConnection connection : connections) connection.close();
        selector.close();
    }
}
