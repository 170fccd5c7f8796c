package dev.ottla.quorum.observer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ottla.log.disk.FakeDisk;
import dev.ottla.log.disk.PowerLoss;
import dev.ottla.metadata.MetadataBatch;
import dev.ottla.metadata.controller.CreateTopic;
import dev.ottla.metadata.image.TopicState;
import dev.ottla.quorum.feed.MetadataFeed;
import dev.ottla.quorum.local.TestNode;
import dev.ottla.quorum.store.MetadataStoreOptions;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;

/// A controller and an observer, each of which loses its power from time to time while topics come
/// and go; small segments, batches and snapshots, so that all of them are met.
final class ObserverCrashRun {
    private static final MetadataStoreOptions OPTIONS =
            MetadataStoreOptions.DEFAULTS
                    .withSizes(1500, 6000, 4000)
                    .withRetention(15_000, 1 << 30);
    private static final int STEPS = 1500;

    private final FakeDisk controllerDisk = new FakeDisk();
    private final FakeDisk observerDisk = new FakeDisk();
    private final Random random;

    /// What the controllers committed, by base offset.
    private final TreeMap<Long, MetadataBatch> history = new TreeMap<>();

    private Optional<TestNode> controller = Optional.empty();
    private Optional<MetadataFeed> feed = Optional.empty();
    private Optional<TestObserver> observer = Optional.empty();
    private int checkedBatches;
    private int nextName;

    ObserverCrashRun(long seed) {
        random = new Random(seed);
    }

    void run(int crashes) throws IOException {
        for (int i = 0; i < crashes; i++) {
            FakeDisk victim = random.nextInt(4) == 0 ? controllerDisk : observerDisk;
            try {
                victim.crashAfter(1 + random.nextInt(random.nextBoolean() ? 60 : 400));
                live();
                if (random.nextBoolean() && observer.isPresent()) closeObserver();
            } catch (PowerLoss _) {
                // As planned.
            }
            victim.crash(random);
            if (victim == controllerDisk) {
                controller = Optional.empty();
                feed = Optional.empty();
            }
            observer = Optional.empty();
            if (victim != observerDisk) observerDisk.crash(random);
        }
        startWhatIsMissing();
        finish();
    }

    private void closeObserver() throws IOException {
        observer.orElseThrow().close();
        observer = Optional.empty();
    }

    private void live() throws IOException {
        startWhatIsMissing();
        for (int i = 0; i < STEPS; i++) {
            TestNode leader = controller.orElseThrow();
            if (random.nextInt(8) == 0) command(leader);
            leader.stepAtRandom();
            observer.orElseThrow().stepAtRandom(random);
            check();
        }
    }

    private void startWhatIsMissing() throws IOException {
        if (controller.isEmpty()) {
            TestNode node = new TestNode(controllerDisk, random, OPTIONS);
            node.service.addListener((_, _) -> {});
            feed =
                    Optional.of(
                            new MetadataFeed(
                                    1,
                                    node.log,
                                    node.store,
                                    (delayMs, task) -> {},
                                    () -> Instant.ofEpochMilli(node.nowMs)));
            node.service.start();
            controller = Optional.of(node);
            node.registered();
        }
        if (observer.isEmpty()) {
            FeedSource source = new FeedSource(() -> feed, () -> controller.orElseThrow().tasks);
            TestObserver made = new TestObserver(observerDisk, source, OPTIONS);
            source.answerTasks = () -> made.tasks;
            observer = Optional.of(made);
            checkedBatches = 0;
            made.service.start();
            check();
        }
    }

    private void command(TestNode leader) {
        List<TopicState> topics = new ArrayList<>(leader.image().topics());
        if (topics.size() < 3 || random.nextInt(3) > 0) {
            int partitions = random.nextInt(10) == 0 ? 60 : 1 + random.nextInt(4);
            var _ = leader.create(CreateTopic.named("t" + nextName++).withPartitions(partitions));
        } else {
            String name = topics.get(random.nextInt(topics.size())).name();
            var _ = leader.service.submit(c -> c.deleteTopics(List.of(name), List.of()));
        }
    }

    /// Everything that was reported since the last look follows on what came before, and is what
    /// others were told at the same offset.
    private void check() {
        TestObserver node = observer.orElseThrow();
        if (checkedBatches > node.batches.size()) checkedBatches = 0; // a snapshot came
        for (; checkedBatches < node.batches.size(); checkedBatches++) {
            MetadataBatch batch = node.batches.get(checkedBatches);
            MetadataBatch known = history.putIfAbsent(batch.baseOffset(), batch);
            assertThat(known == null || known.equals(batch))
                    .as("the batch at offset %d", batch.baseOffset())
                    .isTrue();
            if (checkedBatches > 0) {
                MetadataBatch before = node.batches.get(checkedBatches - 1);
                assertThat(batch.baseOffset()).isGreaterThan(before.lastOffset());
            }
        }
    }

    private void finish() {
        TestNode leader = controller.orElseThrow();
        TestObserver node = observer.orElseThrow();
        boolean busy = true;
        while (busy) {
            leader.settle();
            busy = node.step();
            if (!busy && node.end() < leader.image().version().offset() + 1) busy = node.wakeUp();
        }
        check();
        assertThat(node.image().version()).isEqualTo(leader.image().version());
        assertThat(node.image().sameContent(leader.image())).isTrue();
    }
}
