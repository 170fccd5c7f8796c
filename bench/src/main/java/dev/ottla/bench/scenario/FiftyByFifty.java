package dev.ottla.bench.scenario;

import dev.ottla.bench.client.Topic;
import dev.ottla.bench.load.BatchSink;
import dev.ottla.bench.load.ConsumerPlan;
import dev.ottla.bench.load.Consumers;
import dev.ottla.bench.load.LoadLoop;
import dev.ottla.bench.load.ProducerPlan;
import dev.ottla.bench.load.Producers;
import dev.ottla.bench.side.Side.Durability;
import java.io.IOException;
import java.time.Duration;

/// Fifty producers and fifty consumers at once, on fifty partitions, as fast as it goes.
record FiftyByFifty() implements OnWarmBroker {
    private static final int FIFTY = 50;
    private static final int WINDOW = 2;
    private static final long BYTES = 500_000_000;
    private static final Duration LIMIT = Duration.ofMinutes(20);

    @Override
    public String name() {
        return "fifty-by-fifty";
    }

    @Override
    public Family family() {
        return Family.GROWTH;
    }

    @Override
    public String about() {
        return "50 producers and 50 consumers at once, 1 KiB in 16 KiB batches, acks=1, page cache";
    }

    @Override
    public void run(Trial trial) throws IOException, InterruptedException {
        Workload workload = new Workload(trial.broker());
        Topic topic = workload.topic(FIFTY, Durability.PAGE_CACHE);
        long batches = trial.scale().of(BYTES) / Shapes.KIB_IN_16K.payloadBytes();
        ProducerPlan plan =
                ProducerPlan.fullRate(topic, Shapes.KIB_IN_16K, batches)
                        .connections(FIFTY)
                        .window(WINDOW);
        try (LoadLoop loop = new LoadLoop(trial.broker().address())) {
            Producers producers = new Producers(loop, plan);
            Consumers consumers =
                    new Consumers(loop, ConsumerPlan.of(topic, FIFTY), BatchSink.NOTHING);
            Workload.Meter meter = new Workload.Meter(trial.broker());
            loop.run(
                    () -> producers.isDone() && consumers.consumedRecords() >= plan.recordCount(),
                    LIMIT);
            Workload.Outcome outcome =
                    meter.stop(plan.payloadBytes(), plan.recordCount(), producers.latency());
            workload.check(plan);
            trial.report("in and out, broker CPU s per GB", outcome.cpuPerGigabyte());
            trial.report("in and out, MB/s", outcome.megabytesPerSecond());
            trial.report("produce, p99 ms at full rate", outcome.latency().percentileMs(99));
        }
        workload.delete(topic);
    }
}
