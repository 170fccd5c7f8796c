package dev.ottla.bench.scenario;

import dev.ottla.bench.client.Topic;
import dev.ottla.bench.load.BatchShape;
import dev.ottla.bench.load.BatchSink;
import dev.ottla.bench.load.ConsumerPlan;
import dev.ottla.bench.load.ProducerPlan;
import dev.ottla.bench.side.Side.Durability;
import java.io.IOException;

/// Producing as fast as the broker takes it, then consuming all of it as fast as it gives it, each
/// by four connections on four partitions.
///
/// @param fullBytes bytes of values in a full run
record FullRate(
        String name,
        BatchShape shape,
        short acks,
        Durability durability,
        int window,
        long fullBytes)
        implements OnWarmBroker {
    static final String PRODUCE_CPU_GB = "produce, broker CPU s per GB";
    static final String PRODUCE_CPU_MILLION = "produce, broker CPU s per million records";
    static final String PRODUCE_RATE = "produce, MB/s";
    static final String PRODUCE_P99 = "produce, p99 ms at full rate";
    static final String CONSUME_CPU_GB = "consume, broker CPU s per GB";
    static final String CONSUME_RATE = "consume, MB/s";
    static final String MEMORY = "resident memory at most so far, MiB";

    private static final int PARTITIONS = 4;
    private static final long GB = 1_000_000_000;

    /// The usual form: acknowledged by the leader out of its page cache, a GB, the window of
    /// Kafka's client.
    static FullRate of(String name, BatchShape shape) {
        return new FullRate(name, shape, ProducerPlan.ACKS_LEADER, Durability.PAGE_CACHE, 5, GB);
    }

    FullRate acks(short changed) {
        return new FullRate(name, shape, changed, durability, window, fullBytes);
    }

    FullRate fsync(int changedWindow) {
        return new FullRate(
                name, shape, ProducerPlan.ACKS_ALL, Durability.FSYNC, changedWindow, fullBytes);
    }

    FullRate bytes(long changed) {
        return new FullRate(name, shape, acks, durability, window, changed);
    }

    @Override
    public Family family() {
        return durability == Durability.FSYNC ? Family.FSYNC : Family.THROUGHPUT;
    }

    @Override
    public String about() {
        return "full rate, %d × %d B a batch, %s, acks=%s, %s"
                .formatted(
                        shape.recordCount(),
                        shape.valueBytes(),
                        shape.compression().configName(),
                        acks == ProducerPlan.ACKS_ALL ? "all" : Short.toString(acks),
                        durability.title());
    }

    @Override
    public void run(Trial trial) throws IOException, InterruptedException {
        Workload workload = new Workload(trial.broker());
        Topic topic = workload.topic(PARTITIONS, durability);
        long batches = Math.max(1, trial.scale().of(fullBytes) / shape.payloadBytes());
        ProducerPlan plan = ProducerPlan.fullRate(topic, shape, batches).acks(acks).window(window);
        Workload.Outcome produced = workload.produce(plan);
        Workload.Outcome consumed =
                workload.consume(
                        ConsumerPlan.of(topic, PARTITIONS),
                        plan.recordCount(),
                        plan.payloadBytes(),
                        BatchSink.NOTHING);
        workload.check(plan);

        trial.report(PRODUCE_CPU_GB, produced.cpuPerGigabyte());
        trial.report(PRODUCE_CPU_MILLION, produced.cpuPerMillion());
        trial.report(PRODUCE_RATE, produced.megabytesPerSecond());
        trial.report(
                "produce, generator CPU s per GB",
                produced.generatorCpuSeconds() / (plan.payloadBytes() / 1e9));
        if (acks != ProducerPlan.ACKS_NONE) {
            trial.report(PRODUCE_P99, produced.latency().percentileMs(99));
        }
        trial.report(CONSUME_CPU_GB, consumed.cpuPerGigabyte());
        trial.report(CONSUME_RATE, consumed.megabytesPerSecond());
        trial.report(MEMORY, trial.broker().peakResidentMiB());
        workload.delete(topic);
    }
}
