package dev.ottla.bench.scenario;

import dev.ottla.bench.client.ClusterState;
import dev.ottla.bench.client.Topic;
import dev.ottla.bench.client.WireClient;
import dev.ottla.bench.side.RunningCluster;
import dev.ottla.bench.side.Side.Durability;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/// How long nothing can be written to a partition whose leader goes away under load: the longest
/// time between two acknowledgements to a writer that asks who leads whenever a write fails.
record Failover(Failover.Blow blow) implements OnThreeBrokers {
    static final String MEDIAN = "time without writes, median ms";
    static final String WORST = "time without writes, worst ms";

    private static final int PARTITIONS = 6;
    private static final int BLOWS = 20;
    private static final int FEWEST_BLOWS = 3;
    private static final Duration LEAD = Duration.ofSeconds(2);
    private static final Duration PAUSE = Duration.ofMillis(50);
    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final Duration CLIENT_LIMIT = Duration.ofSeconds(10);

    /// What happens to the leader.
    enum Blow {
        LEADER_KILLED("kill -9 of a leader that is not the active controller"),
        CONTROLLER_KILLED("kill -9 of a leader that is the active controller too"),
        LEADER_FROZEN("SIGSTOP of a leader that is not the active controller");

        private final String about;

        Blow(String about) {
            this.about = about;
        }
    }

    @Override
    public String name() {
        return "failover-" + blow.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    @Override
    public Family family() {
        return Family.FAILOVER;
    }

    @Override
    public String about() {
        return "three brokers, factor 3, acks=all: " + blow.about;
    }

    @Override
    public void run(Trial trial) throws IOException, InterruptedException {
        RunningCluster cluster = trial.execAll();
        Readiness.allRegistered(cluster);
        Topic topic = new Workload(cluster).topic(PARTITIONS, Durability.PAGE_CACHE);
        int blows = (int) Math.max(FEWEST_BLOWS, trial.scale().of(BLOWS));
        List<Double> gaps = new ArrayList<>();
        for (int i = 0; i < blows; i++) {
            settle(cluster, topic);
            gaps.add(strike(trial, cluster, topic));
        }
        gaps.sort(null);
        trial.report(MEDIAN, gaps.get(gaps.size() / 2));
        trial.report(WORST, gaps.getLast());
    }

    /// Milliseconds without an acknowledgement.
    private double strike(Trial trial, RunningCluster cluster, Topic topic)
            throws IOException, InterruptedException {
        int victim;
        int partition;
        try (WireClient client = new WireClient(cluster.address(), CLIENT_LIMIT)) {
            ClusterState state = ClusterState.ask(client, topic.name());
            int controller = ClusterState.controller(client);
            boolean wantsController = blow == Blow.CONTROLLER_KILLED;
            partition =
                    IntStream.range(0, PARTITIONS)
                            .filter(each -> (state.leaderId(each) == controller) == wantsController)
                            .findFirst()
                            .orElseThrow(() -> new IOException("no such leader"));
            victim = state.leaderId(partition);
        }
        try (SteadyWriter writer = new SteadyWriter(cluster, topic, partition)) {
            Thread.sleep(LEAD);
            writer.forget();
            if (blow == Blow.LEADER_FROZEN) {
                cluster.signal(victim, "STOP");
            } else {
                cluster.broker(victim).kill();
            }
            long struckNs = System.nanoTime();
            while (!writer.hasWrittenAfter(victim)) {
                if (System.nanoTime() - struckNs > LIMIT.toNanos()) {
                    throw new IOException("nothing was written for " + LIMIT);
                }
                Thread.sleep(PAUSE);
            }
            Thread.sleep(LEAD);
            return writer.longestGapMs();
        } finally {
            if (blow == Blow.LEADER_FROZEN) {
                cluster.signal(victim, "CONT");
            } else {
                trial.execAgain(cluster, victim);
            }
        }
    }

    /// All replicas in sync again, every broker a voter and leaders where they were.
    private static void settle(RunningCluster cluster, Topic topic)
            throws IOException, InterruptedException {
        Readiness.untilSettled(cluster, List.of(topic), LIMIT);
        try (WireClient client = new WireClient(cluster.address(), CLIENT_LIMIT)) {
            ClusterState.electPreferredLeaders(client);
        }
        Readiness.untilSettled(cluster, List.of(topic), LIMIT);
    }
}
