package dev.ottla.bench.scenario;

import dev.ottla.bench.client.Topic;
import dev.ottla.bench.load.BatchShape;
import dev.ottla.bench.load.LatencyLog;
import dev.ottla.bench.load.ProducerPlan;
import dev.ottla.bench.side.Side.Durability;
import java.io.IOException;

/// Producing 10 MB/s whatever the broker does; latency from the moment a batch was meant to leave.
record FixedRate(String name, short acks, Durability durability) implements OnWarmBroker {
    static final String P99 = "p99 ms";
    static final String P999 = "p99.9 ms";

    private static final int PARTITIONS = 4;
    private static final double BYTES_PER_SECOND = 10e6;
    private static final long SECONDS = 40;

    @Override
    public Family family() {
        return durability == Durability.FSYNC ? Family.FSYNC : Family.TAILS;
    }

    @Override
    public String about() {
        return "10 MB/s of 1 KiB records in 16 KiB batches, acks=%s, %s"
                .formatted(acks == ProducerPlan.ACKS_ALL ? "all" : "1", durability.title());
    }

    @Override
    public void run(Trial trial) throws IOException, InterruptedException {
        Workload workload = new Workload(trial.broker());
        Topic topic = workload.topic(PARTITIONS, durability);
        BatchShape shape = Shapes.KIB_IN_16K;
        double batchesPerSecond = BYTES_PER_SECOND / shape.payloadBytes();
        long batches = (long) (batchesPerSecond * Math.max(5, trial.scale().of(SECONDS)));
        ProducerPlan plan =
                ProducerPlan.fullRate(topic, shape, batches)
                        .acks(acks)
                        .window(Workload.PACED_WINDOW)
                        .batchesPerSecond(batchesPerSecond);
        Workload.Outcome outcome = workload.produce(plan);
        workload.check(plan);

        LatencyLog latency = outcome.latency();
        trial.report("p50 ms", latency.percentileMs(50));
        trial.report(P99, latency.percentileMs(99));
        trial.report(P999, latency.percentileMs(99.9));
        trial.report("p99.99 ms", latency.percentileMs(99.99));
        trial.report("max ms", latency.maxMs());
        trial.report("broker CPU s per GB", outcome.cpuPerGigabyte());
        trial.reportOverTime(latency.maxMsBySecond());
        workload.delete(topic);
    }
}
