package dev.ottla.bench.scenario;

import dev.ottla.bench.client.ClusterState;
import dev.ottla.bench.client.Topic;
import dev.ottla.bench.client.Topics;
import dev.ottla.bench.client.WireClient;
import dev.ottla.bench.side.RunningCluster;
import dev.ottla.bench.side.Side.Durability;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/// How long a cluster with many partitions is without a controller when the active one is killed:
/// until another broker has created a topic, and until every partition is led again as both others
/// see it.
record ControllerFailover() implements OnThreeBrokers {
    static final String MEDIAN = "until a topic is created and all are led, median ms";
    static final String WORST = "until a topic is created and all are led, worst ms";

    private static final int PARTITIONS = 10_000;
    private static final int TOPIC_PARTITIONS = 1_000;
    private static final int BLOWS = 20;
    private static final int FEWEST_BLOWS = 3;
    private static final Duration SETTLED = Duration.ofSeconds(2);
    private static final Duration PAUSE = Duration.ofMillis(10);
    private static final Duration LIMIT = Duration.ofMinutes(5);
    private static final Duration CLIENT_LIMIT = Duration.ofSeconds(30);

    @Override
    public String name() {
        return "failover-controller-%dk".formatted(PARTITIONS / 1_000);
    }

    @Override
    public Family family() {
        return Family.FAILOVER;
    }

    @Override
    public String about() {
        return "three brokers, %,d partitions of factor 3: kill -9 of the active controller"
                .formatted(PARTITIONS);
    }

    @Override
    public void run(Trial trial) throws IOException, InterruptedException {
        RunningCluster cluster = trial.execAll();
        Readiness.allRegistered(cluster);
        List<Topic> topics = create(trial, cluster);
        int blows = (int) Math.max(FEWEST_BLOWS, trial.scale().of(BLOWS));
        List<Double> created = new ArrayList<>();
        List<Double> led = new ArrayList<>();
        List<Double> both = new ArrayList<>();
        for (int i = 0; i < blows; i++) {
            Readiness.untilSettled(cluster, topics, LIMIT);
            Thread.sleep(SETTLED);
            strike(trial, cluster, topics, i, created, led);
            both.add(Math.max(created.getLast(), led.getLast()));
        }
        trial.report("until a topic is created, median ms", median(created));
        trial.report("until all partitions are led, median ms", median(led));
        trial.report(MEDIAN, median(both));
        trial.report(WORST, both.stream().mapToDouble(each -> each).max().orElseThrow());
    }

    private static double median(List<Double> values) {
        return values.stream().sorted().toList().get(values.size() / 2);
    }

    private static List<Topic> create(Trial trial, RunningCluster cluster) throws IOException {
        List<Topic> topics = new ArrayList<>();
        Map<String, String> config = trial.side().topicConfig(Durability.PAGE_CACHE);
        try (WireClient client = new WireClient(cluster.address())) {
            for (int left = PARTITIONS; left > 0; left -= TOPIC_PARTITIONS) {
                String name = "many-" + topics.size();
                topics.add(
                        new Topics(client)
                                .request(name, Math.min(left, TOPIC_PARTITIONS), BROKERS, config));
            }
        }
        return topics;
    }

    private static void strike(
            Trial trial,
            RunningCluster cluster,
            List<Topic> topics,
            int blow,
            List<Double> created,
            List<Double> led)
            throws IOException, InterruptedException {
        int victim;
        try (WireClient client = new WireClient(cluster.address(), CLIENT_LIMIT)) {
            victim = ClusterState.controller(client);
        }
        List<Integer> others =
                IntStream.rangeClosed(1, BROKERS).filter(id -> id != victim).boxed().toList();
        long struckNs = System.nanoTime();
        cluster.broker(victim).kill();
        int asked = others.get(blow % others.size());
        Thread creator =
                Thread.ofPlatform()
                        .start(() -> {
                            createTopic(cluster, asked, "after-" + blow, struckNs);
                            synchronized (created) {
                                created.add(msSince(struckNs));
                            }
                        });
        for (int id : others) {
            for (Topic topic : topics) untilLed(cluster, id, topic, victim, struckNs);
        }
        led.add(msSince(struckNs));
        creator.join();
        trial.note(
                "blow %d: created after %.0f ms, led after %.0f ms"
                        .formatted(blow + 1, created.getLast(), led.getLast()));
        trial.execAgain(cluster, victim);
    }

    private static double msSince(long sinceNs) {
        return (System.nanoTime() - sinceNs) / 1e6;
    }

    private static void createTopic(RunningCluster cluster, int id, String name, long struckNs) {
        while (msSince(struckNs) < LIMIT.toMillis()) {
            try (WireClient client = new WireClient(cluster.broker(id).address(), CLIENT_LIMIT)) {
                new Topics(client).request(name, 1, 1, Map.of());
                return;
            } catch (IOException e) {
                pause();
            }
        }
        throw new IllegalStateException("no topic was created within " + LIMIT);
    }

    private static void pause() {
        try {
            Thread.sleep(PAUSE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void untilLed(
            RunningCluster cluster, int id, Topic topic, int victim, long struckNs)
            throws IOException, InterruptedException {
        while (!isLed(cluster, id, topic, victim)) {
            if (msSince(struckNs) > LIMIT.toMillis()) {
                throw new IOException("%s is not led after %s".formatted(topic.name(), LIMIT));
            }
            Thread.sleep(PAUSE);
        }
    }

    private static boolean isLed(RunningCluster cluster, int id, Topic topic, int victim) {
        try (WireClient client = new WireClient(cluster.broker(id).address(), CLIENT_LIMIT)) {
            ClusterState state = ClusterState.ask(client, topic.name());
            return IntStream.range(0, topic.partitions())
                    .map(state::leaderId)
                    .noneMatch(leader -> leader == ClusterState.NO_LEADER || leader == victim);
        } catch (IOException e) {
            return false;
        }
    }
}
