package dev.ottla.chaos;

import dev.ottla.chaos.cluster.Cluster;
import dev.ottla.chaos.cluster.ClusterState;
import dev.ottla.chaos.fault.Fault;
import dev.ottla.chaos.fault.FaultClass;
import dev.ottla.chaos.fault.Injector;
import dev.ottla.chaos.fault.Schedule;
import dev.ottla.chaos.fault.Strike;
import dev.ottla.chaos.history.Event;
import dev.ottla.chaos.history.History;
import dev.ottla.chaos.load.Load;
import dev.ottla.chaos.load.TopicShape;
import dev.ottla.chaos.load.Topics;
import dev.ottla.chaos.scenario.Roles;
import dev.ottla.chaos.scenario.Scenario;
import dev.ottla.chaos.scenario.Stage;
import dev.ottla.testkit.NetworkSpaces;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;

/// One run: a cluster is started, loaded, broken by schedule, healed and read out. All that happens
/// goes into the history; nothing is judged here. Owned by the main thread.
final class ChaosRun {
    private static final Duration COMING_UP = Duration.ofMinutes(3);

    /// At least, behind each fault.
    private static final Duration QUIET = Duration.ofMillis(400);

    /// At most, for what a run needs that says anything, when the machine is slow.
    private static final Duration OVERTIME = Duration.ofSeconds(60);

    /// Before a scenario, and behind it.
    private static final Duration WARM_UP = Duration.ofSeconds(3);

    private static final int DISK_MEGABYTES = 192;
    private static final int DISK_MEGABYTES_OF_A_MINUTE = 40;

    private final ChaosOptions options;
    private final long seed;
    private final Path directory;
    private final PrintStream out;
    private final boolean isRoot = NetworkSpaces.isPossible();
    private final long beganNs = System.nanoTime();

    ChaosRun(ChaosOptions options, long seed, Path directory, PrintStream out) {
        this.options = options;
        this.seed = seed;
        this.directory = directory;
        this.out = out;
    }

    private long elapsedMs() {
        return (System.nanoTime() - beganNs) / 1_000_000;
    }

    void run(Path file) throws IOException {
        boolean networks = isRoot && needsNetworks();
        boolean disks = isRoot && options.faults().contains(FaultClass.DISK);
        if (!isRoot && options.scenario().map(Scenario::cutsNetworks).orElse(false)) {
            throw new IllegalStateException("this scenario cuts networks, which needs root");
        }
        if (!isRoot) {
            out.println(
                    "Left out, because they need root: cut networks, full disks. The others are played.");
        }
        int megabytes =
                disks
                        ? DISK_MEGABYTES
                                + DISK_MEGABYTES_OF_A_MINUTE * (int) options.time().toMinutes()
                        : 0;
        Cluster.Plan plan =
                new Cluster.Plan(directory, options.nodes(), networks, megabytes, List.of());
        try (History history = new History(file, this::elapsedMs);
                Cluster cluster = Cluster.start(plan);
                ClusterState state = new ClusterState(cluster.bootstrap())) {
            begin(history);
            await("all nodes vote", () -> state.voters().size() >= 3);
            Optional<Roles> roles = options.scenario().map(_ -> Roles.of(state, cluster.ids()));
            TopicShape shape =
                    roles.flatMap(given -> options.scenario().map(play -> play.topics(given)))
                            .orElse(TopicShape.USUAL);
            await("all topics are there", () -> state.createTopics(Topics.wanted(shape)));
            try (Load load = new Load(cluster.bootstrap(), options.recordsPerSecond(), history)) {
                Injector injector = new Injector(cluster, state, load, history, shape.replicas());
                await("all replicas are in sync", () -> injector.awaitHealth(COMING_UP));
                history.add(new Event.LoadBegan());
                if (roles.isPresent()) {
                    play(new Stage(cluster, state, injector, history, roles.get()));
                } else {
                    play(injector);
                }
                history.add(new Event.LoadEnded());
                Aftermath aftermath = new Aftermath(cluster, state, load, history);
                aftermath.heal(injector);
                aftermath.readOut();
                aftermath.store();
            }
        }
    }

    private boolean needsNetworks() {
        return options.faults().contains(FaultClass.PARTITION)
                || options.scenario().map(Scenario::cutsNetworks).orElse(false);
    }

    private void begin(History history) {
        history.add(
                new Event.Run(
                        seed,
                        options.nodes(),
                        options.time().toSeconds(),
                        options.faults().stream().sorted().map(FaultClass::word).toList(),
                        Load.STRAY_COMMIT_MS,
                        options.repeat(seed)));
        for (String topic : Topics.names()) {
            history.add(new Event.Topic(topic, Topics.PARTITIONS, Topics.keys(topic)));
        }
    }

    private void play(Stage stage) {
        stage.pause(WARM_UP);
        stage.play(options.scenario().orElseThrow());
        stage.pause(WARM_UP);
    }

    private void play(Injector injector) throws IOException {
        Deque<Strike> strikes =
                new ArrayDeque<>(Schedule.of(seed, options.time(), possible()).strikes());
        Set<Fault> needed = EnumSet.copyOf(Schedule.NEEDED);
        needed.retainAll(possible());
        int required = Schedule.required(options.time());
        long loadNs = System.nanoTime();
        long endNs = loadNs + options.time().toNanos();
        Set<Strike> postponed = new HashSet<>();
        while (!strikes.isEmpty()) {
            Strike strike = strikes.remove();
            pauseUntil(injector, loadNs + strike.at().toNanos());
            long lateNs = System.nanoTime() - endNs;
            boolean isEnough = required <= 0 && needed.isEmpty();
            if (lateNs > (isEnough ? 0 : OVERTIME.toNanos())) {
                out.println("Time is over before fault " + strike.number());
                break;
            }
            boolean done = injector.play(strike);
            injector.pause(QUIET);
            if (done) {
                required--;
                needed.remove(strike.fault());
            } else if (postponed.add(strike)) {
                strikes.add(strike);
            }
            out.printf(
                    "%6.1f s  %2d %s%s%n",
                    elapsedMs() / 1_000.0,
                    strike.number(),
                    strike.fault(),
                    done ? "" : " (was not possible)");
        }
        pauseUntil(injector, endNs);
    }

    private static void pauseUntil(Injector injector, long atNs) {
        long leftNs = atNs - System.nanoTime();
        if (leftNs > 0) {
            injector.pause(Duration.ofNanos(leftNs));
        }
    }

    private Set<Fault> possible() {
        Set<Fault> possible = EnumSet.noneOf(Fault.class);
        for (Fault fault : Fault.values()) {
            boolean needsRoot =
                    fault.faultClass() == FaultClass.PARTITION || fault == Fault.DISK_FULL;
            if (options.faults().contains(fault.faultClass()) && (isRoot || !needsRoot)) {
                possible.add(fault);
            }
        }
        return possible;
    }

    private static void await(String what, BooleanSupplier condition) {
        if (!Aftermath.isTrueWithin(COMING_UP, condition)) {
            throw new IllegalStateException("the cluster did not come up: not yet " + what);
        }
    }
}
