package dev.ottla.bench.scenario;

import dev.ottla.bench.client.Topic;
import dev.ottla.bench.client.Topics;
import dev.ottla.bench.client.WireClient;
import dev.ottla.bench.load.ProducerPlan;
import dev.ottla.bench.side.Kafka;
import dev.ottla.bench.side.RunningBroker;
import dev.ottla.bench.side.Side.Durability;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Thousands of partitions on one broker: created, at rest, written to, and served again after a
/// clean stop and after `kill -9`. A partition serves when it answers where it ends, and it must
/// end where it was written to.
///
/// @param fullCount partitions in a full run
record ManyPartitions(String name, int fullCount) implements OnOwnBroker {
    static final String CREATION = "creation until all serve, s";
    static final String IDLE_MEMORY = "idle, resident memory above empty, MiB";
    static final String IDLE_HANDLES = "idle, file handles above empty";
    static final String RESTART_CLEAN = "restart after clean stop until all serve, s";
    static final String RESTART_KILLED = "restart after kill -9 until all serve, s";

    private static final int TOPIC_PARTITIONS = 1000;
    private static final int WINDOW = 64;
    private static final Duration REST = Duration.ofSeconds(10);

    @Override
    public Family family() {
        return Family.PARTITIONS;
    }

    @Override
    public String about() {
        return "%,d partitions: creation, memory, handles, idle CPU, restart clean and after kill -9"
                .formatted(fullCount);
    }

    @Override
    public void run(Trial trial) throws IOException, InterruptedException {
        int count = (int) trial.scale().of(fullCount);
        if (trial.side() instanceof Kafka && !SystemLimits.allowKafkaPartitions(count)) {
            trial.note(
                    "not run: Kafka keeps a file handle and two memory maps a partition; raise"
                            + " vm.max_map_count and the limit of open files");
            return;
        }
        RunningBroker broker = trial.exec();
        Readiness.firstRecord(broker);
        Thread.sleep(REST);
        double emptyMiB = broker.residentMiB();
        int emptyHandles = broker.fileHandleCount();

        List<Topic> topics = create(trial, broker, count);
        rest(trial, broker, emptyMiB, emptyHandles);
        write(trial, broker, topics);
        trial.report("written, resident memory above empty, MiB", broker.residentMiB() - emptyMiB);
        trial.report("written, file handles above empty", broker.fileHandleCount() - emptyHandles);

        trial.report("clean stop, s", broker.stop());
        broker = trial.exec();
        trial.report(RESTART_CLEAN, secondsUntilAllServe(broker, topics, 1));
        trial.report("restarted, resident memory, MiB", broker.residentMiB());

        // A second record each, so that recovery finds something past the last clean stop.
        write(broker, topics);
        broker.kill();
        broker = trial.exec();
        trial.report(RESTART_KILLED, secondsUntilAllServe(broker, topics, 2));
    }

    private static List<Topic> create(Trial trial, RunningBroker broker, int count)
            throws IOException, InterruptedException {
        List<Topic> topics = new ArrayList<>();
        double cpuBefore = broker.cpuSeconds();
        long beganNs = System.nanoTime();
        try (WireClient client = new WireClient(broker.address())) {
            for (int left = count; left > 0; left -= TOPIC_PARTITIONS) {
                int partitions = Math.min(left, TOPIC_PARTITIONS);
                topics.add(
                        new Topics(client)
                                .request(
                                        "many-" + topics.size(),
                                        partitions,
                                        1,
                                        trial.side().topicConfig(Durability.PAGE_CACHE)));
            }
            trial.report("creation answered, s", (System.nanoTime() - beganNs) / 1e9);
        }
        Readiness.untilAllServe(broker, topics);
        trial.report(CREATION, (System.nanoTime() - beganNs) / 1e9);
        trial.report("creation, broker CPU s", broker.cpuSeconds() - cpuBefore);
        return topics;
    }

    private static void rest(Trial trial, RunningBroker broker, double emptyMiB, int emptyHandles)
            throws InterruptedException {
        Thread.sleep(REST);
        Idle idle = Idle.watch(broker, REST);
        trial.report(IDLE_MEMORY, broker.residentMiB() - emptyMiB);
        trial.report(IDLE_HANDLES, broker.fileHandleCount() - emptyHandles);
        trial.report("idle, memory maps", broker.memoryMapCount());
        trial.report(Idle.CPU, idle.cpuPercent());
    }

    private static void write(Trial trial, RunningBroker broker, List<Topic> topics)
            throws IOException, InterruptedException {
        long beganNs = System.nanoTime();
        write(broker, topics);
        trial.report("first record in each, s", (System.nanoTime() - beganNs) / 1e9);
    }

    /// One record to each partition.
    private static void write(RunningBroker broker, List<Topic> topics)
            throws IOException, InterruptedException {
        for (Topic topic : topics) {
            new Workload(broker)
                    .produce(
                            ProducerPlan.fullRate(topic, Shapes.SINGLE_100, topic.partitions())
                                    .connections(1)
                                    .window(WINDOW));
        }
    }

    private static double secondsUntilAllServe(
            RunningBroker broker, List<Topic> topics, long expectedEnd)
            throws IOException, InterruptedException {
        List<long[]> ends = Readiness.untilAllServe(broker, topics);
        double seconds = (System.nanoTime() - broker.execNs()) / 1e9;
        boolean right =
                ends.stream().flatMapToLong(Arrays::stream).allMatch(end -> end == expectedEnd);
        if (!right) {
            throw new IOException(
                    "after a restart of %s a partition does not end at %d"
                            .formatted(broker.side().name(), expectedEnd));
        }
        return seconds;
    }
}
