package dev.ottla.quorum.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ottla.log.DataDirectory;
import dev.ottla.log.disk.FileDisk;
import dev.ottla.metadata.BrokerEndpoint;
import dev.ottla.metadata.Features;
import dev.ottla.metadata.QuorumVoter;
import dev.ottla.metadata.controller.CreateTopic;
import dev.ottla.metadata.controller.CreatedTopic;
import dev.ottla.metadata.controller.Machine;
import dev.ottla.metadata.controller.RegisterBroker;
import dev.ottla.metadata.image.ClusterImage;
import dev.ottla.metadata.service.ControllerSettings;
import dev.ottla.metadata.service.MetadataService;
import dev.ottla.quorum.feed.BatchAnswer;
import dev.ottla.quorum.feed.BatchQuestion;
import dev.ottla.quorum.feed.MetadataFeed;
import dev.ottla.quorum.feed.MetadataSource;
import dev.ottla.quorum.feed.SnapshotAnswer;
import dev.ottla.quorum.local.LocalMetadataLog;
import dev.ottla.quorum.observer.ObserverMetadataLog;
import dev.ottla.quorum.raft.Beginning;
import dev.ottla.quorum.raft.QuorumFiles;
import dev.ottla.quorum.raft.RaftMetadataLog;
import dev.ottla.quorum.raft.RaftOptions;
import dev.ottla.quorum.store.Engine;
import dev.ottla.quorum.store.MetadataStore;
import dev.ottla.quorum.store.MetadataStoreOptions;
import dev.ottla.wire.Uuid;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// A node with all engines, in this process. It asks the other nodes of the process for the log.
final class TestNode {
    static final Uuid CLUSTER = new Uuid(77, 77);

    private static final RaftOptions OPTIONS =
            new RaftOptions(300, 64 << 10, 1 << 20, 1000, 500, "127.0.0.1");

    final QuorumVoter self;
    final QuorumEngine engine;
    final MetadataService service;
    private final List<TestNode> others;
    private final Path path;
    private final DataDirectory directory;
    private final MetadataStore store;
    private final MetadataFeed feed;
    private final Optional<Cut> cut;
    private final InstantSource clock = InstantSource.system();
    private final ThreadPoolExecutor lane = (ThreadPoolExecutor) Executors.newFixedThreadPool(1);

    /// Its clock is the delay, its one thread the metadata thread.
    private final ScheduledThreadPoolExecutor thread = new ScheduledThreadPoolExecutor(1);

    private Optional<RaftMetadataLog> raft = Optional.empty();

    /// Where a hand-over is cut off.
    enum Cut {
        BEFORE_THE_ENGINE,
        BEFORE_THE_SNAPSHOT,
        BEFORE_THE_MARKER
    }

    private TestNode(
            Path path, QuorumVoter self, List<TestNode> others, boolean joins, Optional<Cut> cut)
            throws IOException {
        this.self = self;
        this.path = path;
        this.others = others;
        this.cut = cut;
        thread.setRejectedExecutionHandler(new ThreadPoolExecutor.DiscardPolicy());
        FileDisk disk = new FileDisk();
        directory =
                DataDirectory.open(
                        disk,
                        path,
                        new DataDirectory.Options(2, 0, 0, 0, self.directoryId()),
                        lane,
                        lane);
        store =
                new MetadataStore(
                        disk, directory, thread, lane, clock, MetadataStoreOptions.DEFAULTS);
        engine =
                new QuorumEngine(
                        store,
                        new AllEngines(),
                        new QuorumFiles(path, self.nodeId(), self.directoryId()),
                        new QuorumEngine.Place() {
                            @Override
                            public boolean joins() {
                                return joins;
                            }

                            @Override
                            public QuorumVoter self() {
                                return self;
                            }
                        });
        Random random = new Random(self.nodeId());
        service =
                new MetadataService(
                        engine,
                        thread,
                        new ControllerSettings(
                                Map.of(),
                                new Machine(4, 1_000_000),
                                CLUSTER,
                                () -> Uuid.random(random),
                                1000));
        feed = new MetadataFeed(self.nodeId(), engine, store, this::after, clock);
    }

    static TestNode start(
            Path path, QuorumVoter self, List<TestNode> others, boolean joins, Optional<Cut> cut)
            throws IOException {
        Files.createDirectories(path);
        TestNode node = new TestNode(path, self, others, joins, cut);
        node.run(node.service::start);
        return node;
    }

    private void after(long delayMs, Runnable task) {
        var _ = thread.schedule(task, delayMs, TimeUnit.MILLISECONDS);
    }

    private final class AllEngines implements Makers {
        @Override
        public LocalMetadataLog local() {
            return new LocalMetadataLog(store, self.nodeId(), clock, 64 << 10);
        }

        @Override
        public Engine observer() {
            return new ObserverMetadataLog(
                    store, new OtherNodes(), TestNode.this::after, self.nodeId(), 1 << 20);
        }

        @Override
        public Engine raft(QuorumVoter voter, Beginning beginning, RaftMetadataLog.Owner owner) {
            if (cut.equals(Optional.of(Cut.BEFORE_THE_ENGINE))) throw new CutOffException();
            Executor snapshots = cut.equals(Optional.of(Cut.BEFORE_THE_SNAPSHOT)) ? _ -> {} : lane;
            RaftMetadataLog made =
                    new RaftMetadataLog(
                            store,
                            new QuorumFiles(path, self.nodeId(), self.directoryId())
                                    .seat(CLUSTER, voter),
                            cutOff(beginning),
                            thread,
                            snapshots,
                            clock,
                            OPTIONS,
                            owner);
            raft = Optional.of(made);
            return made;
        }

        private Beginning cutOff(Beginning beginning) {
            return cut.equals(Optional.of(Cut.BEFORE_THE_MARKER))
                            && beginning instanceof Beginning.Founder founder
                    ? new Beginning.Founder(
                            founder.base(),
                            () -> {
                                throw new CutOffException();
                            })
                    : beginning;
        }
    }

    static final class CutOffException extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    private final class OtherNodes implements MetadataSource {
        private int turn;

        private TestNode next() {
            return others.get(Math.floorMod(turn++, others.size()));
        }

        @Override
        public void fetch(BatchQuestion question, Consumer<BatchAnswer> answer) {
            Optional<TestNode> leader = others.stream().filter(n -> n.service.isLeader()).findAny();
            TestNode asked = leader.orElseGet(this::next);
            asked.thread.execute(() ->
                    asked.feed.fetch(
                            question, found -> thread.execute(() -> answer.accept(found))));
        }

        @Override
        public void fetchSnapshot(SnapshotQuestion question, Consumer<SnapshotAnswer> answer) {
            TestNode asked = next();
            asked.thread.execute(() ->
                    asked.feed.fetchSnapshot(
                            question, found -> thread.execute(() -> answer.accept(found))));
        }
    }

    /// Runs on the metadata thread and waits for it.
    void run(Runnable task) {
        CompletableFuture.runAsync(task, thread).orTimeout(60, TimeUnit.SECONDS).join();
    }

    <T> T ask(Supplier<T> question) {
        return CompletableFuture.supplyAsync(question, thread)
                .orTimeout(60, TimeUnit.SECONDS)
                .join();
    }

    CompletableFuture<Void> becomeVoter() {
        return ask(engine::becomeVoter);
    }

    boolean isVoter() {
        return ask(engine::isVoter);
    }

    ClusterImage image() {
        return service.image();
    }

    void register() {
        RegisterBroker registration =
                new RegisterBroker(
                        self.nodeId(),
                        new Uuid(5, 5),
                        List.of(new BrokerEndpoint("PLAINTEXT", "localhost", 9092, (short) 0)),
                        Features.supported(),
                        Optional.empty(),
                        List.of(self.directoryId()),
                        List.of(),
                        true,
                        true);
        service.submit(controller -> controller.registerBroker(registration))
                .orTimeout(30, TimeUnit.SECONDS)
                .join();
    }

    void create(String name) {
        CreateTopic topic = CreateTopic.named(name).withPartitions(1);
        List<CreatedTopic> created =
                service.submit(controller -> controller.createTopics(List.of(topic), false))
                        .orTimeout(30, TimeUnit.SECONDS)
                        .join();
        assertThat(created.getFirst().error().isNone()).as(name).isTrue();
    }

    /// Whatever becomes of it.
    void submit(String name) {
        CreateTopic topic = CreateTopic.named(name).withPartitions(1);
        var _ = service.submit(controller -> controller.createTopics(List.of(topic), false));
    }

    static void await(String what, BooleanSupplier condition) {
        long deadlineNs = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as(what).isLessThan(deadlineNs);
            try {
                Thread.sleep(5);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    void close() {
        CompletableFuture<Void> closed = new CompletableFuture<>();
        run(() -> engine.close(() -> closed.complete(null)));
        closed.orTimeout(30, TimeUnit.SECONDS).join();
        run(service::close);
        thread.shutdownNow();
        try {
            directory.close(true);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        lane.shutdown();
    }

    /// Ends at once, leaving the files as they are.
    void kill() throws IOException {
        thread.shutdownNow();
        raft.ifPresent(RaftMetadataLog::detach);
        lane.shutdown();
        directory.close(false);
    }
}
