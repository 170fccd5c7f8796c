package dev.ottla.bench.scenario;

import dev.ottla.bench.client.Topic;
import dev.ottla.bench.load.ArrivalSink;
import dev.ottla.bench.load.BatchSink;
import dev.ottla.bench.load.ConsumerPlan;
import dev.ottla.bench.load.Consumers;
import dev.ottla.bench.load.LoadLoop;
import dev.ottla.bench.load.ProducerPlan;
import dev.ottla.bench.load.Producers;
import dev.ottla.bench.side.Side.Durability;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.BooleanSupplier;

/// A reader of old data beside a producer and a reader at the end of a log, which should not notice
/// it: 10 MB/s quiet first, then while 5 GB are read that are not in the page cache.
record ColdReader(Durability durability) implements OnWarmBroker {
    static final String QUIET_P99 = "quiet: arrival p99 ms";
    static final String COLD_P99 = "beside the cold reader: arrival p99 ms";
    static final String READER_RATE = "cold reader, MB/s";

    private static final double BYTES_PER_SECOND = 10e6;
    private static final long COLD_BYTES = 5_000_000_000L;
    private static final long QUIET_SECONDS = 20;
    private static final long MOST_BATCHES = 1_000_000;
    private static final int WINDOW = 64;
    private static final Duration LIMIT = Duration.ofMinutes(20);

    @Override
    public String name() {
        return durability == Durability.FSYNC ? "cold-fsync" : "cold-page-cache";
    }

    @Override
    public Family family() {
        return Family.COLD;
    }

    @Override
    public String about() {
        return "a consumer reads 5 GB cold while 10 MB/s are produced and read at the end, acks=all, "
                + durability.title();
    }

    @Override
    public void run(Trial trial) throws IOException, InterruptedException {
        Workload workload = new Workload(trial.broker());
        Topic cold = workload.topic(1, Durability.PAGE_CACHE);
        long batches = trial.scale().of(COLD_BYTES) / Shapes.KIB_IN_16K.payloadBytes();
        ProducerPlan old = ProducerPlan.fullRate(cold, Shapes.KIB_IN_16K, batches);
        workload.produce(old);
        PageCache.writeBack();

        long quietNs = Duration.ofSeconds(Math.max(5, trial.scale().of(QUIET_SECONDS))).toNanos();
        long beganNs = System.nanoTime();
        tail(trial, "quiet", () -> System.nanoTime() - beganNs >= quietNs);

        PageCache.forget(trial.dataDir(), cold.name());
        CompletableFuture<Workload.Outcome> reader =
                CompletableFuture.supplyAsync(() -> readAll(trial, old));
        tail(trial, "beside the cold reader", reader::isDone);
        Workload.Outcome read = reader.join();
        trial.report(READER_RATE, read.megabytesPerSecond());
        workload.check(old);
        workload.delete(cold);
    }

    private static Workload.Outcome readAll(Trial trial, ProducerPlan old) {
        try {
            return new Workload(trial.broker())
                    .consume(
                            ConsumerPlan.of(old.topic(), 1),
                            old.recordCount(),
                            old.payloadBytes(),
                            BatchSink.NOTHING);
        } catch (IOException e) {
            throw new CompletionException(e);
        }
    }

    /// Produces and reads at the end until `over`, then reports and checks.
    private void tail(Trial trial, String state, BooleanSupplier over)
            throws IOException, InterruptedException {
        Workload workload = new Workload(trial.broker());
        Topic topic = workload.topic(1, durability);
        ProducerPlan plan =
                ProducerPlan.fullRate(topic, Shapes.KIB_IN_16K, MOST_BATCHES)
                        .acks(ProducerPlan.ACKS_ALL)
                        .connections(1)
                        .window(WINDOW)
                        .batchesPerSecond(BYTES_PER_SECOND / Shapes.KIB_IN_16K.payloadBytes());
        try (LoadLoop loop = new LoadLoop(trial.broker().address())) {
            Producers producers = new Producers(loop, plan);
            ArrivalSink arrivals =
                    new ArrivalSink(sequence ->
                            producers.intendedNs(sequence / plan.shape().recordCount()));
            Consumers consumers = new Consumers(loop, ConsumerPlan.of(topic, 1), arrivals);
            BooleanSupplier finished =
                    () -> {
                        if (over.getAsBoolean()) producers.halt();
                        return producers.isDone()
                                && consumers.consumedRecords() >= sent(producers, plan);
                    };
            loop.run(finished, LIMIT);
            workload.check(plan.batchCount(producers.acknowledgedBatches()));
            trial.report(state + ": produce p99 ms", producers.latency().percentileMs(99));
            trial.report(state + ": arrival p99 ms", arrivals.latency().percentileMs(99));
            trial.report(state + ": arrival max ms", arrivals.latency().maxMs());
        }
        workload.delete(topic);
    }

    private static long sent(Producers producers, ProducerPlan plan) {
        return producers.acknowledgedBatches() * plan.shape().recordCount();
    }
}
