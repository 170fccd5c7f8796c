package dev.ottla.bench.scenario;

import dev.ottla.bench.client.Topic;
import dev.ottla.bench.load.ConsumerPlan;
import dev.ottla.bench.load.GapChecker;
import dev.ottla.bench.side.ChildProcess;
import dev.ottla.bench.side.RunningBroker;
import dev.ottla.bench.side.Side.Durability;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Load from Kafka's own, unmodified tools: kafka-producer-perf-test and kafka-consumer-perf-test.
/// They take most of a small machine, so their rates are their own; the broker's CPU time is not.
record KafkaTools(String name, int valueBytes) implements OnWarmBroker {
    private static final Pattern PRODUCED =
            Pattern.compile(
                    "\\(([0-9.]+) MB/sec\\).*?([0-9.]+) ms 99th, ([0-9.]+) ms 99\\.9th\\.\\s*$");
    private static final long BYTES = 1_000_000_000;
    private static final int SMALL_VALUE = 500;

    @Override
    public Family family() {
        return Family.THROUGHPUT;
    }

    @Override
    public String about() {
        return "kafka-producer-perf-test and kafka-consumer-perf-test, %d B, 16 KiB batches, acks=1, page cache"
                .formatted(valueBytes);
    }

    @Override
    public void run(Trial trial) throws IOException, InterruptedException {
        RunningBroker broker = trial.broker();
        Workload workload = new Workload(broker);
        Topic topic = workload.topic(1, Durability.PAGE_CACHE);
        long bytes = trial.scale().of(valueBytes < SMALL_VALUE ? BYTES / 4 : BYTES);
        long records = bytes / valueBytes;

        double cpuBefore = broker.cpuSeconds();
        String output = produce(trial, topic, records);
        double produceCpu = broker.cpuSeconds() - cpuBefore;
        cpuBefore = broker.cpuSeconds();
        consume(trial, topic, records);
        double consumeCpu = broker.cpuSeconds() - cpuBefore;
        check(workload, topic, records);

        Matcher produced = PRODUCED.matcher(output.strip());
        if (!produced.find()) throw new IOException("unreadable result: " + output);
        trial.report("produce, broker CPU s per GB", produceCpu / (bytes / 1e9));
        trial.report("produce, broker CPU s per million records", produceCpu / (records / 1e6));
        trial.report("produce, MiB/s", Double.parseDouble(produced.group(1)));
        trial.report("produce, p99 ms at full rate", Double.parseDouble(produced.group(2)));
        trial.report("consume, broker CPU s per GB", consumeCpu / (bytes / 1e9));
        workload.delete(topic);
    }

    private String produce(Trial trial, Topic topic, long records)
            throws IOException, InterruptedException {
        return ChildProcess.run(
                trial.tools()
                        .toolCommand(
                                "org.apache.kafka.tools.ProducerPerformance",
                                List.of(
                                        "--topic",
                                        topic.name(),
                                        "--num-records",
                                        Long.toString(records),
                                        "--record-size",
                                        Integer.toString(valueBytes),
                                        "--throughput",
                                        "-1",
                                        "--producer-props",
                                        "bootstrap.servers=" + bootstrap(trial),
                                        "acks=1",
                                        "batch.size=16384",
                                        "linger.ms=5")));
    }

    private static void consume(Trial trial, Topic topic, long records)
            throws IOException, InterruptedException {
        String output =
                ChildProcess.run(
                        trial.tools()
                                .toolCommand(
                                        "org.apache.kafka.tools.ConsumerPerformance",
                                        List.of(
                                                "--bootstrap-server",
                                                bootstrap(trial),
                                                "--topic",
                                                topic.name(),
                                                "--messages",
                                                Long.toString(records),
                                                "--timeout",
                                                "60000")));
        if (output.contains("Exiting before consuming")) {
            throw new IOException("records are missing: " + output);
        }
    }

    /// The tool's records have no number of their own: their count and the chain of offsets tell.
    private static void check(Workload workload, Topic topic, long records) throws IOException {
        GapChecker checker = new GapChecker();
        workload.consume(ConsumerPlan.of(topic, 1), records, 0, checker);
        long stored = Arrays.stream(workload.endOffsets(topic)).sum();
        if (stored != records || checker.recordCount() != records) {
            throw new IOException(
                    "%d records were sent, %d are stored, %d were read"
                            .formatted(records, stored, checker.recordCount()));
        }
    }

    private static String bootstrap(Trial trial) {
        return "127.0.0.1:" + trial.broker().address().getPort();
    }
}
