package dev.ottla.chaos;

import dev.ottla.chaos.cluster.Cluster;
import dev.ottla.chaos.cluster.ClusterState;
import dev.ottla.chaos.cluster.GivenCluster;
import dev.ottla.chaos.cluster.OwnCluster;
import dev.ottla.chaos.fault.Fault;
import dev.ottla.chaos.fault.FaultClass;
import dev.ottla.chaos.fault.Injector;
import dev.ottla.chaos.fault.Schedule;
import dev.ottla.chaos.fault.Strike;
import dev.ottla.chaos.history.Event;
import dev.ottla.chaos.history.History;
import dev.ottla.chaos.load.GroupManners;
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
import org.apache.kafka.clients.admin.NewTopic;

/// One run: a cluster is started, loaded, broken by schedule, healed and read out. All that happens
/// goes into the history; nothing is judged here. Owned by the main thread.
final class ChaosRun {
    private static final Duration COMING_UP = Duration.ofMinutes(3);

    /// At least, behind each fault.
    private static final Duration QUIET = Duration.ofMillis(400);

    /// At most, for what a run needs that says anything, when the machine is slow.
    private static final Duration OVERTIME = Duration.ofMinutes(2);

    /// Before a scenario, and behind it.
    private static final Duration WARM_UP = Duration.ofSeconds(3);

    private static final int DISK_MEGABYTES = 192;
    private static final int DISK_MEGABYTES_OF_A_MINUTE = 40;

    private final ChaosOptions options;
    private final long seed;
    private final Path directory;
    private final Optional<GivenCluster> given;
    private final PrintStream out;
    private final boolean isRoot = NetworkSpaces.isPossible();
    private final long beganNs = System.nanoTime();

    /// @param given the cluster, when it is not to be one of its own; closed at the end
    ChaosRun(
            ChaosOptions options,
            long seed,
            Path directory,
            Optional<GivenCluster> given,
            PrintStream out) {
        this.given = given;
        this.options = options;
        this.seed = seed;
        this.directory = directory;
        this.out = out;
    }

    private long elapsedMs() {
        return (System.nanoTime() - beganNs) / 1_000_000;
    }

    void run(Path file) throws IOException {
        try (History history = new History(file, this::elapsedMs);
                Cluster cluster = given.isPresent() ? given.get() : start();
                ClusterState state = new ClusterState(cluster.bootstrap())) {
            begin(history, cluster);
            await("all nodes vote", () -> state.voters().size() >= cluster.voters());
            Optional<Roles> roles = options.scenario().map(_ -> Roles.of(state, cluster.ids()));
            TopicShape shape =
                    roles.flatMap(found -> options.scenario().map(play -> play.topics(found)))
                            .orElse(TopicShape.among(cluster.ids().size()));
            List<NewTopic> topics =
                    given.isPresent() ? new Footprint(state).wanted(shape) : Topics.wanted(shape);
            await("all topics are there", () -> state.createTopics(topics));
            try (Load load = load(shape, cluster, history)) {
                Injector injector = new Injector(cluster, state, load, history, shape.replicas());
                await("all replicas are in sync", () -> injector.awaitHealth(COMING_UP));
                history.add(new Event.LoadBegan());
                if (roles.isPresent()) {
                    OwnCluster own = cluster.own().orElseThrow();
                    play(new Stage(own, state, injector, load, history, roles.get()));
                } else {
                    play(cluster, injector);
                }
                history.add(new Event.LoadEnded());
                Aftermath aftermath = new Aftermath(cluster, state, load, history);
                aftermath.heal(injector);
                aftermath.readOut();
                aftermath.store();
            }
        }
    }

    private Load load(TopicShape shape, Cluster cluster, History history) {
        return new Load(
                cluster.bootstrap(),
                options.recordsPerSecond(),
                given.isPresent() ? shape : TopicShape.USUAL,
                given.map(there -> GroupManners.given(there.knowsConsumerProtocol()))
                        .orElse(GroupManners.OWN),
                history);
    }

    private OwnCluster start() throws IOException {
        boolean networks = isRoot && needsNetworks();
        boolean disks = isRoot && options.faults().contains(Fault.DISK_FULL);
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
        return OwnCluster.start(
                new OwnCluster.Plan(directory, options.nodes(), networks, megabytes, List.of()));
    }

    private boolean needsNetworks() {
        return options.faults().stream().anyMatch(Fault::needsNetworks)
                || options.scenario().map(Scenario::cutsNetworks).orElse(false);
    }

    private void begin(History history, Cluster cluster) {
        history.add(
                new Event.Run(
                        seed,
                        cluster.ids().size(),
                        options.time().toSeconds(),
                        FaultClass.words(options.faults()),
                        Load.REQUEST_TIMEOUT_MS,
                        options.repeat(seed)));
        if (given.isPresent()) {
            history.add(new Event.Given(cluster.bootstrap()));
        }
        for (String topic : Topics.names()) {
            history.add(new Event.Topic(topic, Topics.PARTITIONS, Topics.keys(topic)));
        }
    }

    private void play(Stage stage) {
        stage.pause(WARM_UP);
        stage.play(options.scenario().orElseThrow());
        stage.pause(WARM_UP);
    }

    private void play(Cluster cluster, Injector injector) throws IOException {
        Set<Fault> possible = possible(cluster);
        Deque<Strike> strikes =
                new ArrayDeque<>(Schedule.of(seed, options.time(), possible).strikes());
        Set<Fault> needed = EnumSet.copyOf(Schedule.NEEDED);
        needed.retainAll(possible);
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
            injector.nodes().pause(QUIET);
            if (done) {
                required--;
                needed.remove(strike.fault());
            } else if (postponed.add(strike)) {
                strikes.add(strike);
            }
            if (!possible(cluster).equals(possible)) {
                possible = possible(cluster);
                needed.retainAll(possible);
                strikes = replanned(strikes, possible, strike.number());
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

    /// A kind is not possible any more: others come in its place.
    private Deque<Strike> replanned(Deque<Strike> strikes, Set<Fault> possible, int last) {
        Deque<Strike> replanned = new ArrayDeque<>();
        Schedule.of(seed, options.time(), possible).strikes().stream()
                .filter(strike -> strike.number() > last)
                .forEach(replanned::add);
        strikes.stream()
                .filter(strike -> strike.number() <= last && possible.contains(strike.fault()))
                .forEach(replanned::add);
        return replanned;
    }

    private static void pauseUntil(Injector injector, long atNs) {
        long leftNs = atNs - System.nanoTime();
        if (leftNs > 0) {
            injector.nodes().pause(Duration.ofNanos(leftNs));
        }
    }

    private Set<Fault> possible(Cluster cluster) {
        Set<Fault> possible = EnumSet.noneOf(Fault.class);
        for (Fault fault : options.faults()) {
            boolean needsRoot = fault.needsNetworks() || fault == Fault.DISK_FULL;
            if (given.isPresent()
                    ? cluster.means().containsAll(fault.needs())
                    : isRoot || !needsRoot) {
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
