package dev.ottla.bench.scenario;

import dev.ottla.bench.client.ConsumerMember;
import dev.ottla.bench.client.Groups;
import dev.ottla.bench.client.Topic;
import dev.ottla.bench.client.WireClient;
import dev.ottla.bench.side.RunningBroker;
import dev.ottla.bench.side.Side.Durability;
import dev.ottla.wire.Uuid;
import java.io.IOException;
import java.time.Duration;

/// Ten thousand groups of one member each: until every member has its partition, and what they cost
/// at rest.
record ManyGroups() implements OnOwnBroker {
    private static final int GROUPS = 10_000;
    private static final int CONNECTIONS = 50;
    private static final Duration REST = Duration.ofSeconds(10);
    private static final Duration RETRY = Duration.ofMillis(50);

    @Override
    public String name() {
        return "groups-10k";
    }

    @Override
    public Family family() {
        return Family.GROUPS;
    }

    @Override
    public String about() {
        return "10,000 groups of one member, protocol consumer: until all have their partition; memory, idle CPU";
    }

    @Override
    public void run(Trial trial) throws IOException, InterruptedException {
        int count = (int) trial.scale().of(GROUPS);
        RunningBroker broker = trial.exec();
        Readiness.firstRecord(broker);
        Topic topic = new Workload(broker).topic(1, Durability.PAGE_CACHE);
        try (WireClient client = new WireClient(broker.address())) {
            new Groups(client).untilCoordinated("many-0", topic);
        }
        double emptyMiB = broker.residentMiB();
        double cpuBefore = broker.cpuSeconds();
        long beganNs = System.nanoTime();
        try (Crowd crowd = new Crowd()) {
            for (int i = 0; i < CONNECTIONS; i++) {
                int first = i;
                crowd.start(() -> joinShare(broker, topic, first, count));
            }
            crowd.join();
        }
        trial.report("groups", count);
        trial.report("until all have their partition, s", (System.nanoTime() - beganNs) / 1e9);
        trial.report("until then, broker CPU s", broker.cpuSeconds() - cpuBefore);
        Idle idle = Idle.watch(broker, REST);
        trial.report("resident memory above none, MiB", broker.residentMiB() - emptyMiB);
        trial.report(Idle.CPU, idle.cpuPercent());
    }

    /// One connection joins every fiftieth group.
    private static void joinShare(RunningBroker broker, Topic topic, int first, int count)
            throws IOException, InterruptedException {
        try (WireClient client = new WireClient(broker.address())) {
            for (int group = first; group < count; group += CONNECTIONS) {
                ConsumerMember member =
                        new ConsumerMember(client, "many-" + group, topic, new Uuid(9, group + 1L));
                while (!member.heartbeat()) Thread.sleep(RETRY);
            }
        }
    }
}
