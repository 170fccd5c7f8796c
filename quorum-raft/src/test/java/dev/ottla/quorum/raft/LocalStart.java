package dev.ottla.quorum.raft;

import dev.ottla.log.DataDirectory;
import dev.ottla.log.disk.Disk;
import dev.ottla.metadata.BrokerEndpoint;
import dev.ottla.metadata.Features;
import dev.ottla.metadata.QuorumVoter;
import dev.ottla.metadata.controller.CreateTopic;
import dev.ottla.metadata.controller.Machine;
import dev.ottla.metadata.controller.RegisterBroker;
import dev.ottla.metadata.service.ControllerSettings;
import dev.ottla.metadata.service.MetadataService;
import dev.ottla.quorum.local.LocalMetadataLog;
import dev.ottla.quorum.store.MetadataStore;
import dev.ottla.quorum.store.MetadataStoreOptions;
import dev.ottla.wire.Uuid;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/// What stands before every quorum: a cluster of one node with the local engine.
final class LocalStart {
    private LocalStart() {}

    static DataDirectory open(Disk disk, Path path, QuorumVoter voter, Executor lane)
            throws IOException {
        DataDirectory.Options options = new DataDirectory.Options(2, 0, 0, 0, voter.directoryId());
        return DataDirectory.open(disk, path, options, lane, lane);
    }

    /// What comes after the end concerns nobody any more, as in the broker.
    static ExecutorService metadataThread() {
        return new ThreadPoolExecutor(
                1,
                1,
                0,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                new ThreadPoolExecutor.DiscardPolicy());
    }

    static ControllerSettings controllerOf(QuorumVoter voter) {
        Random random = new Random(voter.nodeId());
        return new ControllerSettings(
                Map.of(),
                new Machine(4, 1_000_000),
                TestVoter.CLUSTER,
                () -> Uuid.random(random),
                1000);
    }

    private static RegisterBroker registrationOf(QuorumVoter voter) {
        return new RegisterBroker(
                voter.nodeId(),
                new Uuid(5, 5),
                List.of(new BrokerEndpoint("PLAINTEXT", "localhost", 9092, (short) 0)),
                Features.supported(),
                Optional.empty(),
                List.of(voter.directoryId()),
                List.of(),
                true,
                true);
    }

    /// Makes a cluster with one topic; returns where its log ends.
    static Base run(Disk disk, Path path, QuorumVoter voter) throws IOException {
        try (ExecutorService thread = metadataThread();
                ExecutorService lane = Executors.newSingleThreadExecutor()) {
            DataDirectory directory = open(disk, path, voter, lane);
            InstantSource clock = InstantSource.system();
            MetadataStore store =
                    new MetadataStore(
                            disk, directory, thread, lane, clock, MetadataStoreOptions.DEFAULTS);
            LocalMetadataLog log = new LocalMetadataLog(store, voter.nodeId(), clock, 1 << 20);
            MetadataService service = new MetadataService(log, thread, controllerOf(voter));
            CompletableFuture.runAsync(service::start, thread).join();
            RegisterBroker registration = registrationOf(voter);
            service.submit(controller -> controller.registerBroker(registration)).join();
            CreateTopic topic = CreateTopic.named("local").withPartitions(1);
            service.submit(controller -> controller.createTopics(List.of(topic), false)).join();
            Base end =
                    CompletableFuture.supplyAsync(
                                    () -> new Base(store.endOffset(), store.latestEpoch()), thread)
                            .join();
            CompletableFuture<Void> closed = new CompletableFuture<>();
            thread.execute(() -> log.close(() -> closed.complete(null)));
            closed.orTimeout(30, TimeUnit.SECONDS).join();
            directory.close(true);
            return end;
        }
    }
}
