package dev.ottla.broker.server;

import dev.ottla.broker.address.BrokerAddresses;
import dev.ottla.broker.address.PeerAddresses;
import dev.ottla.broker.controlling.Heartbeats;
import dev.ottla.broker.coordinator.GroupCoordinatorParts;
import dev.ottla.broker.coordinator.GroupCoordinators;
import dev.ottla.broker.coordinator.GroupRouter;
import dev.ottla.broker.metrics.BrokerMetrics;
import dev.ottla.broker.metrics.MetricsServer;
import dev.ottla.broker.network.ConnectionLimits;
import dev.ottla.broker.network.NetworkServer;
import dev.ottla.broker.partition.PartitionKey;
import dev.ottla.broker.partition.PartitionManager;
import dev.ottla.broker.peer.Peers;
import dev.ottla.broker.produce.BatchChecks;
import dev.ottla.broker.quorum.PeerMetadataSource;
import dev.ottla.broker.request.ReadMemory;
import dev.ottla.broker.settings.BrokerConfig;
import dev.ottla.broker.shard.Shard;
import dev.ottla.broker.shard.Shards;
import dev.ottla.broker.voting.Role;
import dev.ottla.config.ConfigResolver;
import dev.ottla.config.ConfigValues;
import dev.ottla.config.GroupKeys;
import dev.ottla.config.HostPort;
import dev.ottla.config.Listener;
import dev.ottla.config.LogKeys;
import dev.ottla.config.MetricsKeys;
import dev.ottla.config.NetworkKeys;
import dev.ottla.config.QuorumKeys;
import dev.ottla.config.ServerKeys;
import dev.ottla.log.disk.Disk;
import dev.ottla.metadata.BrokerEndpoint;
import dev.ottla.metadata.Features;
import dev.ottla.metadata.controller.Machine;
import dev.ottla.metadata.controller.RegisterBroker;
import dev.ottla.metadata.image.ClusterImage;
import dev.ottla.metadata.liveness.BrokerIncarnation;
import dev.ottla.metadata.service.ControllerSettings;
import dev.ottla.quorum.observer.ObserverMetadataLog;
import dev.ottla.quorum.store.MetadataStore;
import dev.ottla.wire.Uuid;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.util.internal.PlatformDependent;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// All parts of one broker, in the order in which they start; they stop in the opposite one. A part
/// that was not reached by a failed start is null. Owned by the thread that starts and closes.
///
/// | step | why there |
/// |---|---|
/// | directories are opened and locked | nothing may be done to them by two processes |
/// | addresses are bound where a cluster is begun, not yet served | one that nobody could reach is not begun |
/// | metadata is read, and copied from the cluster that is joined | it says which cluster this is and what the directories should hold |
/// | addresses are bound elsewhere | registration names the ports |
/// | the broker registers: a new incarnation | every leadership gets a new epoch |
/// | shards begin with the image of that registration | nothing is served under an epoch of before |
/// | connections are accepted | everything is there |
final class BrokerRuntime {
    private static final Logger LOG = LoggerFactory.getLogger(BrokerRuntime.class);
    private static final int DEFAULT_NODE_ID = 1;
    private static final int MAX_QUEUED_COMMANDS = 10_000;
    private static final long STOP_SECONDS = 30;

    /// The exit code of a process that a bug of its own ended.
    private static final int EXIT_BROKEN = 70;

    /// Disks answer several reads at once better than one after the other.
    private static final int COLD_READ_THREADS = 4;

    /// The part of direct memory that answers may hold; requests take another such part.
    private static final int READ_MEMORY_FRACTION = 4;

    private final ConfigResolver config;
    private final Disk disk;
    private final OpenFileLimit openFiles;
    private final InstantSource clock;
    private final SecureRandom random = new SecureRandom();
    private final BrokerMetrics metrics = new BrokerMetrics();
    private final ByteBufAllocator allocator = PooledByteBufAllocator.DEFAULT;
    private final List<ShardRuntime> shards = new ArrayList<>();

    private int nodeId;
    private String clusterId = "";

    /// Nodes of the cluster that this node joins or has joined; empty when it began one.
    private Optional<List<HostPort>> join = Optional.empty();

    private final ExecutorService coldReads =
            Executors.newFixedThreadPool(COLD_READ_THREADS, Threads.named("cold-read"));

    private @Nullable DataDirectories directories;
    private @Nullable MetadataRuntime metadata;
    private @Nullable NodeQuorum quorum;
    private @Nullable NetworkServer network;
    private @Nullable LiveListeners listeners;
    private @Nullable ExecutorService background;

    /// Its thread begins with the first task, which a broker that is alone does not have.
    private final ScheduledExecutorService timer =
            Executors.newSingleThreadScheduledExecutor(Threads.named("timer"));

    private @Nullable Membership membership;

    /// Made with the first connection to another node; guarded by this.
    private @Nullable Peers peers;

    private @Nullable ExecutorService groupBackground;
    private @Nullable BatchChecks checks;
    private @Nullable Upkeep upkeep;
    private @Nullable MetricsServer metricsServer;
    private @Nullable ExecutorService metricsThread;

    /// Written by the thread that stops the broker, read by shards that fail: a recent value will
    /// do.
    private volatile boolean closed;

    BrokerRuntime(ConfigResolver config, Host host) {
        this.config = config;
        clock = host.clock();
        openFiles = OpenFileLimit.ofProcess(config.broker().value(ServerKeys.NUM_SHARDS));
        this.disk = new MeasuredDisk(host.disk(), System::nanoTime, metrics::synced);
    }

    void start(List<Listener> listenerConfigs) {
        DataDirectories directories = DataDirectories.open(config.broker(), disk, this::freshId);
        this.directories = directories;
        nodeId = chooseNodeId(directories);
        NetworkServer network = createNetwork();
        this.network = network;
        LiveListeners listeners = new LiveListeners(network, config.broker());
        this.listeners = listeners;
        join = whomToJoin(directories);
        boolean founds = join.isEmpty() && !MetadataStore.exists(directories.ofMetadata());
        if (founds) takePorts(listeners, listenerConfigs);
        MetadataRuntime metadata = startMetadata(directories, network);
        openFiles.warnIfLow();
        BrokerConfig brokerConfig = new BrokerConfig(nodeId, config);
        Shards owners = createShards(network, directories, brokerConfig);
        if (!founds) listeners.start(listenerConfigs);
        Membership membership = createMembership(metadata, network, listeners);
        long brokerEpoch = register(directories, metadata, membership, listeners);

        ClusterImage[] start = new ClusterImage[1];
        ImageRelay[] relay = new ImageRelay[1];
        start[0] =
                metadata.listen(image -> {
                    brokerConfig.begin(image);
                    relay[0] = new ImageRelay(brokerConfig, shards, image);
                    return relay[0];
                });
        ExecutorService background = startBackground();
        GroupCoordinators groups = groupCoordinators(owners, brokerConfig, relay[0]);
        directories.follow(brokerConfig);
        startShards(owners, directories.takeStored(start[0], nodeId), start[0]);
        BrokerIncarnation incarnation = new BrokerIncarnation(nodeId, brokerEpoch);
        membership.begin(incarnation, relay[0], directories, session());
        this.membership = membership;
        replicate(network, membership, incarnation, relay[0]);
        BatchChecks checks = new BatchChecks(background);
        this.checks = checks;
        startUpkeep(directories, metadata, membership, brokerConfig);
        followConfig(brokerConfig, network, listeners);
        serve(
                network,
                directories,
                new BrokerServices(
                        nodeId,
                        brokerEpoch,
                        clusterId,
                        brokerConfig,
                        relay[0]::image,
                        relay[0]::addListener,
                        metadata.service(),
                        membership,
                        voting().changes(metadata.service()),
                        voting()::volunteer,
                        metadata.server(),
                        directories.byId(),
                        owners,
                        List.copyOf(shards),
                        new BrokerAddresses(nodeId, listeners.addresses()),
                        network::loop,
                        network::loopCount,
                        checks,
                        groups,
                        background,
                        metadata.thread(),
                        clock,
                        System::nanoTime,
                        random,
                        metrics));
        membership.awaitAdmission();
    }

    private void watchSight(MetadataRuntime metadata) {
        Runnable watch =
                () -> metadata.service().watchSight(is -> toPartitions(all -> all.blind(is)));
        metadata.thread().execute(watch);
    }

    private Heartbeats.Session session() {
        return new Heartbeats.Session() {
            @Override
            public void onOutOfTouch(boolean is) {
                toPartitions(partitions -> partitions.outOfTouch(is));
            }

            @Override
            public void onConfirmed(long untilNs) {
                toPartitions(partitions -> partitions.confirmed(untilNs));
            }
        };
    }

    private void toPartitions(Consumer<PartitionManager> message) {
        for (ShardRuntime runtime : shards) {
            runtime.shard().execute(() -> message.accept(runtime.partitions()));
        }
    }

    /// Before a cluster is begun, so that a start that fails leaves none behind.
    private void takePorts(LiveListeners listeners, List<Listener> listenerConfigs) {
        listeners.start(listenerConfigs);
        refuseBusyMetricsPort();
    }

    private void startUpkeep(
            DataDirectories directories,
            MetadataRuntime metadata,
            Membership membership,
            BrokerConfig brokerConfig) {
        watchSight(metadata);
        Upkeep begun = new Upkeep(config.broker(), shards, directories, metadata, clock);
        upkeep = begun;
        begun.watch(directories, membership, config.broker());
        begun.follow(metadata, membership);
        begun.control(metadata.service(), brokerConfig::resolver);
        begun.vote(voting(), metadata, membership.newOutlook(), clock);
    }

    private void followConfig(
            BrokerConfig brokerConfig, NetworkServer network, LiveListeners listeners) {
        brokerConfig.onChange(values -> {
            listeners.follow(values.broker());
            network.limits(
                    NetworkConfig.limits(values, listeners.names(), openFiles.connections()));
            network.loops(NetworkConfig.loops(values.broker()));
        });
    }

    /// The last step: from here on clients are answered.
    private void serve(
            NetworkServer network, DataDirectories directories, BrokerServices services) {
        BrokerHealth health =
                new BrokerHealth(
                        shards,
                        directories.byId().values(),
                        System::nanoTime,
                        services.membership().heartbeats()::trouble);
        Figures.register(metrics, network, shards, directories.byId().values());
        ClusterFigures.register(metrics, services);
        startMetrics(health);
        int mostQueued = config.broker().value(NetworkKeys.QUEUED_MAX_REQUESTS);
        network.accept(Handlers.table(services), () -> services.shards().overloaded(mostQueued));
        health.serving();
    }

    List<BoundListener> listeners() {
        LiveListeners open = listeners;
        return open == null ? List.of() : open.bound();
    }

    /// As in [BrokerServer#ended].
    CompletableFuture<String> ended() {
        Membership present = membership;
        if (present == null) throw new IllegalStateException("the broker has not started");
        return present.displaced();
    }

    String clusterId() {
        return clusterId;
    }

    int nodeId() {
        return nodeId;
    }

    List<Path> dataDirectories() {
        DataDirectories open = directories;
        return open == null ? List.of() : open.paths();
    }

    // Starting.

    private Uuid freshId() {
        return Uuid.random(random);
    }

    private ExecutorService startBackground() {
        ExecutorService started =
                Executors.newFixedThreadPool(backgroundThreads(), Threads.named("background"));
        background = started;
        return started;
    }

    private static int backgroundThreads() {
        return Math.max(1, Runtime.getRuntime().availableProcessors() / 2);
    }

    private int chooseNodeId(DataDirectories directories) {
        ConfigValues values = config.broker();
        int older = values.value(ServerKeys.BROKER_ID);
        int configured = values.optional(ServerKeys.NODE_ID).orElse(older);
        int stored = directories.storedNodeId().orElse(-1);
        if (configured >= 0 && stored >= 0 && configured != stored) {
            throw new StartRefusedException(
                    "the data directory %s belongs to node %d, but node.id is %d. Give the id of the directory, or another directory."
                            .formatted(directories.ofMetadata(), stored, configured));
        }
        return configured >= 0 ? configured : stored >= 0 ? stored : DEFAULT_NODE_ID;
    }

    private Optional<List<HostPort>> whomToJoin(DataDirectories directories) {
        Optional<List<HostPort>> found = ClusterJoin.of(config.broker(), directories, disk);
        directories.refuseOrphans(disk, found.isPresent());
        return found;
    }

    private MetadataRuntime startMetadata(DataDirectories directories, NetworkServer network) {
        Uuid newClusterId = directories.storedClusterId().map(Uuid::parse).orElseGet(this::freshId);
        MetadataRuntime started =
                new MetadataRuntime(
                        runtime -> engine(directories, network, runtime),
                        new ControllerSettings(
                                config.layers().fromFile(),
                                Machine.of(
                                        config.surroundings().processors(),
                                        Runtime.getRuntime().maxMemory()),
                                newClusterId,
                                this::freshId,
                                MAX_QUEUED_COMMANDS),
                        nodeId,
                        this::later,
                        clock);
        metadata = started;
        started.start();
        if (join.isPresent()) {
            LOG.info(
                    "Node {} {} the cluster of {}.",
                    nodeId,
                    directories.storedClusterId().isPresent() ? "comes back to" : "joins",
                    ClusterJoin.shown(join.get()));
            awaitCluster(directories, started, ClusterJoin.shown(join.get()));
        }
        boolean begins = join.isEmpty() && directories.storedClusterId().isEmpty();
        clusterId = joinCluster(directories, started);
        if (begins) LOG.info("Node {} begins a cluster of its own, {}.", nodeId, clusterId);
        return started;
    }

    private void awaitCluster(DataDirectories directories, MetadataRuntime started, String others) {
        boolean wasPart = directories.storedClusterId().isPresent();
        try {
            started.awaitCaughtUp(
                    others,
                    wasPart
                            ? OptionalLong.empty()
                            : OptionalLong.of(
                                    config.broker()
                                            .value(
                                                    ServerKeys
                                                            .INITIAL_BROKER_REGISTRATION_TIMEOUT_MS)));
        } catch (StartRefusedException e) {
            if (!wasPart) ClusterJoin.forget(directories, disk);
            throw e;
        }
    }

    private MetadataEngine engine(
            DataDirectories directories, NetworkServer network, MetadataRuntime runtime) {
        MetadataStore store = metadataStore(directories, runtime.thread());
        NodeQuorum made =
                new NodeQuorum(
                        new NodeQuorum.Parts(
                                nodeId,
                                join.isPresent(),
                                directories.ofMetadata().path(),
                                store,
                                () -> observer(directories, network, runtime, store),
                                directories.storedClusterId().map(Uuid::parse),
                                () -> runtime.service().image(),
                                runtime.thread(),
                                directories.laneOfMetadata(),
                                clock,
                                config.broker()));
        quorum = made;
        return made.asEngine();
    }

    private ObserverMetadataLog observer(
            DataDirectories directories,
            NetworkServer network,
            MetadataRuntime runtime,
            MetadataStore store) {
        return new ObserverMetadataLog(
                store,
                new PeerMetadataSource(
                        peers(network)::connect,
                        nodeId,
                        runtime.thread(),
                        () -> others(runtime),
                        () -> directories.storedClusterId().or(() -> clusterIdIn(runtime))),
                runtime::after,
                nodeId,
                config.broker().value(QuorumKeys.CONTROLLER_QUORUM_FETCH_MAX_BYTES));
    }

    /// As far as the metadata that is here says it.
    private static Optional<String> clusterIdIn(MetadataRuntime runtime) {
        return runtime.service().image().clusterId().map(Uuid::toString);
    }

    private List<HostPort> others(MetadataRuntime runtime) {
        return ClusterJoin.known(join.orElse(List.of()), runtime.service().image(), nodeId);
    }

    /// Whether the active controller may be another node.
    private boolean followsOthers() {
        return join.isPresent() || voting().wasVoter();
    }

    private NodeQuorum voting() {
        NodeQuorum present = quorum;
        if (present == null) {
            throw new IllegalStateException("the metadata is not there yet");
        }
        return present;
    }

    private MetadataStore metadataStore(DataDirectories directories, Executor thread) {
        return new MetadataStore(
                disk,
                directories.ofMetadata(),
                thread,
                directories.laneOfMetadata(),
                clock,
                MetadataLogConfig.options(config.broker()));
    }

    /// The directories must be of the cluster whose metadata is here.
    private static String joinCluster(DataDirectories directories, MetadataRuntime metadata) {
        String id =
                metadata.clusterId()
                        .map(Uuid::toString)
                        .orElseThrow(() ->
                                new StartRefusedException(
                                        "the cluster's metadata has no cluster id"));
        String stored = directories.storedClusterId().orElse(id);
        if (!stored.equals(id)) {
            throw new StartRefusedException(
                    "the data directory %s belongs to cluster %s, but the metadata is that of cluster %s. Use the directories of one cluster."
                            .formatted(directories.ofMetadata(), stored, id));
        }
        return id;
    }

    private Shards createShards(
            NetworkServer network, DataDirectories directories, BrokerConfig brokerConfig) {
        List<Shard> all = new ArrayList<>();
        int count = config.broker().value(ServerKeys.NUM_SHARDS);
        if (count == 1 && network.loopCount() == 1) {
            all.add(new Shard(0, System::nanoTime, network.host(0), bug -> halt(0, bug)));
        } else {
            for (int i = 0; i < count; i++) {
                all.add(shardWithThread(i));
            }
        }
        Shards owners = new Shards(all);
        ReadMemory memory =
                new ReadMemory(
                        allocator, PlatformDependent.maxDirectMemory() / READ_MEMORY_FRACTION);
        PartitionManager.Surroundings surroundings =
                new PartitionManager.Surroundings(
                        nodeId, owners, directories.byId(), brokerConfig, clock, metrics);
        for (Shard shard : all) {
            shards.add(
                    ShardRuntime.create(
                            shard,
                            disk,
                            openFiles.filesOfAShard(),
                            memory,
                            coldReads,
                            surroundings));
            shard.start();
        }
        return owners;
    }

    private Shard shardWithThread(int index) {
        return new Shard(
                index, System::nanoTime, Threads.named("shard-" + index), bug -> halt(index, bug));
    }

    /// A bug in what the partitions of a shard share: nothing that this process would still write
    /// or answer can be trusted, so it ends as if the power had gone, which is what logs are made
    /// for. A failure inside one partition, coordinator or request does not come here.
    private void halt(int shard, Throwable bug) {
        if (closed) {
            LOG.error("Shard {} failed while the broker stops: this is no clean stop.", shard, bug);
            return;
        }
        try {
            LOG.error(
                    "Shard {} failed outside of any partition: the broker stops at once, so that it writes nothing wrong. Start it again.",
                    shard,
                    bug);
        } finally {
            Runtime.getRuntime().halt(EXIT_BROKEN);
        }
    }

    private NetworkServer createNetwork() {
        ConfigValues values = config.broker();
        return new NetworkServer(
                NetworkConfig.settings(values, PlatformDependent.maxDirectMemory()),
                ConnectionLimits.NONE,
                new NetworkServer.Surroundings(
                        Threads.named("network"), allocator, System::nanoTime, metrics));
    }

    /// Returns the broker epoch. Before the directories are marked as this node's, it may still
    /// turn out that they are not.
    private long register(
            DataDirectories directories,
            MetadataRuntime metadata,
            Membership membership,
            LiveListeners listeners) {
        List<BrokerEndpoint> endpoints = new ArrayList<>();
        for (BoundListener listener : listeners.bound()) {
            String host =
                    join.map(PeerHost::towards)
                            .orElseGet(() ->
                                    PeerHost.asBefore(
                                            metadata.service().image().broker(nodeId),
                                            listener.name()));
            HostPort endpoint = listeners.addresses().forPeers(listener.name(), host);
            endpoints.add(
                    new BrokerEndpoint(
                            listener.name(), endpoint.host(), endpoint.port(), (short) 0));
        }
        List<Uuid> allDirectories = List.copyOf(directories.byId().keySet());
        // A controller alone is known, so that others find it, but it is never let in.
        boolean holdsPartitions = ServerKeys.isBroker(config.broker());
        RegisterBroker registration =
                new RegisterBroker(
                        nodeId,
                        freshId(),
                        endpoints,
                        voting().role() == Role.OBSERVER
                                ? Features.supported()
                                : Features.ofCandidate(),
                        config.broker().optional(ServerKeys.BROKER_RACK),
                        allDirectories,
                        holdsPartitions ? List.of() : allDirectories,
                        directories.wereClean(),
                        !followsOthers() && holdsPartitions);
        boolean wasPart = directories.storedClusterId().isPresent();
        long brokerEpoch = membership.register(registration, clusterId, wasPart);
        voting().begin(metadata.service(), membership.link(), clusterId, System::nanoTime);
        if (followsOthers()) {
            // A voter that was taken out hears nothing, not even of that: it has to ask.
            metadata.awaitImage(brokerEpoch, wasPart, voting()::check);
        }
        directories.claim(clusterId, nodeId);
        return brokerEpoch;
    }

    private Membership createMembership(
            MetadataRuntime metadata, NetworkServer network, LiveListeners listeners) {
        String listener =
                config.broker()
                        .optional(NetworkKeys.INTER_BROKER_LISTENER_NAME)
                        .orElseGet(() -> listeners.names().getFirst());
        return new Membership(
                new Membership.Surroundings(
                        nodeId,
                        metadata.service(),
                        metadata.thread(),
                        metadata.server()::state,
                        () -> others(metadata),
                        (address, clientId) -> peers(network).connect(address, clientId),
                        (address, clientId) ->
                                peers(network).connect(address, clientId, clusterIdIn(metadata)),
                        this::later,
                        new PeerAddresses(listener),
                        clock,
                        config.broker()));
    }

    /// Any thread.
    private void later(long delayMs, Runnable task) {
        try {
            var _ = timer.schedule(task, delayMs, TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            LOG.debug("The broker stops: a task that was to run later is left out.", e);
        }
    }

    /// Before the shards begin: the coordinators hear of every leadership.
    private GroupCoordinators groupCoordinators(
            Shards owners, BrokerConfig brokerConfig, ImageRelay relay) {
        ExecutorService pool =
                Executors.newFixedThreadPool(
                        config.broker().value(GroupKeys.GROUP_COORDINATOR_BACKGROUND_THREADS),
                        Threads.named("groups"));
        groupBackground = pool;
        return new GroupRouter(
                relay::image,
                owners,
                shards.stream().map(ShardRuntime::partitions).toList(),
                new GroupCoordinatorParts(
                        brokerConfig::resolver,
                        clock,
                        () -> UUID.randomUUID().toString(),
                        pool,
                        brokerConfig.broker().value(LogKeys.MAX_DECOMPRESSED_MESSAGE_BYTES)),
                () -> brokerConfig.broker().value(GroupKeys.OFFSETS_TOPIC_NUM_PARTITIONS));
    }

    private void startShards(Shards owners, List<PartitionKey> stored, ClusterImage image) {
        for (ShardRuntime runtime : shards) {
            List<PartitionKey> own =
                    stored.stream()
                            .filter(key ->
                                    owners.of(key.topicId(), key.partition()) == runtime.shard())
                            .toList();
            runtime.shard().execute(() -> runtime.partitions().start(image, own));
        }
    }

    private void replicate(
            NetworkServer network,
            Membership membership,
            BrokerIncarnation incarnation,
            ImageRelay images) {
        Replication.begin(
                shards,
                new Replication.Parts(
                        nodeId,
                        incarnation::epoch,
                        () -> peers(network),
                        id -> membership.addresses().find(id, images.image()),
                        changes -> membership.link().alterPartitions(incarnation, changes),
                        requests -> membership.link().assignDirectories(incarnation, requests),
                        config.broker()));
    }

    /// Any thread.
    private synchronized Peers peers(NetworkServer network) {
        Peers present = peers;
        if (present == null) {
            present = new Peers(network.dialer(), coldReads);
            peers = present;
        }
        return present;
    }

    private void startMetrics(BrokerHealth health) {
        int port = config.broker().value(MetricsKeys.METRICS_PORT);
        if (port < 0) {
            return;
        }
        ExecutorService thread = Executors.newSingleThreadExecutor(Threads.named("metrics"));
        metricsThread = thread;
        try {
            metricsServer = MetricsServer.start(metricsAddress(port), metrics, health, thread);
        } catch (IOException e) {
            if (config.broker().isSet(MetricsKeys.METRICS_PORT)) throw noMetrics(e);
            try {
                MetricsServer other =
                        MetricsServer.start(metricsAddress(0), metrics, health, thread);
                metricsServer = other;
                LOG.info(
                        "The metrics page is on port {}, for {} is taken. metrics.port gives it one of its own.",
                        other.port(),
                        port);
            } catch (IOException none) {
                LOG.warn("There are no metrics: {}", noMetrics(none).getMessage());
            }
        }
    }

    private InetSocketAddress metricsAddress(int port) {
        return new InetSocketAddress(config.broker().value(MetricsKeys.METRICS_ADDRESS), port);
    }

    private StartRefusedException noMetrics(IOException e) {
        return new StartRefusedException(
                "the metrics page cannot listen on %s:%d (%s). Set metrics.port to a free one, to 0 for any, or to -1 for none."
                        .formatted(
                                config.broker().value(MetricsKeys.METRICS_ADDRESS),
                                config.broker().value(MetricsKeys.METRICS_PORT),
                                e.getMessage()),
                e);
    }

    /// Before anything is written; the page is served last.
    private void refuseBusyMetricsPort() {
        int port = config.broker().value(MetricsKeys.METRICS_PORT);
        if (port <= 0 || !config.broker().isSet(MetricsKeys.METRICS_PORT)) return;
        try (ServerSocket probe = new ServerSocket()) {
            probe.bind(metricsAddress(port));
        } catch (IOException e) {
            throw noMetrics(e);
        }
    }

    /// The port of the metrics page, -1 when there is none.
    int metricsPort() {
        return metricsServer == null ? -1 : metricsServer.port();
    }

    // Stopping.

    /// Ends what was started, in order where there was no failure. Does nothing the second time.
    void close() {
        if (closed) {
            return;
        }
        closed = true;
        if (membership != null) {
            membership.leave();
        }
        if (network != null) {
            network.stopReading();
            if (metadata != null) {
                metadata.server().stopWaiting();
            }
            for (ShardRuntime runtime : shards) {
                runtime.shard().execute(runtime.fetches()::endWaiting);
            }
            network.closeConnections();
        }
        if (metricsServer != null) {
            metricsServer.close();
        }
        if (metricsThread != null) {
            metricsThread.shutdownNow();
        }
        if (upkeep != null) {
            upkeep.close();
        }
        if (background != null) {
            background.shutdown(); // it reads what moves to other directories: no interrupts
        }
        if (groupBackground != null) {
            groupBackground.shutdown(); // it reads files, so it must not be interrupted
        }
        boolean inOrder = closeLogs();
        if (metadata != null) {
            metadata.close();
        }
        closePeers();
        if (network != null) {
            network.close();
        }
        coldReads.shutdown();
        if (checks != null) {
            checks.close();
        }
        timer.shutdownNow();
        if (directories != null) {
            directories.close(inOrder);
        }
    }

    private synchronized void closePeers() {
        if (peers != null) {
            peers.close();
        }
    }

    private boolean closeLogs() {
        CountDownLatch logsClosed = new CountDownLatch(shards.size());
        for (ShardRuntime runtime : shards) {
            runtime.shard().execute(() -> runtime.partitions().close(logsClosed::countDown));
        }
        try {
            boolean inOrder = logsClosed.await(STOP_SECONDS, TimeUnit.SECONDS);
            if (!inOrder) {
                LOG.error(
                        "Some logs could not be closed within {} s; the next start will check them.",
                        STOP_SECONDS);
            }
            for (ShardRuntime runtime : shards) {
                runtime.shard().stop();
                inOrder &= runtime.shard().awaitStop(TimeUnit.SECONDS.toMillis(STOP_SECONDS));
            }
            return inOrder;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
