package dev.ottla.bench.scenario;

import dev.ottla.bench.client.Topic;
import dev.ottla.bench.load.BatchSink;
import dev.ottla.bench.load.ConsumerPlan;
import dev.ottla.bench.load.ProducerPlan;
import dev.ottla.bench.side.Kafka;
import dev.ottla.bench.side.Ottla;
import dev.ottla.bench.side.RunningCluster;
import dev.ottla.bench.side.Side;
import dev.ottla.bench.side.Side.Durability;
import java.io.IOException;

/// Three brokers, three replicas, two of which must have a record before it is acknowledged: as
/// fast as it goes, then at a fixed rate for the tails.
record ClusterLoad(String name, Durability ottla, Durability kafka) implements OnThreeBrokers {
    static final String RATE = "produce, MB/s";
    static final String CPU_GB = "produce, CPU s per GB of all brokers";
    static final String P99 = "p99 ms at a fixed rate";

    private static final int PARTITIONS = 6;
    private static final int WINDOW = 8;
    private static final long WARM_UP_BYTES = 1_000_000_000;
    private static final long SYNCED_WARM_UP_BYTES = 100_000_000;
    private static final long CACHED_BYTES = 1_000_000_000;
    private static final long SYNCED_BYTES = 200_000_000;
    private static final double PACED_BYTES_PER_SECOND = 5e6;
    private static final long PACED_SECONDS = 20;

    @Override
    public Family family() {
        return Family.CLUSTER;
    }

    @Override
    public String about() {
        return "three brokers, factor 3, min.insync.replicas 2, acks=all: Ottla %s, Kafka %s"
                .formatted(ottla.title(), kafka.title());
    }

    @Override
    public void run(Trial trial) throws IOException, InterruptedException {
        RunningCluster cluster = trial.execAll();
        Readiness.allRegistered(cluster);
        Workload workload = new Workload(cluster);
        Durability durability = durability(trial.side());
        warmUp(trial, workload, Durability.PAGE_CACHE, WARM_UP_BYTES);
        if (durability == Durability.FSYNC) {
            warmUp(trial, workload, durability, SYNCED_WARM_UP_BYTES);
        }
        PageCache.writeBack();

        Topic topic = workload.topic(PARTITIONS, durability);
        long bytes = durability == Durability.FSYNC ? SYNCED_BYTES : CACHED_BYTES;
        ProducerPlan full = plan(topic, trial.scale().of(bytes));
        Workload.Outcome produced = workload.produce(full);
        workload.check(full);
        Workload.Outcome consumed =
                workload.consume(
                        ConsumerPlan.of(topic, PARTITIONS),
                        full.recordCount(),
                        full.payloadBytes(),
                        BatchSink.NOTHING);
        trial.report(RATE, produced.megabytesPerSecond());
        trial.report(CPU_GB, produced.cpuPerGigabyte());
        trial.report("produce, p99 ms at full rate", produced.latency().percentileMs(99));
        trial.report("consume, MB/s", consumed.megabytesPerSecond());
        trial.report("resident memory at most so far, MiB", cluster.peakResidentMiB());
        workload.delete(topic);
        paced(trial, workload, durability);
    }

    /// Three compilers share the machine with the load: before they have seen the code they take
    /// more of it than the brokers do.
    private static void warmUp(Trial trial, Workload workload, Durability durability, long bytes)
            throws IOException, InterruptedException {
        Topic topic = workload.topic(PARTITIONS, durability);
        workload.produce(plan(topic, trial.scale().of(bytes)));
        workload.delete(topic);
    }

    private static void paced(Trial trial, Workload workload, Durability durability)
            throws IOException, InterruptedException {
        Topic topic = workload.topic(PARTITIONS, durability);
        double perSecond = PACED_BYTES_PER_SECOND / Shapes.KIB_IN_16K.payloadBytes();
        long batches = (long) (perSecond * Math.max(5, trial.scale().of(PACED_SECONDS)));
        ProducerPlan plan =
                plan(topic, 0)
                        .batchCount(batches)
                        .window(Workload.PACED_WINDOW)
                        .batchesPerSecond(perSecond);
        Workload.Outcome outcome = workload.produce(plan);
        workload.check(plan);
        trial.report("p50 ms at a fixed rate", outcome.latency().percentileMs(50));
        trial.report(P99, outcome.latency().percentileMs(99));
        trial.report("p99.9 ms at a fixed rate", outcome.latency().percentileMs(99.9));
    }

    private static ProducerPlan plan(Topic topic, long bytes) {
        return ProducerPlan.fullRate(
                        topic, Shapes.KIB_IN_16K, bytes / Shapes.KIB_IN_16K.payloadBytes())
                .acks(ProducerPlan.ACKS_ALL)
                .connections(PARTITIONS)
                .window(WINDOW);
    }

    private Durability durability(Side side) {
        return switch (side) {
            case Ottla _ -> ottla;
            case Kafka _ -> kafka;
        };
    }
}
