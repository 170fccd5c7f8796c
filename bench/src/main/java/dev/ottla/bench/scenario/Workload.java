package dev.ottla.bench.scenario;

import dev.ottla.bench.client.ClusterState;
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
import dev.ottla.bench.side.Brokers;
import dev.ottla.bench.side.Side.Durability;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.IntFunction;

/// Steps that scenarios are made of, on running brokers, with their CPU time around each. Owned by
/// the main thread.
final class Workload {
    private static final Duration LIMIT = Duration.ofMinutes(20);

    /// Requests in flight on each connection of a paced load: enough to wait for nothing.
    static final int PACED_WINDOW = 64;

    private static final Duration PAUSE = Duration.ofMillis(20);
    private static final long WARM_UP_BYTES = 1_000_000_000;
    private static final long WARM_UP_REQUESTS = 200_000;

    /// Replicas that must have a record before it is acknowledged to `acks=all`, in a cluster.
    private static final int MIN_IN_SYNC = 2;

    private final Brokers brokers;

    Workload(Brokers brokers) {
        this.brokers = brokers;
    }

    /// A topic of a name of its own, kept for ever and rolled by size alone: the timestamps of a
    /// load are counters. In a cluster every broker has a replica.
    Topic topic(int partitions, Durability durability) throws IOException, InterruptedException {
        Map<String, String> config = new HashMap<>(brokers.side().topicConfig(durability));
        config.put("retention.ms", "-1");
        config.put("segment.ms", Long.toString(Long.MAX_VALUE));
        if (brokers.size() > 1) {
            config.put("min.insync.replicas", Integer.toString(MIN_IN_SYNC));
        }
        Topic topic;
        try (WireClient client = new WireClient(brokers.address())) {
            String name = "load-" + UUID.randomUUID();
            topic = new Topics(client).request(name, partitions, brokers.size(), config);
        }
        while (!Topics.allServe(endOffsets(topic))) Thread.sleep(PAUSE);
        return topic;
    }

    void delete(Topic topic) throws IOException {
        try (WireClient client = new WireClient(brokers.address())) {
            new Topics(client).delete(topic);
        }
    }

    /// Sends all that the plan has and waits until it is stored. What is measured begins once every
    /// partition has had a batch, where there are many more batches than partitions: a first write
    /// makes files.
    Outcome produce(ProducerPlan plan) throws IOException, InterruptedException {
        int partitions = plan.topic().partitions();
        long primingBatches = plan.batchCount() >= 2L * partitions ? partitions : 0;
        try (LoadLoop loop = new LoadLoop(leaders(plan.topic()))) {
            Producers producers = new Producers(loop, plan);
            if (primingBatches > 0) {
                loop.run(() -> producers.acknowledgedBatches() >= primingBatches, LIMIT);
            }
            long before = producers.acknowledgedBatches();
            Meter meter = new Meter(brokers);
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
        try (LoadLoop loop = new LoadLoop(leaders(plan.topic()))) {
            Consumers consumers = new Consumers(loop, plan, sink);
            Meter meter = new Meter(brokers);
            loop.run(() -> consumers.consumedRecords() >= recordCount, LIMIT);
            return meter.stop(payloadBytes, recordCount, new LatencyLog());
        }
    }

    /// Fails unless the topic holds exactly what the plan sent, once and in order.
    void check(ProducerPlan plan) throws IOException {
        OrderChecker checker = new OrderChecker();
        // Of a cluster a connection reads what one broker leads, so each partition has its own.
        int connections = brokers.size() > 1 ? plan.topic().partitions() : 1;
        consume(ConsumerPlan.of(plan.topic(), connections), plan.recordCount(), 0, checker);
        long stored = Arrays.stream(endOffsets(plan.topic())).sum();
        if (stored != plan.recordCount() || checker.recordCount() != plan.recordCount()) {
            throw new IOException(
                    "%s: %d records were sent, %d are stored, %d were read"
                            .formatted(
                                    brokers.side().name(),
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

    /// Where each partition ends, or [Topics#NOT_SERVED], as its leader says.
    long[] endOffsets(Topic topic) throws IOException {
        long[] ends = new long[topic.partitions()];
        Arrays.fill(ends, Topics.NOT_SERVED);
        for (InetSocketAddress address : leaderAddresses(topic)) {
            try (WireClient client = new WireClient(address)) {
                long[] served = new Topics(client).endOffsets(topic);
                for (int i = 0; i < ends.length; i++) ends[i] = Math.max(ends[i], served[i]);
            }
        }
        return ends;
    }

    private Set<InetSocketAddress> leaderAddresses(Topic topic) throws IOException {
        if (brokers.size() == 1) return Set.of(brokers.address());
        Set<InetSocketAddress> addresses = new HashSet<>();
        try (WireClient client = new WireClient(brokers.address())) {
            ClusterState state = ClusterState.ask(client, topic.name());
            for (int partition = 0; partition < topic.partitions(); partition++) {
                if (state.leaderId(partition) != ClusterState.NO_LEADER) {
                    addresses.add(state.leader(partition));
                }
            }
        }
        return addresses;
    }

    private IntFunction<InetSocketAddress> leaders(Topic topic) throws IOException {
        if (brokers.size() == 1) return _ -> brokers.address();
        try (WireClient client = new WireClient(brokers.address())) {
            return ClusterState.ask(client, topic.name())::leader;
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
        private final Brokers brokers;
        private final double brokerCpu;
        private final long generatorCpuNs;
        private final long beganNs;

        Meter(Brokers brokers) {
            this.brokers = brokers;
            this.brokerCpu = brokers.cpuSeconds();
            this.generatorCpuNs = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
            this.beganNs = System.nanoTime();
        }

        Outcome stop(long payloadBytes, long recordCount, LatencyLog latency) {
            long endedNs = System.nanoTime();
            long cpuNs = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
            return new Outcome(
                    (endedNs - beganNs) / 1e9,
                    brokers.cpuSeconds() - brokerCpu,
                    (cpuNs - generatorCpuNs) / 1e9,
                    payloadBytes,
                    recordCount,
                    latency);
        }
    }
}
