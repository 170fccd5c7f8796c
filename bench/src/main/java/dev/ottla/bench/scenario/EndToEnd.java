package dev.ottla.bench.scenario;

import dev.ottla.bench.client.Topic;
import dev.ottla.bench.load.ArrivalSink;
import dev.ottla.bench.load.ConsumerPlan;
import dev.ottla.bench.load.Consumers;
import dev.ottla.bench.load.LoadLoop;
import dev.ottla.bench.load.ProducerPlan;
import dev.ottla.bench.load.Producers;
import dev.ottla.bench.side.Side.Durability;
import java.io.IOException;
import java.time.Duration;

/// A hundred single records a second, from the moment each was meant to leave to its arrival at a
/// consumer that waits for it.
record EndToEnd(Durability durability) implements OnWarmBroker {
    private static final double PER_SECOND = 100;
    private static final long SECONDS = 40;
    private static final Duration LIMIT = Duration.ofMinutes(10);

    @Override
    public String name() {
        return durability == Durability.FSYNC ? "fsync-end-to-end" : "end-to-end";
    }

    @Override
    public Family family() {
        return durability == Durability.FSYNC ? Family.FSYNC : Family.TAILS;
    }

    @Override
    public String about() {
        return "100 single records a second from producer to consumer, acks=all, "
                + durability.title();
    }

    @Override
    public void run(Trial trial) throws IOException, InterruptedException {
        Workload workload = new Workload(trial.broker());
        Topic topic = workload.topic(1, durability);
        long records = (long) (PER_SECOND * Math.max(5, trial.scale().of(SECONDS)));
        ProducerPlan plan =
                ProducerPlan.fullRate(topic, Shapes.SINGLE_100, records)
                        .acks(ProducerPlan.ACKS_ALL)
                        .connections(1)
                        .window(64)
                        .batchesPerSecond(PER_SECOND);
        try (LoadLoop loop = new LoadLoop(trial.broker().address())) {
            Producers producers = new Producers(loop, plan);
            ArrivalSink arrivals = new ArrivalSink(producers::intendedNs);
            Consumers consumers = new Consumers(loop, ConsumerPlan.of(topic, 1), arrivals);
            Workload.Meter meter = new Workload.Meter(trial.broker());
            loop.run(() -> producers.isDone() && consumers.consumedRecords() >= records, LIMIT);
            Workload.Outcome outcome = meter.stop(plan.payloadBytes(), records, arrivals.latency());
            workload.check(plan);
            trial.report("p50 ms", outcome.latency().percentileMs(50));
            trial.report("p99 ms", outcome.latency().percentileMs(99));
            trial.report("max ms", outcome.latency().maxMs());
            trial.report(
                    "broker CPU, % of a core",
                    outcome.brokerCpuSeconds() / outcome.seconds() * 100);
        }
        workload.delete(topic);
    }
}
