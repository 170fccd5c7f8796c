package dev.ottla.bench.scenario;

import dev.ottla.bench.client.ClusterState;
import dev.ottla.bench.client.Topic;
import dev.ottla.bench.client.WireClient;
import dev.ottla.bench.load.ProducerPlan;
import dev.ottla.bench.side.RunningCluster;
import dev.ottla.bench.side.Side.Durability;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/// Three brokers that vote, as fast as producers can write to them for ten minutes, with and
/// without fsync in turn: nobody should take the controller for gone meanwhile.
record QuorumUnderLoad() implements OnThreeBrokers {
    static final String ELECTIONS = "elections of controllers";

    private static final int PARTITIONS = 6;
    private static final int WINDOW = 8;
    private static final long LOAD_SECONDS = 600;
    private static final long CACHED_BYTES = 1_000_000_000;
    private static final long SYNCED_BYTES = 300_000_000;
    private static final Duration LIMIT = Duration.ofMinutes(2);

    @Override
    public String name() {
        return "quorum-under-load";
    }

    @Override
    public Family family() {
        return Family.FAILOVER;
    }

    @Override
    public String about() {
        return "three brokers, factor 3, acks=all, ten minutes at full rate: elections of controllers";
    }

    @Override
    public void run(Trial trial) throws IOException, InterruptedException {
        RunningCluster cluster = trial.execAll();
        Readiness.allRegistered(cluster);
        Readiness.untilSettled(cluster, List.of(), LIMIT);
        int epoch = epoch(cluster);
        long beganNs = System.nanoTime();
        long lastNs = Duration.ofSeconds(trial.scale().of(LOAD_SECONDS)).toNanos();
        Workload workload = new Workload(cluster);
        double gigabytes = 0;
        for (int turn = 0; System.nanoTime() - beganNs < lastNs; turn++) {
            gigabytes += load(workload, turn % 2 == 0 ? Durability.PAGE_CACHE : Durability.FSYNC);
        }
        trial.report("load, s", (System.nanoTime() - beganNs) / 1e9);
        trial.report("load, GB", gigabytes);
        trial.report(ELECTIONS, epoch(cluster) - epoch);
    }

    private static double load(Workload workload, Durability durability)
            throws IOException, InterruptedException {
        long bytes = durability == Durability.FSYNC ? SYNCED_BYTES : CACHED_BYTES;
        Topic topic = workload.topic(PARTITIONS, durability);
        workload.produce(
                ProducerPlan.fullRate(
                                topic, Shapes.KIB_IN_16K, bytes / Shapes.KIB_IN_16K.payloadBytes())
                        .acks(ProducerPlan.ACKS_ALL)
                        .connections(PARTITIONS)
                        .window(WINDOW));
        workload.delete(topic);
        return bytes / 1e9;
    }

    private static int epoch(RunningCluster cluster) throws IOException {
        try (WireClient client = new WireClient(cluster.address())) {
            return ClusterState.controllerEpoch(client);
        }
    }
}
