package dev.ottla.bench.scenario;

import dev.ottla.bench.client.Topic;
import dev.ottla.bench.client.Topics;
import dev.ottla.bench.client.WireClient;
import dev.ottla.bench.load.BatchSink;
import dev.ottla.bench.load.ConsumerPlan;
import dev.ottla.bench.load.Consumers;
import dev.ottla.bench.load.LatencyLog;
import dev.ottla.bench.load.LoadLoop;
import dev.ottla.bench.load.OrderChecker;
import dev.ottla.bench.load.ProducerPlan;
import dev.ottla.bench.load.Producers;
import dev.ottla.bench.side.RunningBroker;
import dev.ottla.bench.side.Side.Durability;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

/// Steps that scenarios are made of, on one running broker, with the broker's CPU time around each.
/// Owned by the main thread.
final class Workload {
    private static final Duration LIMIT = Duration.ofMinutes(20);
    private static final Duration PAUSE = Duration.ofMillis(20);
    private static final long WARM_UP_BYTES = 1_000_000_000;
    private static final long WARM_UP_REQUESTS = 200_000;

    private final RunningBroker broker;

    Workload(RunningBroker broker) {
        this.broker = broker;
    }

    /// A topic of a name of its own, kept for ever and rolled by size alone: the timestamps of a
    /// load are counters.
    Topic topic(int partitions, Durability durability) throws IOException, InterruptedException {
        Map<String, String> config = new HashMap<>(broker.side().topicConfig(durability));
        config.put("retention.ms", "-1");
        config.put("segment.ms", Long.toString(Long.MAX_VALUE));
        try (WireClient client = new WireClient(broker.address())) {
            return new Topics(client).create("load-" + UUID.randomUUID(), partitions, config);
        }
    }

    void delete(Topic topic) throws IOException {
        try (WireClient client = new WireClient(broker.address())) {
            new Topics(client).delete(topic);
        }
    }

    /// Sends all that the plan has and waits until it is stored. What is measured begins once every
    /// partition has had a batch, where there are many more batches than partitions: a first write
    /// makes files.
    Outcome produce(ProducerPlan plan) throws IOException, InterruptedException {
        int partitions = plan.topic().partitions();
        long primingBatches = plan.batchCount() >= 2L * partitions ? partitions : 0;
        try (LoadLoop loop = new LoadLoop(broker.address())) {
            Producers producers = new Producers(loop, plan);
            if (primingBatches > 0) {
                loop.run(() -> producers.acknowledgedBatches() >= primingBatches, LIMIT);
            }
            long before = producers.acknowledgedBatches();
            Meter meter = new Meter(broker);
            producers.latency().measureFrom(System.nanoTime());
            loop.run(producers::isDone, LIMIT);
            untilStored(plan);
            ProducerPlan measured = plan.batchCount(plan.batchCount() - before);
            return meter.stop(measured.payloadBytes(), measured.recordCount(), producers.latency());
        }
    }

    /// Reads a topic from its start up to `recordCount` records, over all its consumers.
    Outcome consume(ConsumerPlan plan, long recordCount, long payloadBytes, BatchSink sink)
            throws IOException {
        try (LoadLoop loop = new LoadLoop(broker.address())) {
            Consumers consumers = new Consumers(loop, plan, sink);
            Meter meter = new Meter(broker);
            loop.run(() -> consumers.consumedRecords() >= recordCount, LIMIT);
            return meter.stop(payloadBytes, recordCount, new LatencyLog());
        }
    }

    /// Fails unless the topic holds exactly what the plan sent, once and in order.
    void check(ProducerPlan plan) throws IOException {
        OrderChecker checker = new OrderChecker();
        consume(ConsumerPlan.of(plan.topic(), 1), plan.recordCount(), 0, checker);
        long stored = Arrays.stream(endOffsets(plan.topic())).sum();
        if (stored != plan.recordCount() || checker.recordCount() != plan.recordCount()) {
            throw new IOException(
                    "%s: %d records were sent, %d are stored, %d were read"
                            .formatted(
                                    broker.side().name(),
                                    plan.recordCount(),
                                    stored,
                                    checker.recordCount()));
        }
    }

    /// Load that nobody measures, so that both compilers have seen the code. It is on the disk in
    /// the end: what comes next pays for its own records only.
    void warmUp(Scale scale) throws IOException, InterruptedException {
        Topic topic = topic(4, Durability.PAGE_CACHE);
        long batches = scale.of(WARM_UP_BYTES) / Shapes.KIB_IN_16K.payloadBytes();
        ProducerPlan large = ProducerPlan.fullRate(topic, Shapes.KIB_IN_16K, batches);
        produce(large);
        consume(
                ConsumerPlan.of(topic, 4),
                large.recordCount(),
                large.payloadBytes(),
                BatchSink.NOTHING);
        delete(topic);
        Topic second = topic(4, Durability.PAGE_CACHE);
        produce(
                ProducerPlan.fullRate(second, Shapes.SINGLE_100, scale.of(WARM_UP_REQUESTS))
                        .acks(ProducerPlan.ACKS_ALL));
        delete(second);
        PageCache.writeBack();
    }

    long[] endOffsets(Topic topic) throws IOException {
        try (WireClient client = new WireClient(broker.address())) {
            return new Topics(client).endOffsets(topic);
        }
    }

    /// Without acknowledgements, the last requests are still on their way when all are sent.
    private void untilStored(ProducerPlan plan) throws IOException, InterruptedException {
        if (plan.acks() != ProducerPlan.ACKS_NONE) return;
        while (Arrays.stream(endOffsets(plan.topic())).sum() < plan.recordCount()) {
            Thread.sleep(PAUSE);
        }
    }

    /// What a step took.
    ///
    /// @param brokerCpuSeconds user and system, of the broker
    /// @param generatorCpuSeconds of the thread that made the load
    record Outcome(
            double seconds,
            double brokerCpuSeconds,
            double generatorCpuSeconds,
            long payloadBytes,
            long recordCount,
            LatencyLog latency) {
        double megabytesPerSecond() {
            return payloadBytes / 1e6 / seconds;
        }

        double cpuPerGigabyte() {
            return brokerCpuSeconds / (payloadBytes / 1e9);
        }

        double cpuPerMillion() {
            return brokerCpuSeconds / (recordCount / 1e6);
        }
    }

    /// Clock and CPU times since it was made. Owned by the thread that makes the load.
    static final class Meter {
        private final RunningBroker broker;
        private final double brokerCpu;
        private final long generatorCpuNs;
        private final long beganNs;

        Meter(RunningBroker broker) {
            this.broker = broker;
            this.brokerCpu = broker.cpuSeconds();
            this.generatorCpuNs = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
            this.beganNs = System.nanoTime();
        }

        Outcome stop(long payloadBytes, long recordCount, LatencyLog latency) {
            long endedNs = System.nanoTime();
            long cpuNs = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
            return new Outcome(
                    (endedNs - beganNs) / 1e9,
                    broker.cpuSeconds() - brokerCpu,
                    (cpuNs - generatorCpuNs) / 1e9,
                    payloadBytes,
                    recordCount,
                    latency);
        }
    }
}
