package dev.ottla.bench.scenario;

import dev.ottla.bench.client.Groups;
import dev.ottla.bench.client.Topic;
import dev.ottla.bench.client.Topics;
import dev.ottla.bench.client.WireClient;
import dev.ottla.bench.load.CommitPlan;
import dev.ottla.bench.load.Committers;
import dev.ottla.bench.load.LoadLoop;
import dev.ottla.bench.side.RunningBroker;
import dev.ottla.bench.side.Side.Durability;
import java.io.IOException;
import java.time.Duration;

/// A thousand groups that commit an offset each, again and again, over twenty connections. The
/// topic behind the coordinators is as durable as `durability` says, on both sides.
record GroupCommits(Durability durability) implements OnWarmBroker {
    private static final String OFFSETS_TOPIC = "__consumer_offsets";
    private static final int GROUPS = 1000;
    private static final int CONNECTIONS = 20;
    private static final int WINDOW = 5;
    private static final long WARM_UP_ROUNDS = 100;
    private static final Duration LIMIT = Duration.ofMinutes(20);

    @Override
    public String name() {
        return switch (durability) {
            case PAGE_CACHE -> "group-commits";
            case FSYNC -> "group-commits-fsync";
        };
    }

    @Override
    public Family family() {
        return Family.GROUPS;
    }

    @Override
    public String about() {
        return "1,000 groups committing offsets at full rate; __consumer_offsets "
                + switch (durability) {
                    case PAGE_CACHE -> "in the page cache";
                    case FSYNC -> "synced before an answer";
                };
    }

    /// A sync before each answer is slow: fewer commits say enough.
    private long rounds() {
        return switch (durability) {
            case PAGE_CACHE -> 300;
            case FSYNC -> 50;
        };
    }

    @Override
    public void run(Trial trial) throws IOException, InterruptedException {
        RunningBroker broker = trial.broker();
        Workload workload = new Workload(broker);
        Topic topic = workload.topic(1, Durability.PAGE_CACHE);
        CommitPlan warmUp = plan(topic, trial.scale().of(WARM_UP_ROUNDS));
        CommitPlan plan = plan(topic, trial.scale().of(rounds()));
        try (WireClient client = new WireClient(broker.address())) {
            for (int group = 0; group < GROUPS; group++) {
                new Groups(client).untilCoordinated(plan.group(group), topic);
            }
            Topics topics = new Topics(client);
            var config = broker.side().topicConfig(durability);
            commit(broker, warmUp);
            topics.configure(OFFSETS_TOPIC, config);
            Workload.Outcome outcome = commit(broker, plan);
            topics.unconfigure(OFFSETS_TOPIC, config.keySet());
            trial.report("broker CPU s per million commits", outcome.cpuPerMillion());
            trial.report("commits per s", plan.commitCount() / outcome.seconds());
            trial.report("p50 ms at full rate", outcome.latency().percentileMs(50));
            trial.report("p99 ms at full rate", outcome.latency().percentileMs(99));
        }
        workload.delete(topic);
    }

    private static CommitPlan plan(Topic topic, long rounds) {
        return new CommitPlan(topic, GROUPS, CONNECTIONS, WINDOW, (int) rounds);
    }

    private static Workload.Outcome commit(RunningBroker broker, CommitPlan plan)
            throws IOException {
        try (LoadLoop loop = new LoadLoop(broker.address())) {
            Committers committers = new Committers(loop, plan);
            Workload.Meter meter = new Workload.Meter(broker);
            loop.run(committers::isDone, LIMIT);
            Workload.Outcome outcome = meter.stop(0, plan.commitCount(), committers.latency());
            check(broker, plan);
            return outcome;
        }
    }

    /// Every group must have what it committed last.
    private static void check(RunningBroker broker, CommitPlan plan) throws IOException {
        try (WireClient client = new WireClient(broker.address())) {
            Groups groups = new Groups(client);
            for (int group = 0; group < plan.groups(); group++) {
                long committed = groups.committed(plan.group(group), plan.topic());
                if (committed != plan.rounds()) {
                    throw new IOException(
                            "%s committed %d last, the broker has %d"
                                    .formatted(plan.group(group), plan.rounds(), committed));
                }
            }
        }
    }
}
