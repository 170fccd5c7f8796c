package dev.ottla.metadata.controller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ottla.metadata.BrokerIds;
import dev.ottla.metadata.ConfigResource;
import dev.ottla.metadata.Directories;
import dev.ottla.metadata.image.BrokerState;
import dev.ottla.metadata.image.ClusterImage;
import dev.ottla.metadata.image.PartitionState;
import dev.ottla.metadata.image.TopicState;
import dev.ottla.wire.ErrorCode;
import dev.ottla.wire.Uuid;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

/// A cluster that random things happen to: brokers come, stop, lose their disks, leave for good;
/// topics come and go, partitions move. With a model of who holds the committed records of each
/// partition: after a commit, which needs `min.insync.replicas`, the ISR and nobody else.
final class RandomCluster {
    final TestCluster cluster = new TestCluster();
    private final Random random;
    private final int brokers;

    /// Per broker: how often its disk was replaced by an empty one.
    private final int[] disk;

    private final Map<PartitionId, Set<Integer>> holders = new HashMap<>();
    private final Map<PartitionId, PartitionState> seen = new HashMap<>();
    private int nextTopic;

    RandomCluster(long seed) {
        this.random = new Random(seed);
        this.brokers = 3 + random.nextInt(6);
        this.disk = new int[brokers + 1];
        for (int id = 1; id <= brokers; id++) restart(id);
    }

    void step() {
        int id = 1 + random.nextInt(brokers);
        switch (random.nextInt(28)) {
            case 0, 1 -> createTopic();
            case 2 -> deleteTopic();
            case 3, 4 -> restart(id);
            case 5 -> replaceDisk(id);
            case 6, 7 -> cluster.fence(id);
            case 8, 9, 10 -> cluster.unfence(id);
            case 11 -> changeIsr();
            case 12 -> changeMinimum();
            case 13 -> toggleDirectory(id);
            case 14 -> commit();
            case 15, 16, 17 -> reassign();
            case 18, 19, 20 -> catchUp();
            case 21 -> unregister(id);
            case 22 -> cluster.run(Controller::settle);
            case 23 -> cluster.run(c -> c.electPreferred(2));
            case 24, 25, 26 -> toggleRoom(id);
            default -> electOrGrow();
        }
        check();
        for (int i = 0; i < 3; i++) commit();
    }

    private void createTopic() {
        int factor = 1 + random.nextInt(3);
        cluster.create(
                CreateTopic.named("t" + nextTopic++)
                        .withPartitions(1 + random.nextInt(3))
                        .withReplicationFactor(factor));
    }

    private void deleteTopic() {
        if (random.nextInt(3) > 0) return;
        topic().ifPresent(
                        topic -> cluster.run(c -> c.deleteTopics(List.of(), List.of(topic.id()))));
    }

    private Uuid directory(int id) {
        return new Uuid(100 + id, 1 + disk[id]);
    }

    private void restart(int id) {
        Map<PartitionId, PartitionState> before = states();
        RegisterBroker registration = cluster.registration(id, random.nextBoolean(), directory(id));
        cluster.register(registration);
        states().forEach((partition, state) -> {
            PartitionState old = before.get(partition);
            if (old != null && old.leader() == id) {
                assertThat(state.leaderEpoch()).isGreaterThan(old.leaderEpoch());
            }
        });
    }

    private void replaceDisk(int id) {
        if (random.nextInt(3) > 0) return;
        disk[id]++;
        holders.values().forEach(holding -> holding.remove(id));
        // Nothing else proves that the one with the old disk is gone.
        cluster.fence(id);
        restart(id);
        List<AssignDirectory> assignments = new ArrayList<>();
        states().forEach((partition, state) -> {
            if (state.replicas().has(id)) {
                assignments.add(new AssignDirectory(partition, directory(id)));
            }
        });
        cluster.run(c -> c.assignDirectories(id, cluster.epoch(id), assignments));
    }

    private void toggleDirectory(int id) {
        Optional<BrokerState> broker = cluster.image().broker(id);
        if (broker.isEmpty()) return;
        List<Uuid> online =
                broker.get().directories().isEmpty() ? List.of(directory(id)) : List.<Uuid>of();
        cluster.run(c -> c.onlineDirectories(id, cluster.epoch(id), online));
    }

    private void toggleRoom(int id) {
        Optional<BrokerState> broker = cluster.image().broker(id);
        if (broker.isEmpty()) return;
        List<Uuid> full =
                broker.get().fullDirectories().isEmpty() ? List.of(directory(id)) : List.<Uuid>of();
        cluster.run(c -> c.fullDirectories(id, cluster.epoch(id), full));
    }

    /// A leader drops a follower or takes one in that has caught up.
    private void changeIsr() {
        Optional<TopicState> topic = topic();
        if (topic.isEmpty()) return;
        int number = random.nextInt(topic.get().partitionCount());
        PartitionState state = topic.get().partitions().get(number);
        if (!state.hasLeader()) return;
        int other = state.replicas().at(random.nextInt(state.replicas().size()));
        if (other == state.leader()) return;
        changeIsr(
                new PartitionId(topic.get().id(), number),
                state,
                state.isr().has(other) ? state.isr().without(other) : state.isr().with(other));
    }

    private void changeIsr(PartitionId id, PartitionState state, BrokerIds isr) {
        AlterPartition change =
                new AlterPartition(
                        id,
                        state.leaderEpoch(),
                        state.partitionEpoch(),
                        isr.stream().map(b -> new IsrMember(b, cluster.epoch(b))).toList(),
                        false);
        int leader = state.leader();
        AlteredPartition result =
                cluster.run(c -> c.alterPartitions(leader, cluster.epoch(leader), List.of(change)))
                        .parts()
                        .getFirst();
        boolean done =
                result.error().isNone() || result.error().code() == ErrorCode.NEW_LEADER_ELECTED;
        if (done) holders(id, state).addAll(isr);
    }

    /// All replicas of a partition catch up whose brokers are there.
    private void catchUp() {
        Optional<TopicState> topic = topic();
        if (topic.isEmpty()) return;
        for (int i = 0; i < topic.get().partitionCount(); i++) {
            PartitionState state = topic.get().partitions().get(i);
            if (!state.hasLeader()) continue;
            BrokerIds isr =
                    BrokerIds.copyOf(
                            state.replicas().stream()
                                    .filter(id ->
                                            state.isr().has(id)
                                                    || isThere(id, state.directoryOf(id)))
                                    .toList());
            changeIsr(new PartitionId(topic.get().id(), i), state, isr);
        }
    }

    private boolean isThere(int id, Uuid directory) {
        return cluster.image()
                .broker(id)
                .map(broker -> broker.isActive() && broker.hasOnline(directory))
                .orElse(false);
    }

    /// Partitions go elsewhere, get more replicas or fewer, or come back.
    private void reassign() {
        Optional<TopicState> topic = topic();
        if (topic.isEmpty()) return;
        List<Integer> ids = new ArrayList<>();
        for (int id = 1; id <= brokers; id++) ids.add(id);
        Collections.shuffle(ids, random);
        int factor = 1 + random.nextInt(3);
        Optional<List<Integer>> wanted =
                random.nextInt(4) == 0 ? Optional.empty() : Optional.of(ids.subList(0, factor));
        int number = random.nextInt(topic.get().partitionCount());
        cluster.run(c ->
                c.reassign(
                        List.of(
                                new ReassignPartition(
                                        new NamedPartition(topic.get().name(), number), wanted)),
                        random.nextBoolean()));
    }

    private void unregister(int id) {
        if (random.nextInt(3) > 0) return;
        cluster.run(c -> c.unregisterBroker(id));
    }

    private void changeMinimum() {
        topic().ifPresent(topic ->
                cluster.alter(
                        new AlterConfigs(
                                ConfigResource.topic(topic.name()),
                                List.of(
                                        ConfigOp.set(
                                                "min.insync.replicas",
                                                "" + (1 + random.nextInt(2)))))));
    }

    private void electOrGrow() {
        if (random.nextBoolean()) {
            cluster.run(c -> c.electLeaders(Election.PREFERRED, Optional.empty()));
            return;
        }
        topic().ifPresent(topic ->
                cluster.run(c ->
                        c.createPartitions(
                                List.of(
                                        new CreatePartitions(
                                                topic.name(),
                                                topic.partitionCount() + 1,
                                                List.of())),
                                false)));
    }

    /// A record is committed somewhere: the whole ISR has it, and nobody else need.
    private void commit() {
        Optional<TopicState> topic = topic();
        if (topic.isEmpty()) return;
        int number = random.nextInt(topic.get().partitionCount());
        PartitionState state = topic.get().partitions().get(number);
        if (!state.hasLeader() || state.isr().size() < minimum(topic.get(), state)) return;
        holders.put(new PartitionId(topic.get().id(), number), new HashSet<>(state.isr()));
    }

    private int minimum(TopicState topic, PartitionState state) {
        String set =
                cluster.image()
                        .config(ConfigResource.topic(topic.name()))
                        .getOrDefault("min.insync.replicas", "");
        int factor = state.replicationFactor();
        int wanted = set.isEmpty() ? (factor < 3 ? 1 : factor / 2 + 1) : Integer.parseInt(set);
        return Math.min(wanted, factor);
    }

    private Set<Integer> holders(PartitionId id, PartitionState state) {
        return holders.computeIfAbsent(id, _ -> new HashSet<>(state.replicas()));
    }

    private Optional<TopicState> topic() {
        List<TopicState> topics = new ArrayList<>(cluster.image().topics());
        return topics.isEmpty()
                ? Optional.empty()
                : Optional.of(topics.get(random.nextInt(topics.size())));
    }

    private Map<PartitionId, PartitionState> states() {
        Map<PartitionId, PartitionState> states = new HashMap<>();
        for (TopicState topic : cluster.image().topics()) {
            for (int i = 0; i < topic.partitionCount(); i++) {
                states.put(new PartitionId(topic.id(), i), topic.partitions().get(i));
            }
        }
        return states;
    }

    private void check() {
        states().forEach((id, state) -> {
            check(cluster.image(), state);
            checkReassignment(state);
            // A replica that was taken away is deleted.
            holders(id, state).retainAll(state.replicas());
            PartitionState before = seen.put(id, state);
            if (before != null) {
                checkCompletion(before, state);
                assertThat(state.leaderEpoch()).isGreaterThanOrEqualTo(before.leaderEpoch());
                assertThat(state.partitionEpoch()).isGreaterThanOrEqualTo(before.partitionEpoch());
                if (state.leader() != before.leader()) {
                    assertThat(state.leaderEpoch()).isGreaterThan(before.leaderEpoch());
                }
            }
            if (state.hasLeader()) {
                assertThat(holders(id, state))
                        .as("who holds what was committed in %s: %s", id, state)
                        .contains(state.leader());
            }
        });
    }

    private static void checkCompletion(PartitionState before, PartitionState state) {
        if (before.addingReplicas().isEmpty() || state.isReassigned()) return;
        if (state.replicas().equals(before.targetReplicas())) {
            assertThat(state.isr()).containsAll(before.addingReplicas());
        }
    }

    private void checkReassignment(PartitionState state) {
        assertThat(state.replicas()).isNotEmpty().doesNotHaveDuplicates();
        assertThat(state.replicas()).containsAll(state.addingReplicas());
        assertThat(state.replicas()).containsAll(state.removingReplicas());
        assertThat(state.addingReplicas().within(state.removingReplicas())).isEmpty();
        assertThat(state.targetReplicas()).isNotEmpty();
        if (state.isReassigned() && state.isr().containsAll(state.targetReplicas())) {
            throw new AssertionError("should be complete: " + state);
        }
    }

    private static void check(ClusterImage image, PartitionState state) {
        assertThat(state.isr()).isNotEmpty().isSubsetOf(state.replicas());
        assertThat(state.elr())
                .isSubsetOf(state.replicas())
                .doesNotContainAnyElementsOf(state.isr());
        assertThat(state.directories()).hasSameSizeAs(state.replicas());
        if (!state.hasLeader()) return;
        assertThat(state.isr()).contains(state.leader());
        BrokerState leader = image.broker(state.leader()).orElseThrow();
        assertThat(leader.isActive()).isTrue();
        assertThat(Directories.isOnline(state.directoryOf(leader.id()), leader.directories()))
                .isTrue();
        if (leader.hasRoom(state.directoryOf(leader.id()))) return;
        assertThat(state.isr().stream().flatMap(id -> image.broker(id).stream()))
                .as("a full broker leads only where nobody else could: %s", state)
                .noneMatch(broker ->
                        broker.isActive()
                                && broker.hasOnline(state.directoryOf(broker.id()))
                                && broker.hasRoom(state.directoryOf(broker.id())));
    }
}
