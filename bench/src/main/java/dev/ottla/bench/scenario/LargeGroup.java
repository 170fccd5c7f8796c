package dev.ottla.bench.scenario;

import dev.ottla.bench.client.ClassicMember;
import dev.ottla.bench.client.ConsumerMember;
import dev.ottla.bench.client.Groups;
import dev.ottla.bench.client.Topic;
import dev.ottla.bench.client.WireClient;
import dev.ottla.bench.side.RunningBroker;
import dev.ottla.bench.side.Side.Durability;
import dev.ottla.wire.Uuid;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicIntegerArray;

/// A thousand members that come at once, each on a connection of its own, until the group is
/// stable: all of them in one generation, or each with its one partition.
record LargeGroup(Protocol protocol) implements OnWarmBroker {
    private static final int MEMBERS = 1000;
    private static final Duration HEARTBEAT = Duration.ofSeconds(1);
    private static final Duration PAUSE = Duration.ofMillis(20);

    @Override
    public String name() {
        return protocol == Protocol.CLASSIC ? "group-1000-classic" : "group-1000-consumer";
    }

    @Override
    public Family family() {
        return Family.GROUPS;
    }

    @Override
    public String about() {
        return "1,000 members join one group at once, protocol %s, until it is stable"
                .formatted(protocol == Protocol.CLASSIC ? "classic" : "consumer");
    }

    @Override
    public void run(Trial trial) throws IOException, InterruptedException {
        int count = (int) trial.scale().of(MEMBERS);
        RunningBroker broker = trial.broker();
        Topic topic = new Workload(broker).topic(count, Durability.PAGE_CACHE);
        String group = name() + "-" + topic.name();
        try (WireClient client = new WireClient(broker.address())) {
            new Groups(client).untilCoordinated(group, topic);
        }
        // What each member is in: its generation, or 1 once it has its share.
        AtomicIntegerArray states = new AtomicIntegerArray(count);
        double cpuBefore = broker.cpuSeconds();
        long beganNs = System.nanoTime();
        try (Crowd crowd = new Crowd()) {
            for (int i = 0; i < count; i++) {
                int member = i;
                crowd.start(() -> {
                    switch (protocol) {
                        case CLASSIC -> live(broker, group, member, states);
                        case CONSUMER -> live(broker, group, topic, member, states);
                    }
                });
            }
            while (!isStable(states)) {
                crowd.requireAlive();
                Thread.sleep(PAUSE);
            }
            trial.report("members", count);
            trial.report("until stable, s", (System.nanoTime() - beganNs) / 1e9);
            trial.report("until stable, broker CPU s", broker.cpuSeconds() - cpuBefore);
        }
        new Workload(broker).delete(topic);
    }

    private static void live(
            RunningBroker broker, String group, int index, AtomicIntegerArray states)
            throws IOException, InterruptedException {
        try (WireClient client = new WireClient(broker.address())) {
            ClassicMember member = new ClassicMember(client, group);
            while (true) {
                member.join();
                states.set(index, member.generationId());
                do {
                    Thread.sleep(HEARTBEAT);
                } while (member.heartbeat());
            }
        }
    }

    private static void live(
            RunningBroker broker, String group, Topic topic, int index, AtomicIntegerArray states)
            throws IOException, InterruptedException {
        try (WireClient client = new WireClient(broker.address())) {
            ConsumerMember member =
                    new ConsumerMember(client, group, topic, new Uuid(7, index + 1L));
            while (true) {
                boolean changed = member.heartbeat();
                states.set(index, member.ownedCount());
                if (!changed) Thread.sleep(Math.max(10, member.heartbeatIntervalMs()));
            }
        }
    }

    /// All in the same state, and that a real one.
    private static boolean isStable(AtomicIntegerArray states) {
        int first = states.get(0);
        if (first == 0) return false;
        for (int i = 1; i < states.length(); i++) {
            if (states.get(i) != first) return false;
        }
        return true;
    }

    /// Which group protocol the members speak.
    enum Protocol {
        CLASSIC,
        CONSUMER
    }
}
