package dev.ottla.chaos;

import dev.ottla.chaos.cluster.Cluster;
import dev.ottla.chaos.cluster.ClusterState;
import dev.ottla.chaos.cluster.OwnCluster;
import dev.ottla.chaos.cluster.Pause;
import dev.ottla.chaos.cluster.ReplicaFiles;
import dev.ottla.chaos.fault.Injector;
import dev.ottla.chaos.history.Event;
import dev.ottla.chaos.history.History;
import dev.ottla.chaos.load.LastReading;
import dev.ottla.chaos.load.Load;
import dev.ottla.chaos.load.Topics;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
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

    /// Stops the nodes and reads their files; those of a given cluster are left alone, and all is
    /// read once more.
    void store() throws IOException {
        List<ClusterState.Partition> partitions = new ArrayList<>(state.partitions(Topics.names()));
        List<ClusterState.Partition> made = state.partitions(settings.keySet());
        Set<TopicPartition> names =
                Set.copyOf(made.stream().map(ClusterState.Partition::name).toList());
        Map<String, Long> ends = new HashMap<>(highWatermarks);
        ends.putAll(state.offsets(names, OffsetSpec.latest()));
        load.stop();
        Map<ClusterState.Partition, String> named = new LinkedHashMap<>();
        partitions.forEach(partition -> named.put(partition, partition.name().toString()));
        for (ClusterState.Partition partition : made) {
            long setting = settings.getOrDefault(partition.name().topic(), -1L);
            load.topicMaker()
                    .nameInHistory(setting)
                    .ifPresent(life ->
                            named.put(partition, life + "-" + partition.name().partition()));
        }
        if (cluster.own().isPresent()) {
            store(cluster.own().get(), named, ends);
        } else {
            readAgain(named, ends);
        }
    }

    private void readAgain(Map<ClusterState.Partition, String> named, Map<String, Long> ends) {
        Set<TopicPartition> all = new HashSet<>();
        named.keySet().forEach(partition -> all.add(partition.name()));
        Map<String, Long> starts = state.offsets(all, OffsetSpec.earliest());
        List<LastReading.Part> parts = new ArrayList<>();
        named.forEach((partition, name) -> {
            String key = partition.name().toString();
            parts.add(
                    new LastReading.Part(
                            partition.name(),
                            name,
                            starts.getOrDefault(key, 0L),
                            ends.getOrDefault(key, 0L)));
        });
        if (!new LastReading(cluster.bootstrap(), history).read(parts, HEALING)) {
            stuck("what was written cannot be read from beginning to end", HEALING);
        }
    }

    private void store(
            OwnCluster own, Map<ClusterState.Partition, String> named, Map<String, Long> ends)
            throws IOException {
        for (int node : own.ids()) {
            int exitCode = own.stop(node);
            if (exitCode != 0 && exitCode != 143) {
                history.add(own.death(node));
            }
        }
        for (Map.Entry<ClusterState.Partition, String> entry : named.entrySet()) {
            store(own, entry.getKey(), entry.getValue(), ends);
        }
    }

    private void store(
            OwnCluster own, ClusterState.Partition partition, String name, Map<String, Long> ends)
            throws IOException {
        String directory = partition.name().toString();
        List<ReplicaFiles> replicas = new ArrayList<>();
        for (int node : partition.replicas()) {
            replicas.add(ReplicaFiles.of(node, own.dataDir(node), directory, name));
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
