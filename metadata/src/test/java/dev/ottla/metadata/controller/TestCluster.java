package dev.ottla.metadata.controller;

import dev.ottla.metadata.BrokerEndpoint;
import dev.ottla.metadata.BrokerIds;
import dev.ottla.metadata.Features;
import dev.ottla.metadata.MetadataRecord;
import dev.ottla.metadata.image.ClusterImage;
import dev.ottla.metadata.image.PartitionState;
import dev.ottla.wire.Uuid;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.Function;

/// A controller without a log: every command's records are replayed at once.
final class TestCluster {
    final List<MetadataRecord> records = new ArrayList<>();
    private final Map<Integer, Long> epochs = new HashMap<>();
    private final Random random = new Random(7);
    private final Controller controller;

    TestCluster() {
        this(Map.of());
    }

    TestCluster(Map<String, String> fileSettings) {
        this(fileSettings, new Machine(4, 1_000_000));
    }

    TestCluster(Map<String, String> fileSettings, Machine machine) {
        this.controller =
                new Controller(
                        fileSettings, machine, () -> Uuid.random(random), ClusterImage.EMPTY, 0);
        replay(controller.bootstrap(new Uuid(3, 3)));
    }

    /// A cluster of active brokers 1 to `brokers`, each with one directory.
    static TestCluster of(int brokers) {
        TestCluster cluster = new TestCluster();
        for (int id = 1; id <= brokers; id++) cluster.start(id);
        return cluster;
    }

    static Uuid directory(int brokerId, int number) {
        return new Uuid(1000 + brokerId, number + 1);
    }

    RegisterBroker registration(int id, boolean active, Uuid... directories) {
        return new RegisterBroker(
                id,
                Uuid.random(random),
                List.of(new BrokerEndpoint("PLAINTEXT", "host" + id, 9092, (short) 0)),
                Features.supported(),
                Optional.empty(),
                directories.length == 0 ? List.of(directory(id, 0)) : List.of(directories),
                List.of(),
                true,
                active);
    }

    /// Registers a new incarnation, which is active at once.
    RegisteredBroker start(int id, Uuid... directories) {
        return register(registration(id, true, directories));
    }

    RegisteredBroker register(RegisterBroker registration) {
        RegisteredBroker reply = run(c -> c.registerBroker(registration));
        if (reply.error().isNone()) epochs.put(registration.brokerId(), reply.brokerEpoch());
        return reply;
    }

    ApiError fence(int id) {
        return run(c -> c.fenceBroker(id, epoch(id)));
    }

    ApiError unfence(int id) {
        return run(c -> c.unfenceBroker(id, epoch(id)));
    }

    long epoch(int id) {
        return epochs.getOrDefault(id, -1L);
    }

    CreatedTopic create(CreateTopic topic) {
        return run(c -> c.createTopics(List.of(topic), false)).getFirst();
    }

    /// A topic of one partition on these brokers.
    void createOn(String name, Integer... replicas) {
        create(CreateTopic.named(name).withAssignments(Map.of(0, List.of(replicas))));
    }

    /// The leader found these replicas in sync.
    void changeIsr(String topic, int number, Integer... isr) {
        replay(
                new PartitionUpdate(
                                topicId(topic),
                                number,
                                partition(topic, number),
                                new PartitionUpdate.ElectionRules(
                                        (_, _) -> true, (_, _) -> true, _ -> 1, true, false))
                        .isr(BrokerIds.copyOf(List.of(isr)))
                        .build()
                        .<List<MetadataRecord>>map(List::of)
                        .orElse(List.of()));
    }

    ConfigResult alter(AlterConfigs change) {
        return run(c -> c.alterConfigs(List.of(change), false)).getFirst();
    }

    <R> R run(Function<Controller, Outcome<R>> command) {
        Outcome<R> outcome = command.apply(controller);
        replay(outcome.records());
        return outcome.reply();
    }

    private void replay(List<MetadataRecord> added) {
        records.addAll(added);
        controller.replay(added, records.size());
    }

    ClusterImage image() {
        return controller.image();
    }

    PartitionState partition(String topic, int number) {
        return image().partition(topic, number).orElseThrow();
    }

    Uuid topicId(String name) {
        return image().topic(name).orElseThrow().id();
    }
}
