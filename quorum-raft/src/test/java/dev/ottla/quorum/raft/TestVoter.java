package dev.ottla.quorum.raft;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ottla.log.DataDirectory;
import dev.ottla.metadata.MetadataRecord;
import dev.ottla.metadata.QuorumState;
import dev.ottla.metadata.QuorumVoter;
import dev.ottla.metadata.controller.CreateTopic;
import dev.ottla.metadata.controller.CreatedTopic;
import dev.ottla.metadata.image.ClusterImage;
import dev.ottla.metadata.service.MetadataService;
import dev.ottla.quorum.store.MetadataStore;
import dev.ottla.quorum.store.MetadataStoreOptions;
import dev.ottla.wire.Uuid;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/// One voter with its controller, on threads and files of its own, over the loopback interface.
final class TestVoter implements AutoCloseable {
    static final Uuid CLUSTER = new Uuid(77, 77);
    static final RaftOptions OPTIONS =
            new RaftOptions(300, 64 << 10, 1 << 20, 1000, 500, "127.0.0.1");

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    final QuorumVoter voter;
    final RaftMetadataLog log;
    final MetadataService service;
    final CountDownLatch begun = new CountDownLatch(1);
    final SlowDisk disk = new SlowDisk();
    private final DataDirectory directory;
    private final ExecutorService thread = LocalStart.metadataThread();
    private final ExecutorService lane = Executors.newSingleThreadExecutor();

    private TestVoter(Path path, QuorumVoter voter, boolean founder, RaftOptions options)
            throws IOException {
        this.voter = voter;
        Seat seat = new Seat(CLUSTER, voter, path.resolve("quorum"));
        boolean first = founder && !seat.isTaken();
        Base base = first ? LocalStart.run(disk, path, voter) : new Base(0, 0);
        directory = LocalStart.open(disk, path, voter, lane);
        InstantSource clock = InstantSource.system();
        MetadataStore store =
                new MetadataStore(
                        disk, directory, thread, lane, clock, MetadataStoreOptions.DEFAULTS);
        Beginning beginning =
                first
                        ? new Beginning.Founder(base, begun::countDown)
                        : seat.isTaken() ? new Beginning.Returning() : new Beginning.Joiner();
        log =
                new RaftMetadataLog(
                        store, seat, beginning, thread, lane, clock, options, new Alone());
        log.beforeSync(disk::awaitSync);
        service = new MetadataService(log, thread, LocalStart.controllerOf(voter));
    }

    private static final class Alone implements RaftMetadataLog.Owner {
        @Override
        public void onTakenOut() {}

        @Override
        public void onNoRoom(long term) {}
    }

    static TestVoter start(Path path, QuorumVoter voter, boolean founder, RaftOptions options) {
        try {
            Files.createDirectories(path);
            TestVoter made = new TestVoter(path, voter, founder, options);
            made.run(made.service::start);
            return made;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Runs on the metadata thread and waits for it.
    void run(Runnable task) {
        CompletableFuture.runAsync(task, thread).orTimeout(60, TimeUnit.SECONDS).join();
    }

    /// Lets the metadata thread do nothing until the latch is down.
    void hold(CountDownLatch until) {
        thread.execute(() -> {
            try {
                until.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    void sweep() {
        run(log::sweep);
    }

    boolean leads() {
        return CompletableFuture.supplyAsync(service::isLeader, thread).join();
    }

    /// Whether the others let it lead now.
    boolean leadsForCertain() {
        return CompletableFuture.completedFuture(true)
                .thenComposeAsync(_ -> service.confirmLead(), thread)
                .orTimeout(60, TimeUnit.SECONDS)
                .join();
    }

    QuorumState quorum() {
        return service.quorumState().join();
    }

    ClusterImage image() {
        return service.image();
    }

    CompletableFuture<List<CreatedTopic>> create(String name) {
        return service.submit(controller ->
                controller.createTopics(List.of(CreateTopic.named(name).withPartitions(1)), false));
    }

    List<MetadataRecord> records() {
        List<MetadataRecord> all = new ArrayList<>();
        image().records().forEach(all::add);
        return all;
    }

    static void await(String what, BooleanSupplier condition) {
        long deadlineNs = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as(what).isLessThan(deadlineNs);
            try {
                Thread.sleep(5);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    @Override
    public void close() {
        CompletableFuture<Void> closed = new CompletableFuture<>();
        run(() -> log.close(() -> closed.complete(null)));
        closed.orTimeout(30, TimeUnit.SECONDS).join();
        run(service::close);
        thread.shutdown();
        try {
            directory.close(true);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        lane.shutdown();
    }
}
