package dev.ottla.chaos.scenario;

import dev.ottla.chaos.cluster.ClusterState;
import dev.ottla.chaos.cluster.ClusterState.Partition;
import dev.ottla.chaos.cluster.OwnCluster;
import dev.ottla.chaos.fault.Injector;
import dev.ottla.chaos.history.Event;
import dev.ottla.chaos.history.History;
import dev.ottla.chaos.load.Load;
import dev.ottla.chaos.load.Topics;
import dev.ottla.testkit.NetworkSpaces;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.BooleanSupplier;

/// What a scenario has at hand. Owned by the run's main thread.
public final class Stage {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Duration POLL = Duration.ofMillis(5);

    private final OwnCluster cluster;
    private final ClusterState state;
    private final Injector injector;
    private final Load load;
    private final History history;
    private final Roles roles;

    public Stage(
            OwnCluster cluster,
            ClusterState state,
            Injector injector,
            Load load,
            History history,
            Roles roles) {
        this.cluster = cluster;
        this.state = state;
        this.injector = injector;
        this.load = load;
        this.history = history;
        this.roles = roles;
    }

    /// Plays a scenario, which counts as one fault.
    public void play(Scenario scenario) {
        history.add(new Event.FaultBegan(1, scenario.name(), all(), roles.toString()));
        scenario.play(this);
        history.add(new Event.FaultEnded(1, true, ""));
    }

    List<Integer> all() {
        return cluster.ids();
    }

    int controller() {
        return roles.controller();
    }

    int leader() {
        return roles.leader();
    }

    int follower() {
        return roles.follower();
    }

    void tell(int node, String order) {
        cluster.tell(node, order);
    }

    public void pause(Duration time) {
        injector.nodes().pause(time);
    }

    void kill(int node) {
        cluster.kill(node);
    }

    void losePower(List<Integer> nodes, OptionalLong seed) {
        cluster.losePower(nodes, seed);
    }

    void wipe(int node) {
        cluster.wipe(node);
    }

    /// Starts nodes that are gone, without waiting for them.
    void launch(List<Integer> nodes) {
        injector.nodes().launch(nodes);
    }

    void awaitReady() {
        injector.nodes().awaitReady(PATIENCE);
    }

    /// From now on the metadata changes only with the faults.
    void leaveMetadataAlone() {
        load.stopTopicMaker();
    }

    /// What one sends to the other is lost from now on.
    void cut(int from, int to) {
        networks().cut(from, to);
    }

    void cutBothWays(int one, int other) {
        networks().cutBothWays(one, other);
    }

    /// Everything passes between the two again.
    void join(int one, int other) {
        networks().join(one, other);
    }

    void healNetworks() {
        networks().heal();
    }

    private NetworkSpaces networks() {
        return cluster.networks().orElseThrow();
    }

    /// Waits until the leader is alone in sync.
    void awaitLeaderAlone() {
        await(
                "the leader is alone in sync",
                () -> {
                    List<Partition> all = state.partitions(Topics.names());
                    return !all.isEmpty()
                            && all.stream()
                                    .allMatch(
                                            partition -> partition.isr().equals(Set.of(leader())));
                });
    }

    /// Waits until the follower is in sync with one partition or more.
    void awaitFollowerInSync() {
        await(
                "the follower is in sync",
                () ->
                        state.partitions(Topics.names()).stream()
                                .anyMatch(partition -> partition.isr().contains(follower())));
    }

    /// Waits until the follower may lead.
    void awaitFollowerActive() {
        await("the follower is let in", () -> state.active().contains(follower()));
    }

    private void await(String what, BooleanSupplier condition) {
        long deadlineNs = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > deadlineNs) {
                throw new IllegalStateException("not in time: " + what);
            }
            injector.nodes().pause(POLL);
        }
    }
}
