package dev.ottla.quorum.local;

import dev.ottla.log.DataDirectory;
import dev.ottla.log.disk.Disk;
import dev.ottla.metadata.BrokerEndpoint;
import dev.ottla.metadata.Features;
import dev.ottla.metadata.controller.CreateTopic;
import dev.ottla.metadata.controller.CreatedTopic;
import dev.ottla.metadata.controller.Machine;
import dev.ottla.metadata.controller.RegisterBroker;
import dev.ottla.metadata.controller.RegisteredBroker;
import dev.ottla.metadata.image.ClusterImage;
import dev.ottla.metadata.service.ControllerSettings;
import dev.ottla.metadata.service.MetadataService;
import dev.ottla.quorum.store.MetadataStore;
import dev.ottla.quorum.store.MetadataStoreOptions;
import dev.ottla.wire.Uuid;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;

/// One node with its local metadata log, whose tasks run when a test says so, on the test's thread.
final class TestNode {
    static final Path PATH = Path.of("/data");
    static final Path LOG_PATH = PATH.resolve("__cluster_metadata-0");
    static final Uuid DIRECTORY_ID = new Uuid(7, 7);

    final Deque<Runnable> tasks = new ArrayDeque<>();
    final Deque<Runnable> laneTasks = new ArrayDeque<>();
    final DataDirectory directory;
    final MetadataStore store;
    final LocalMetadataLog log;
    final MetadataService service;
    private final RandomGenerator random;
    long nowMs = 1_700_000_000_000L;

    TestNode(Disk disk, RandomGenerator random, MetadataStoreOptions options) throws IOException {
        this.random = random;
        this.directory =
                DataDirectory.open(
                        disk,
                        PATH,
                        new DataDirectory.Options(2, 0, 0, 0, DIRECTORY_ID),
                        laneTasks::add,
                        laneTasks::add);
        InstantSource clock = () -> Instant.ofEpochMilli(nowMs++);
        this.store = new MetadataStore(disk, directory, tasks::add, laneTasks::add, clock, options);
        this.log = new LocalMetadataLog(store, 1, clock, options.maxBatchBytes());
        this.service =
                new MetadataService(
                        log,
                        tasks::add,
                        new ControllerSettings(
                                Map.of(),
                                new Machine(4, 1_000_000),
                                Uuid.random(random),
                                () -> Uuid.random(random),
                                1000));
    }

    /// Starts, registers broker 1 and waits until that is committed.
    static TestNode started(Disk disk, RandomGenerator random, MetadataStoreOptions options)
            throws IOException {
        TestNode node = new TestNode(disk, random, options);
        node.service.start();
        node.registered();
        return node;
    }

    CompletableFuture<RegisteredBroker> register() {
        RegisterBroker registration =
                new RegisterBroker(
                        1,
                        Uuid.random(random),
                        List.of(new BrokerEndpoint("PLAINTEXT", "localhost", 9092, (short) 0)),
                        Features.supported(),
                        Optional.empty(),
                        List.of(directory.id()),
                        List.of(),
                        true,
                        true);
        return service.submit(controller -> controller.registerBroker(registration));
    }

    /// Registers a new incarnation of broker 1 and waits until that is committed.
    RegisteredBroker registered() {
        CompletableFuture<RegisteredBroker> reply = register();
        settle();
        return reply.resultNow();
    }

    /// Creates a topic and waits until that is committed.
    CreatedTopic created(CreateTopic topic) {
        CompletableFuture<List<CreatedTopic>> reply = create(topic);
        settle();
        return reply.resultNow().getFirst();
    }

    CompletableFuture<List<CreatedTopic>> create(CreateTopic... topics) {
        return service.submit(controller -> controller.createTopics(List.of(topics), false));
    }

    ClusterImage image() {
        return service.image();
    }

    /// Runs tasks until nothing is left to do.
    void settle() {
        while (step(tasks) || step(laneTasks)) {
            // Until all is quiet.
        }
    }

    void stepAtRandom() {
        step(random.nextBoolean() ? tasks : laneTasks);
    }

    private static boolean step(Deque<Runnable> queue) {
        Runnable task = queue.poll();
        if (task != null) task.run();
        return task != null;
    }

    /// Stops in order.
    void close() throws IOException {
        service.close();
        settle();
        directory.close(true);
    }
}
