package dev.ottla.chaos;

import dev.ottla.chaos.cluster.Cluster;
import dev.ottla.chaos.cluster.ClusterState;
import dev.ottla.chaos.cluster.Pause;
import dev.ottla.chaos.cluster.ReplicaFiles;
import dev.ottla.chaos.fault.Injector;
import dev.ottla.chaos.history.Event;
import dev.ottla.chaos.history.History;
import dev.ottla.chaos.load.Load;
import dev.ottla.chaos.load.Topics;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;

/// What comes after the last fault: the cluster heals, clients come to their ends, and what all
/// replicas hold goes into the history. Owned by the run's main thread.
final class Aftermath {
    private static final Duration HEALING = Duration.ofMinutes(3);
    private static final Duration ANSWERS = Duration.ofMinutes(2);
    private static final Duration LEAVING = Duration.ofSeconds(60);

    private final Cluster cluster;
    private final ClusterState state;
    private final Load load;
    private final History history;

    /// By topic, of those that were made during the run.
    private final Map<String, Long> settings = new HashMap<>();

    /// By partition.
    private final Map<String, Long> highWatermarks = new HashMap<>();

    Aftermath(Cluster cluster, ClusterState state, Load load, History history) {
        this.cluster = cluster;
        this.state = state;
        this.load = load;
        this.history = history;
    }

    void heal(Injector injector) throws IOException {
        injector.heal();
        expect("partitions do not get their replicas back", () -> isDone(injector::completeMoves));
        boolean answered = load.stopWriters(ANSWERS);
        if (!answered) {
            stuck("writes are not answered", ANSWERS);
        }
        boolean healthy = injector.awaitHealth(HEALING);
        if (!healthy) {
            stuck("not all replicas are in sync", HEALING);
        }
        if (answered && healthy) {
            history.add(new Event.Healed());
        }
    }

    /// Readers read to the end, groups commit and leave.
    void readOut() {
        lookAtMadeTopics();
        expect(
                "not all partitions tell their high watermarks",
                () -> {
                    highWatermarks.putAll(load.observe(state));
                    return highWatermarks.size() == Topics.partitions().size();
                });
        expect("readers do not come to the end", () -> load.haveReadersRead(highWatermarks));
        isTrueWithin(HEALING, load::isAllOwned);
        load.mustBeOwned().forEach(history::add);
        if (!load.stopMembers(LEAVING)) {
            stuck("members of groups do not commit and leave", LEAVING);
        }
        load.observe(state);
    }

    private void lookAtMadeTopics() {
        boolean answered =
                expect(
                        "nobody tells which topics there are",
                        () -> {
                            var found = load.topicMaker().settings(state);
                            found.ifPresent(settings::putAll);
                            return found.isPresent();
                        });
        if (answered) {
            history.add(new Event.TopicsFound(settings));
        }
        expect(
                "not all topics that were made are in sync",
                () -> {
                    List<ClusterState.Partition> made = state.partitions(settings.keySet());
                    return made.size() == settings.size()
                            && made.stream().allMatch(ClusterState.Partition::isInSync);
                });
    }

    /// Stops the nodes and reads their files.
    void store() throws IOException {
        List<ClusterState.Partition> partitions = new ArrayList<>(state.partitions(Topics.names()));
        List<ClusterState.Partition> made = state.partitions(settings.keySet());
        Set<TopicPartition> names =
                Set.copyOf(made.stream().map(ClusterState.Partition::name).toList());
        Map<String, Long> ends = new HashMap<>(highWatermarks);
        ends.putAll(state.offsets(names, OffsetSpec.latest()));
        load.stop();
        for (int node : cluster.ids()) {
            int exitCode = cluster.stop(node);
            if (exitCode != 0 && exitCode != 143) {
                String output = cluster.outputFile(node).toString();
                history.add(new Event.NodeDied(node, exitCode, output));
            }
        }
        for (ClusterState.Partition partition : partitions) {
            store(partition, partition.name().toString(), ends);
        }
        for (ClusterState.Partition partition : made) {
            long setting = settings.getOrDefault(partition.name().topic(), -1L);
            var life = load.topicMaker().nameInHistory(setting);
            if (life.isPresent()) {
                store(partition, life.get() + "-" + partition.name().partition(), ends);
            }
        }
    }

    private void store(ClusterState.Partition partition, String name, Map<String, Long> ends)
            throws IOException {
        String directory = partition.name().toString();
        List<ReplicaFiles> replicas = new ArrayList<>();
        for (int node : partition.replicas()) {
            replicas.add(ReplicaFiles.of(node, cluster.dataDir(node), directory, name));
        }
        for (ReplicaFiles replica : replicas) {
            history.add(replica.describe(ends.getOrDefault(directory, 0L)));
        }
        for (ReplicaFiles replica : replicas) {
            replica.store(history::add);
        }
    }

    private static boolean isDone(Runnable action) {
        try {
            action.run();
            return true;
        } catch (IllegalStateException e) {
            return false; // It is tried again.
        }
    }

    private boolean expect(String otherwise, BooleanSupplier condition) {
        boolean holds = isTrueWithin(HEALING, condition);
        if (!holds) {
            stuck(otherwise, HEALING);
        }
        return holds;
    }

    private void stuck(String what, Duration after) {
        history.add(
                new Event.Stuck("%s %d s after the last fault".formatted(what, after.toSeconds())));
    }

    static boolean isTrueWithin(Duration deadline, BooleanSupplier condition) {
        long deadlineNs = System.nanoTime() + deadline.toNanos();
        do {
            if (condition.getAsBoolean()) {
                return true;
            }
            Pause.ofMs(100);
        } while (System.nanoTime() < deadlineNs);
        return false;
    }
}
