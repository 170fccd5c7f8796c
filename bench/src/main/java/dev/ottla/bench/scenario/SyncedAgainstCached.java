package dev.ottla.bench.scenario;

import dev.ottla.bench.client.Topic;
import dev.ottla.bench.load.ProducerPlan;
import dev.ottla.bench.side.Kafka;
import dev.ottla.bench.side.Ottla;
import dev.ottla.bench.side.Side.Durability;
import java.io.IOException;

/// What durability costs: Ottla acknowledges what is on disk, Kafka what is in its page cache; 64
/// requests in flight. Counted up to a share of what the disk itself takes, as nobody can write
/// faster than that.
record SyncedAgainstCached() implements OnWarmBroker {
    static final String RATE = "produce, MB/s, counted up to 0.8 of the sequential write rate";

    private static final int PARTITIONS = 4;
    private static final int WINDOW = 16;
    private static final long BYTES = 1_000_000_000;
    private static final double SHARE_OF_DISK = 0.8;

    @Override
    public String name() {
        return "fsync-against-cache";
    }

    @Override
    public Family family() {
        return Family.FSYNC;
    }

    @Override
    public String about() {
        return "acks=all at full rate, 64 requests in flight: Ottla with fsync, Kafka without";
    }

    @Override
    public void run(Trial trial) throws IOException, InterruptedException {
        Durability durability =
                switch (trial.side()) {
                    case Ottla _ -> Durability.FSYNC;
                    case Kafka _ -> Durability.PAGE_CACHE;
                };
        Workload workload = new Workload(trial.broker());
        Topic topic = workload.topic(PARTITIONS, durability);
        long batches = trial.scale().of(BYTES) / Shapes.KIB_IN_16K.payloadBytes();
        ProducerPlan plan =
                ProducerPlan.fullRate(topic, Shapes.KIB_IN_16K, batches)
                        .acks(ProducerPlan.ACKS_ALL)
                        .window(WINDOW);
        Workload.Outcome outcome = workload.produce(plan);
        workload.check(plan);
        double rate = outcome.megabytesPerSecond();
        trial.report(RATE, Math.min(rate, SHARE_OF_DISK * trial.sequentialMegabytesPerSecond()));
        trial.report("produce, MB/s", rate);
        trial.report("broker CPU s per GB", outcome.cpuPerGigabyte());
        trial.report("p99 ms at full rate", outcome.latency().percentileMs(99));
        workload.delete(topic);
    }
}
