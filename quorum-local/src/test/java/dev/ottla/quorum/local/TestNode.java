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
public final class TestNode {
    public static final Path PATH = Path.of("/data");
    public static final Path LOG_PATH = PATH.resolve("__cluster_metadata-0");
    public static final Uuid DIRECTORY_ID = new Uuid(7, 7);

    public final Deque<Runnable> tasks = new ArrayDeque<>();
    public final Deque<Runnable> laneTasks = new ArrayDeque<>();
    public final DataDirectory directory;
    public final MetadataStore store;
    public final LocalMetadataLog log;
    public final MetadataService service;
    private final RandomGenerator random;
    public long nowMs = 1_700_000_000_000L;

    public TestNode(Disk disk, RandomGenerator random, MetadataStoreOptions options)
            throws IOException {
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
    public static TestNode started(Disk disk, RandomGenerator random, MetadataStoreOptions options)
            throws IOException {
        TestNode node = new TestNode(disk, random, options);
        node.service.start();
        node.registered();
        return node;
    }

    public CompletableFuture<RegisteredBroker> register() {
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
    public RegisteredBroker registered() {
        CompletableFuture<RegisteredBroker> reply = register();
        settle();
        return reply.resultNow();
    }

    /// Creates a topic and waits until that is committed.
    public CreatedTopic created(CreateTopic topic) {
        CompletableFuture<List<CreatedTopic>> reply = create(topic);
        settle();
        return reply.resultNow().getFirst();
    }

    public CompletableFuture<List<CreatedTopic>> create(CreateTopic... topics) {
        return service.submit(controller -> controller.createTopics(List.of(topics), false));
    }

    public ClusterImage image() {
        return service.image();
    }

    /// Runs tasks until nothing is left to do.
    public void settle() {
        while (step(tasks) || step(laneTasks)) {
            // Until all is quiet.
        }
    }

    public void stepAtRandom() {
        step(random.nextBoolean() ? tasks : laneTasks);
    }

    private static boolean step(Deque<Runnable> queue) {
        Runnable task = queue.poll();
        if (task != null) task.run();
        return task != null;
    }

    /// Stops in order.
    public void close() throws IOException {
        service.close();
        settle();
        directory.close(true);
    }
}
