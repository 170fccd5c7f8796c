package dev.ottla.chaos.fault;

import dev.ottla.chaos.cluster.Cluster;
import dev.ottla.chaos.cluster.OwnCluster;
import dev.ottla.chaos.cluster.Pause;
import dev.ottla.chaos.history.History;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;

/// Starts and stops nodes, and while it waits starts those again that end by themselves, which the
/// history is told. Owned by the run's main thread.
public final class Nodes {
    /// What SIGTERM leaves behind.
    private static final int TERMINATED = 143;

    private final Cluster cluster;
    private final History history;

    /// Nodes that were started and have not answered yet.
    private final Set<Integer> starting = new TreeSet<>();

    /// Nodes that may give up, and why.
    private final Map<Integer, Fault> excused = new HashMap<>();

    Nodes(Cluster cluster, History history) {
        this.cluster = cluster;
        this.history = history;
    }

    List<Integer> starting() {
        return List.copyOf(starting);
    }

    /// Until it is started again the node may end by itself as far as the fault explains that, and
    /// is not started again then.
    void excuse(int node, Fault fault) {
        excused.put(node, fault);
    }

    /// From now on it may not end by itself.
    void expectToRun(int node) {
        excused.remove(node);
    }

    /// Starts nodes without waiting for them.
    public void launch(List<Integer> nodes) {
        nodes.forEach(excused::remove);
        nodes.forEach(cluster::launch);
        starting.addAll(nodes);
    }

    /// Undoes what a fault that failed has left behind; returns why something is left, if it is.
    List<String> mend() {
        List<Integer> down =
                cluster.ids().stream().filter(node -> !cluster.isRunning(node)).toList();
        List<String> left = cluster.mend();
        down.stream().filter(cluster::isRunning).forEach(starting::add);
        return left;
    }

    /// In order, to the end, which it may be coming to by itself.
    void stop(OwnCluster own, int node) {
        int exitCode = own.stop(node);
        if (exitCode != 0 && exitCode != TERMINATED && !isExplained(node, exitCode)) {
            history.add(own.death(node));
        }
    }

    private boolean isExplained(int node, int exitCode) {
        Fault fault = excused.get(node);
        return fault != null && fault.explains(exitCode);
    }

    /// Waits until all that were started answer; returns what is to be told of that.
    public String awaitReady(Duration patience) {
        long beganNs = System.nanoTime();
        do {
            starting.removeIf(cluster::isReady);
            watch();
            if (starting.isEmpty()) {
                return "answers after %d ms".formatted((System.nanoTime() - beganNs) / 1_000_000);
            }
            Pause.ofMs(20);
        } while (System.nanoTime() - beganNs < patience.toNanos());
        return "nodes %s do not answer yet".formatted(starting);
    }

    /// Waits, and starts again what dies meanwhile.
    public void pause(Duration time) {
        long endNs = System.nanoTime() + time.toNanos();
        do {
            watch();
            long leftNs = endNs - System.nanoTime();
            Pause.ofMs(Math.min(50, Math.max(0, leftNs / 1_000_000)));
        } while (System.nanoTime() < endNs);
        watch();
    }

    boolean waitUntil(Duration deadline, BooleanSupplier condition) {
        long deadlineNs = System.nanoTime() + deadline.toNanos();
        do {
            if (condition.getAsBoolean()) {
                return true;
            }
            pause(Duration.ofMillis(100));
        } while (System.nanoTime() < deadlineNs);
        return false;
    }

    private void watch() {
        cluster.own().ifPresent(this::watch);
    }

    private void watch(OwnCluster own) {
        for (int node : own.takeDead()) {
            int exitCode = own.exitCode(node);
            if (!isExplained(node, exitCode)) {
                history.add(own.death(node));
                launch(List.of(node));
            }
        }
    }
}
