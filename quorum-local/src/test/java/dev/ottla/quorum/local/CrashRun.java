package dev.ottla.quorum.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ottla.log.disk.FakeDisk;
import dev.ottla.log.disk.PowerLoss;
import dev.ottla.metadata.ConfigResource;
import dev.ottla.metadata.controller.AlterConfigs;
import dev.ottla.metadata.controller.ApiError;
import dev.ottla.metadata.controller.ConfigOp;
import dev.ottla.metadata.controller.CreateTopic;
import dev.ottla.metadata.controller.RegisteredBroker;
import dev.ottla.metadata.image.ClusterImage;
import dev.ottla.metadata.image.PartitionState;
import dev.ottla.metadata.image.TopicState;
import dev.ottla.quorum.store.MetadataStoreOptions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/// Runs a node through one power loss after another while commands come in, and compares what it
/// finds at each start with what it had answered.
final class CrashRun {
    private static final MetadataStoreOptions OPTIONS =
            MetadataStoreOptions.DEFAULTS
                    .withSizes(1500, 6000, 4000)
                    .withRetention(15_000, 1 << 30);

    private final FakeDisk disk = new FakeDisk();
    private final Random random;
    private final Set<String> created = new HashSet<>();
    private final Set<String> deleted = new HashSet<>();
    private final Map<String, Integer> settings = new HashMap<>();

    /// Settings that were sent, answered or not: the last one that holds is one of them.
    private final Map<String, Set<Integer>> sent = new HashMap<>();

    private final Map<String, Integer> leaderEpochs = new HashMap<>();
    private long lastBrokerEpoch = -1;
    private int lastEpoch;
    private int nextName;
    private int nextValue;

    CrashRun(long seed) {
        this.random = new Random(seed);
    }

    /// @param crashes power losses to go through
    void run(int crashes) throws IOException {
        for (int i = 0; i < crashes; i++) {
            try {
                disk.crashAfter(1 + random.nextInt(random.nextBoolean() ? 60 : 600));
                TestNode node = new TestNode(disk, random, OPTIONS);
                node.service.start();
                check(node.image());
                live(node);
            } catch (PowerLoss _) {
                // As planned.
            }
            disk.crash(random);
        }
        TestNode node = new TestNode(disk, random, OPTIONS);
        node.service.start();
        check(node.image());
    }

    private void live(TestNode node) throws IOException {
        CompletableFuture<Void> registered = node.register().thenAccept(this::onRegistered);
        while (!registered.isDone()) node.stepAtRandom();
        assertThat(node.image().version().epoch()).as("a new epoch").isGreaterThan(lastEpoch);
        List<CompletableFuture<Void>> replies = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            if (random.nextInt(3) == 0) replies.add(command(node));
            for (int step = random.nextInt(6); step > 0; step--) node.stepAtRandom();
            node.image().topics().forEach(this::noteEpochs);
        }
        node.settle();
        assertThat(replies).allMatch(CompletableFuture::isDone);
        if (random.nextBoolean()) node.close();
    }

    private void onRegistered(RegisteredBroker reply) {
        assertThat(reply.error()).isEqualTo(ApiError.NONE);
        assertThat(reply.brokerEpoch()).isGreaterThan(lastBrokerEpoch);
        lastBrokerEpoch = reply.brokerEpoch();
    }

    private CompletableFuture<Void> command(TestNode node) {
        List<TopicState> topics = new ArrayList<>(node.image().topics());
        if (topics.isEmpty() || random.nextInt(3) == 0) return create(node);
        TopicState topic = topics.get(random.nextInt(topics.size()));
        return random.nextInt(3) == 0 ? delete(node, topic.name()) : set(node, topic.name());
    }

    private CompletableFuture<Void> create(TestNode node) {
        String name = "t" + nextName++;
        int partitions = random.nextInt(10) == 0 ? 60 : 1 + random.nextInt(4);
        return node.create(CreateTopic.named(name).withPartitions(partitions))
                .thenAccept(results -> {
                    if (results.getFirst().error().isNone()) created.add(name);
                })
                .exceptionally(_ -> null);
    }

    private CompletableFuture<Void> delete(TestNode node, String name) {
        created.remove(name); // until it is answered, either is right
        return node.service
                .submit(c -> c.deleteTopics(List.of(name), List.of()))
                .thenAccept(results -> {
                    if (results.getFirst().error().isNone()) deleted.add(name);
                })
                .exceptionally(_ -> null);
    }

    private CompletableFuture<Void> set(TestNode node, String name) {
        int value = nextValue++;
        sent.computeIfAbsent(name, _ -> new HashSet<>()).add(value);
        AlterConfigs change =
                new AlterConfigs(
                        ConfigResource.topic(name),
                        List.of(ConfigOp.set("retention.ms", Integer.toString(value))));
        return node.service
                .submit(c -> c.alterConfigs(List.of(change), false))
                .thenAccept(results -> {
                    if (results.getFirst().error().isNone()) settings.merge(name, value, Math::max);
                })
                .exceptionally(_ -> null);
    }

    private void noteEpochs(TopicState topic) {
        PartitionState first = topic.partitions().getFirst();
        leaderEpochs.merge(topic.name(), first.leaderEpoch(), Math::max);
    }

    private void check(ClusterImage image) {
        assertThat(image.version().epoch()).isGreaterThanOrEqualTo(lastEpoch);
        lastEpoch = image.version().epoch();
        for (String name : created) assertThat(image.topic(name)).as(name).isPresent();
        for (String name : deleted) assertThat(image.topic(name)).as(name).isEmpty();
        for (TopicState topic : image.topics()) check(image, topic);
    }

    private void check(ClusterImage image, TopicState topic) {
        String name = topic.name();
        assertThat(topic.partitions().getFirst().leaderEpoch())
                .isGreaterThanOrEqualTo(leaderEpochs.getOrDefault(name, 0));
        Optional<Integer> value =
                Optional.ofNullable(image.config(ConfigResource.topic(name)).get("retention.ms"))
                        .map(Integer::valueOf);
        int answered = settings.getOrDefault(name, -1);
        assertThat(value.orElse(-1)).isGreaterThanOrEqualTo(answered);
        if (value.isPresent()) {
            assertThat(sent.getOrDefault(name, Set.of())).contains(value.get());
        }
    }
}
