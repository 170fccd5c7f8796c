package dev.ottla.bench.scenario;

import dev.ottla.bench.client.Topic;
import dev.ottla.bench.load.ProducerPlan;
import dev.ottla.bench.side.Side.Durability;
import java.io.IOException;

/// How work and rate change from one partition, or one connection, to a thousand, with batches of
/// one size and, as far as that goes, one number of requests in flight.
record Growth(Dimension dimension, Durability durability) implements OnWarmBroker {
    private static final int[] COUNTS = {1, 10, 100, 1000};
    private static final int IN_FLIGHT = 64;
    private static final int FEW = 4;
    private static final long BYTES = 500_000_000;

    /// A sync a batch is slow where nobody shares them.
    private static final long SYNCED_BYTES = 60_000_000;

    static String cpu(int count) {
        return count + ": broker CPU s per GB";
    }

    static String rate(int count) {
        return count + ": MB/s";
    }

    @Override
    public String name() {
        String kind = dimension == Dimension.PARTITIONS ? "partitions" : "connections";
        return (durability == Durability.FSYNC ? "fsync-" : "growth-") + kind;
    }

    @Override
    public Family family() {
        return durability == Durability.FSYNC ? Family.FSYNC : Family.GROWTH;
    }

    @Override
    public String about() {
        return "1, 10, 100, 1,000 %s, 1 KiB in 16 KiB batches, %s"
                .formatted(
                        dimension == Dimension.PARTITIONS ? "partitions" : "connections",
                        durability == Durability.FSYNC ? "acks=all, fsync" : "acks=1, page cache");
    }

    @Override
    public void run(Trial trial) throws IOException, InterruptedException {
        for (int count : COUNTS) {
            boolean partitions = dimension == Dimension.PARTITIONS;
            Workload workload = new Workload(trial.broker());
            Topic topic = workload.topic(partitions ? count : FEW, durability);
            int connections = partitions ? FEW : count;
            boolean synced = durability == Durability.FSYNC;
            long batches =
                    trial.scale().of(synced ? SYNCED_BYTES : BYTES)
                            / Shapes.KIB_IN_16K.payloadBytes();
            ProducerPlan plan =
                    ProducerPlan.fullRate(topic, Shapes.KIB_IN_16K, Math.max(batches, count))
                            .acks(synced ? ProducerPlan.ACKS_ALL : ProducerPlan.ACKS_LEADER)
                            .connections(connections)
                            .window(Math.max(1, IN_FLIGHT / connections));
            Workload.Outcome outcome = workload.produce(plan);
            workload.check(plan);
            trial.report(cpu(count), outcome.cpuPerGigabyte());
            trial.report(rate(count), outcome.megabytesPerSecond());
            workload.delete(topic);
        }
    }

    /// What grows.
    enum Dimension {
        PARTITIONS,
        CONNECTIONS
    }
}
