package dev.ottla.bench.scenario;

import dev.ottla.bench.client.ClusterState;
import dev.ottla.bench.client.Topic;
import dev.ottla.bench.client.WireClient;
import dev.ottla.bench.side.RunningCluster;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;

/// Writes one record after the other to a partition, with `acks=all`, and asks the other brokers
/// who leads whenever that fails. The figures may be read by any thread.
final class SteadyWriter implements AutoCloseable {
    private static final Duration PAUSE = Duration.ofMillis(5);

    /// A leader that says nothing for so long is given up.
    private static final Duration PATIENCE = Duration.ofMillis(500);

    private final RunningCluster cluster;
    private final Topic topic;
    private final int partition;
    private final Thread thread;

    private volatile boolean closed;

    /// Written by the writer's thread, and by [#forget] before anything happens.
    private volatile long longestGapNs;

    /// Broker that took the last record.
    private volatile int lastLeader = ClusterState.NO_LEADER;

    SteadyWriter(RunningCluster cluster, Topic topic, int partition) {
        this.cluster = cluster;
        this.topic = topic;
        this.partition = partition;
        this.thread = Thread.ofPlatform().name("writer").start(this::write);
    }

    /// The longest gap is counted from here on.
    void forget() {
        longestGapNs = 0;
    }

    double longestGapMs() {
        return longestGapNs / 1e6;
    }

    /// Whether another broker than `victim` has taken a record last.
    boolean hasWrittenAfter(int victim) {
        int leader = lastLeader;
        return leader != ClusterState.NO_LEADER && leader != victim;
    }

    private void write() {
        long lastNs = System.nanoTime();
        int turn = 0;
        while (!closed) {
            int asked = turn++ % cluster.size() + 1;
            try (WireClient guide = new WireClient(address(asked), PATIENCE)) {
                ClusterState state = ClusterState.ask(guide, topic.name());
                int leader = state.leaderId(partition);
                if (leader == ClusterState.NO_LEADER) {
                    pause();
                    continue;
                }
                try (WireClient client = new WireClient(state.leader(partition), PATIENCE)) {
                    while (!closed && Readiness.write(client, topic, partition)) {
                        long nowNs = System.nanoTime();
                        longestGapNs = Math.max(longestGapNs, nowNs - lastNs);
                        lastNs = nowNs;
                        lastLeader = leader;
                        pause();
                    }
                }
            } catch (IOException e) {
                // That broker is gone, or not there yet: another may know more.
            }
            pause();
        }
    }

    private InetSocketAddress address(int id) {
        return cluster.broker(id).address();
    }

    private static void pause() {
        try {
            Thread.sleep(PAUSE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        closed = true;
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
