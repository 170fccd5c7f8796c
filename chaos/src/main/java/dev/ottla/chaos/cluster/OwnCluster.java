package dev.ottla.chaos.cluster;

import dev.ottla.chaos.history.Event;
import dev.ottla.testkit.BrokerCommand;
import dev.ottla.testkit.BrokerProcess;
import dev.ottla.testkit.NetworkSpaces;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Real processes, node 1 first, which the others join. Each has a directory of its own under that
/// of the run. Owned by the run's main thread.
public final class OwnCluster implements Cluster {
    /// They are found dead soon, so that there is time for many faults.
    private static final List<String> SETTINGS =
            List.of(
                    "broker.session.timeout.ms=3000",
                    "broker.heartbeat.interval.ms=700",
                    "replica.lag.time.max.ms=3000",
                    "replica.socket.timeout.ms=3000",
                    "group.initial.rebalance.delay.ms=0",
                    "group.min.session.timeout.ms=1000",
                    "group.consumer.min.session.timeout.ms=1000",
                    "group.consumer.session.timeout.ms=3000",
                    "group.consumer.min.heartbeat.interval.ms=500",
                    "group.consumer.heartbeat.interval.ms=500",
                    "offsets.topic.num.partitions=4");

    /// The exit code of a node that lost its power.
    private static final int WITHOUT_POWER = 99;

    private static final int LAST_LINES = 12;

    private static final List<String> SMALL_DISK =
            List.of(
                    "log.dir.min.free.bytes=8388608",
                    "log.dir.resume.free.bytes=16777216",
                    "log.dir.reserve.bytes=2097152");

    /// What the nodes begin in: the distribution on a disk and with a clock that can be broken.
    private static final BrokerCommand.Entry ENTRY =
            new BrokerCommand.Entry(
                    "dev.ottla.chaos.node.FaultyNode", Optional.of(jarOf(OwnCluster.class)));

    private static final String[] JVM = {"-Xmx256m", "-XX:TieredStopAtLevel=1"};

    private final Path directory;
    private final List<String> extraJvm;
    private final int diskMegabytes;
    private final @Nullable NetworkSpaces networks;
    private final Map<Integer, BrokerProcess> nodes = new TreeMap<>();
    private final Map<Integer, SmallDisk> disks = new HashMap<>();

    /// Nodes whose directories begin empty: all but the first one, until that lost its own. They
    /// are told of the others.
    private final Set<Integer> joining = new HashSet<>();

    private boolean closed;

    /// Nodes that run because nobody has stopped them.
    private final Set<Integer> running = new HashSet<>();

    /// Where and how a cluster is to run.
    ///
    /// @param networks whether each node has a network of its own
    /// @param diskMegabytes size of each node's disk; 0 for the one that is there
    /// @param jvm more options of the nodes' JVMs
    public record Plan(
            Path directory, int nodes, boolean networks, int diskMegabytes, List<String> jvm) {
        public Plan {
            jvm = List.copyOf(jvm);
        }
    }

    private OwnCluster(Plan plan) {
        directory = plan.directory();
        diskMegabytes = plan.diskMegabytes();
        extraJvm = plan.jvm();
        // One more than there are at first, for a node that joins later.
        networks = plan.networks() ? NetworkSpaces.create(plan.nodes() + 1) : null;
    }

    /// Returns when all nodes serve.
    public static OwnCluster start(Plan plan) throws IOException {
        OwnCluster cluster = new OwnCluster(plan);
        Runtime.getRuntime().addShutdownHook(new Thread(cluster::close));
        try {
            cluster.add(1);
            cluster.node(1).awaitReady();
            for (int id = 2; id <= plan.nodes(); id++) {
                cluster.add(id);
            }
            cluster.nodes.values().forEach(BrokerProcess::awaitReady);
            return cluster;
        } catch (Throwable e) {
            cluster.close();
            throw e;
        }
    }

    /// Starts one more node, with an empty directory, without waiting for it.
    public void add(int id) throws IOException {
        Path home = directory.resolve("node-" + id);
        Path data = home.resolve("data");
        List<String> settings = new ArrayList<>(SETTINGS);
        if (diskMegabytes > 0) {
            disks.put(id, SmallDisk.mount(home.resolve("disk"), diskMegabytes));
            data = home.resolve("disk").resolve("data");
            settings.addAll(SMALL_DISK);
        }
        settings.add("node.id=" + id);
        List<String> jvm = new ArrayList<>(List.of(JVM));
        jvm.addAll(extraJvm);
        jvm.add("-Dottla.chaos.aside=" + data.resolveSibling("aside"));
        BrokerProcess node =
                BrokerProcess.on(
                        BrokerProcess.freePort(),
                        BrokerProcess.Options.of(settings.toArray(String[]::new))
                                .withJvm(jvm.toArray(String[]::new))
                                .withHome(home)
                                .withDataDir(data)
                                .through(ENTRY)
                                .at(
                                        networks == null
                                                ? BrokerProcess.Place.HERE
                                                : networks.place(id)));
        if (!nodes.isEmpty()) {
            joining.add(id);
        }
        nodes.put(id, node);
        launch(id);
    }

    @Override
    public Set<Means> means() {
        return EnumSet.allOf(Means.class);
    }

    @Override
    public Optional<OwnCluster> own() {
        return Optional.of(this);
    }

    /// In a cluster of any size.
    @Override
    public int voters() {
        return 3;
    }

    @Override
    public void kill(int id) {
        running.remove(id);
        node(id).kill();
    }

    /// Their processes end and what they had not synced is gone: all of it, or what a seed leaves.
    public void losePower(List<Integer> ids, OptionalLong seed) {
        for (int id : ids) {
            running.remove(id);
            tell(id, "lose-power" + (seed.isPresent() ? " " + (seed.getAsLong() + id) : ""));
        }
        for (int id : ids) {
            int exitCode = node(id).awaitExit(Duration.ofSeconds(30));
            if (exitCode != WITHOUT_POWER) {
                throw new IllegalStateException(
                        "node %d ended with exit code %d instead of losing its power"
                                .formatted(id, exitCode));
            }
        }
    }

    /// Something for the node's disk or clock, as its main class knows it.
    public void tell(int id, String order) {
        try {
            node(id).tell(order);
        } catch (UncheckedIOException e) {
            throw new IllegalStateException("node %d is gone".formatted(id), e);
        }
    }

    /// SIGTERM, and waits for the end.
    public int stop(int id) {
        running.remove(id);
        return node(id).stop();
    }

    @Override
    public void launch(int id) {
        String others =
                nodes.entrySet().stream()
                        .filter(node -> node.getKey() != id)
                        .map(node -> node.getValue().bootstrap())
                        .collect(Collectors.joining(","));
        node(id).launch(
                        joining.contains(id)
                                ? List.of("controller.quorum.bootstrap.servers=" + others)
                                : List.of());
        running.add(id);
    }

    /// Waits until the node answers; false when it does not in time.
    public boolean awaitReady(int id, Duration deadline) {
        long deadlineNs = System.nanoTime() + deadline.toNanos();
        do {
            if (node(id).isReady()) {
                return true;
            }
            Pause.ofMs(20);
        } while (System.nanoTime() < deadlineNs && node(id).isAlive());
        return false;
    }

    @Override
    public boolean isReady(int id) {
        return node(id).isReady();
    }

    @Override
    public void freeze(int id) {
        node(id).freeze();
    }

    @Override
    public void thaw(int id) {
        node(id).thaw();
    }

    /// As if its disk were replaced by an empty one. It must not run. Were it told of nobody then,
    /// it would begin another cluster.
    public void wipe(int id) {
        joining.add(id);
        node(id).deleteData();
    }

    /// Forgets a node that does not run, with all it has.
    public void forget(int id) {
        node(id).deleteData();
        running.remove(id);
        nodes.remove(id);
        SmallDisk disk = disks.remove(id);
        if (disk != null) {
            disk.close();
        }
    }

    public boolean hasSmallDisks() {
        return diskMegabytes > 0;
    }

    public void fillDisk(int id) throws IOException {
        disk(id).fill();
    }

    public void freeDisk(int id) throws IOException {
        disk(id).free();
    }

    private SmallDisk disk(int id) {
        SmallDisk disk = disks.get(id);
        if (disk == null) {
            throw new IllegalStateException("node " + id + " has no small disk");
        }
        return disk;
    }

    @Override
    public void cut(int from, int to) {
        networks().orElseThrow().cut(from, to);
    }

    @Override
    public void joinNetworks() {
        networks().ifPresent(NetworkSpaces::heal);
    }

    /// A rule of a network may fail after another one was made; signals do not.
    @Override
    public List<String> mend() {
        joinNetworks();
        return List.of();
    }

    /// Empty when all nodes share one network.
    public Optional<NetworkSpaces> networks() {
        return Optional.ofNullable(networks);
    }

    /// Nodes whose process ended although nobody stopped it; each is told of once.
    public List<Integer> takeDead() {
        List<Integer> dead = running.stream().filter(id -> !node(id).isAlive()).toList();
        dead.forEach(running::remove);
        return dead;
    }

    public int exitCode(int id) {
        return node(id).awaitExit(Duration.ofSeconds(1));
    }

    @Override
    public boolean isRunning(int id) {
        return running.contains(id);
    }

    @Override
    public List<Integer> ids() {
        return List.copyOf(nodes.keySet());
    }

    @Override
    public String bootstrap() {
        return nodes.values().stream()
                .map(BrokerProcess::bootstrap)
                .collect(Collectors.joining(","));
    }

    @Override
    public InetSocketAddress address(int id) {
        return node(id).address();
    }

    public Path dataDir(int id) {
        return node(id).dataDir();
    }

    /// What is to be known of a node that ended.
    public Event.NodeDied death(int id) {
        List<String> lines = node(id).output().lines().toList();
        return new Event.NodeDied(
                id,
                exitCode(id),
                node(id).outputFile().toString(),
                lines.subList(Math.max(0, lines.size() - LAST_LINES), lines.size()));
    }

    private static Path jarOf(Class<?> type) {
        try {
            return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    private BrokerProcess node(int id) {
        BrokerProcess node = nodes.get(id);
        if (node == null) {
            throw new IllegalArgumentException("no node " + id);
        }
        return node;
    }

    /// Kills what runs. The files of the nodes stay, but for those on small disks. When the run is
    /// interrupted, the JVM calls this.
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        for (int id : List.copyOf(nodes.keySet())) {
            BrokerProcess node = node(id);
            if (Files.exists(node.outputFile()) && node.isAlive()) {
                node.kill();
            }
        }
        disks.values().forEach(SmallDisk::close);
        if (networks != null) {
            networks.close();
        }
    }
}
