package dev.ottla.group;

import dev.ottla.group.classic.Heartbeat;
import dev.ottla.group.classic.JoinGroup;
import dev.ottla.group.classic.SyncGroup;
import dev.ottla.group.partition.PartitionSet;
import dev.ottla.group.record.Bytes;
import dev.ottla.group.record.ConsumerProtocolCodec;
import dev.ottla.group.record.ConsumerProtocolCodec.Subscription;
import dev.ottla.group.shell.Refusal;
import dev.ottla.wire.Uuid;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.random.RandomGenerator;

/// A consumer of the classic protocol in the simulation, eager or cooperative. As the leader it
/// deals out the partitions in turn; a cooperative one first leaves out what another member still
/// has.
final class SimulatedClassic implements SimulatedClient {
    private enum Phase {
        OUT,
        JOINING,
        SYNCING,
        IN
    }

    private final TestShell shell;
    private final RandomGenerator random;
    private final ClassicClient client;
    private final String name;
    private final boolean cooperative;
    private final Set<String> topics;
    private Phase phase = Phase.OUT;
    private Map<String, PartitionSet> owned = Map.of();
    private Answer<JoinGroup.Response> join = new Answer<>();
    private Answer<SyncGroup.Response> sync = new Answer<>();
    private long askedMs;
    private long leadsOnTopics = -1; // version of the topics that it assigned, as the leader
    private boolean behaves;

    SimulatedClassic(
            TestShell shell,
            RandomGenerator random,
            String groupId,
            String name,
            boolean cooperative,
            Optional<String> instanceId,
            Set<String> topics) {
        this.shell = shell;
        this.random = random;
        this.name = name;
        this.cooperative = cooperative;
        this.topics = topics;
        this.client =
                new ClassicClient(shell, groupId)
                        .speaking(cooperative ? "cooperative-sticky" : "range");
        client.instanceId = instanceId;
        client.topics = topics;
        client.sessionTimeoutMs = 30_000;
    }

    @Override
    public void step() {
        switch (phase) {
            case OUT -> askToJoin();
            case JOINING -> pickUpJoin();
            case SYNCING -> pickUpSync();
            case IN -> heartbeat();
        }
    }

    private void askToJoin() {
        if (!cooperative) owned = Map.of();
        client.metadata =
                Optional.of(
                        ConsumerProtocolCodec.encodeSubscription(
                                new Subscription(
                                        (short) 3,
                                        topics,
                                        owned,
                                        client.generationId,
                                        Optional.empty())));
        join = client.join();
        phase = Phase.JOINING;
        askedMs = shell.nowMs;
    }

    private void pickUpJoin() {
        if (!join.isThere()) {
            // The coordinator that held the request is gone: the client's request times out.
            if (shell.nowMs - askedMs > 70_000) askToJoin();
            return;
        }
        if (join.isRefused()) {
            refused(join.refusal());
            return;
        }
        if (!(join.get() instanceof JoinGroup.Joined)) {
            askToJoin();
            return;
        }
        JoinGroup.Joined joined = client.took(join);
        boolean leads = joined.leader().equals(joined.memberId());
        // One that leads without having assigned cannot know what changed before it came.
        leadsOnTopics = !leads ? -1 : joined.skipAssignment() ? 0 : shell.topics.version();
        sync = client.sync(leads && !joined.skipAssignment() ? assign(joined.members()) : Map.of());
        phase = Phase.SYNCING;
        askedMs = shell.nowMs;
    }

    private void pickUpSync() {
        if (!sync.isThere()) {
            if (shell.nowMs - askedMs > 70_000) askToJoin();
            return;
        }
        if (sync.isRefused()) {
            refused(sync.refusal());
            return;
        }
        Map<String, PartitionSet> assigned =
                ConsumerProtocolCodec.assignment(sync.get().assignment())
                        .orElseThrow()
                        .partitions();
        boolean gaveUp =
                owned.entrySet().stream()
                        .anyMatch(entry ->
                                !entry.getValue()
                                        .minus(
                                                assigned.getOrDefault(
                                                        entry.getKey(), PartitionSet.EMPTY))
                                        .isEmpty());
        owned = assigned;
        phase = Phase.IN;
        if (cooperative && gaveUp) askToJoin();
    }

    private void heartbeat() {
        if (leadsOnTopics >= 0 && leadsOnTopics != shell.topics.version()) {
            // The leader watches the topics and asks for a new assignment when they change.
            askToJoin();
            return;
        }
        Answer<Heartbeat.Response> answer = client.heartbeat();
        if (!behaves && random.nextInt(20) == 0) return; // the answer is lost
        if (answer.isRefused()) refused(answer.refusal());
    }

    private void refused(Refusal refusal) {
        switch (refusal.error()) {
            case REBALANCE_IN_PROGRESS -> askToJoin();
            case UNKNOWN_MEMBER_ID, ILLEGAL_GENERATION, FENCED_INSTANCE_ID -> kill();
            default -> throw new AssertionError(name + ": " + refusal);
        }
    }

    private Map<String, Bytes> assign(List<JoinGroup.Member> members) {
        Map<String, Subscription> subscriptions = new HashMap<>();
        Map<String, Map<String, List<Integer>>> given = new HashMap<>();
        Map<String, String> owners = new HashMap<>();
        Set<String> all = new TreeSet<>();
        for (JoinGroup.Member member : members) {
            Subscription subscription =
                    ConsumerProtocolCodec.subscription(member.metadata()).orElseThrow();
            subscriptions.put(member.memberId(), subscription);
            all.addAll(subscription.topics());
            subscription
                    .owned()
                    .forEach((topic, partitions) ->
                            partitions.stream()
                                    .forEach(partition ->
                                            owners.put(topic + partition, member.memberId())));
        }
        int turn = 0;
        for (String topic : all) {
            List<String> takers = new ArrayList<>();
            for (JoinGroup.Member member : members) {
                if (topicsOf(subscriptions, member).contains(topic)) takers.add(member.memberId());
            }
            int count = shell.topics.byName(topic).map(found -> found.partitionCount()).orElse(0);
            for (int partition = 0; partition < count; partition++) {
                String taker = takers.get(turn++ % takers.size());
                String owner = owners.getOrDefault(topic + partition, taker);
                if (cooperative && !owner.equals(taker)) continue;
                given.computeIfAbsent(taker, _ -> new HashMap<>())
                        .computeIfAbsent(topic, _ -> new ArrayList<>())
                        .add(partition);
            }
        }
        Map<String, Bytes> assignments = new HashMap<>();
        for (JoinGroup.Member member : members) {
            Map<String, PartitionSet> part = new HashMap<>();
            given.getOrDefault(member.memberId(), Map.of())
                    .forEach((topic, list) -> part.put(topic, PartitionSet.of(list)));
            assignments.put(
                    member.memberId(), ConsumerProtocolCodec.encodeAssignment(part, (short) 3));
        }
        return assignments;
    }

    private static Set<String> topicsOf(
            Map<String, Subscription> subscriptions, JoinGroup.Member member) {
        Subscription subscription = subscriptions.get(member.memberId());
        return subscription == null ? Set.of() : new HashSet<>(subscription.topics());
    }

    @Override
    public void kill() {
        phase = Phase.OUT;
        leadsOnTopics = -1;
        owned = Map.of();
        client.memberId = "";
        client.generationId = -1;
    }

    @Override
    public void leave() {
        if (phase == Phase.IN && client.instanceId.isEmpty()) client.leave();
        kill();
    }

    @Override
    public String name() {
        return name
                + "/"
                + client.memberId
                + (cooperative ? " cooperative " : " eager ")
                + phase
                + " "
                + owned;
    }

    @Override
    public Set<String> topics() {
        return topics;
    }

    @Override
    public void reads(BiConsumer<Uuid, Integer> partitions) {
        if (phase != Phase.IN && !cooperative) return;
        owned.forEach((topic, ofTopic) ->
                shell.topics
                        .byName(topic)
                        .ifPresent(found ->
                                ofTopic.stream()
                                        .forEach(partition ->
                                                partitions.accept(found.id(), partition))));
    }

    @Override
    public boolean isMember() {
        return !client.memberId.isEmpty()
                && Inspector.hasMember(shell, client.groupId, client.memberId);
    }

    @Override
    public boolean isSettled() {
        return phase == Phase.IN;
    }

    @Override
    public void behave() {
        behaves = true;
    }
}
