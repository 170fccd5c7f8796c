package dev.ottla.quorum.observer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ottla.log.SpaceMarks;
import dev.ottla.log.disk.FakeDisk;
import dev.ottla.metadata.QuorumState;
import dev.ottla.metadata.controller.CreateTopic;
import dev.ottla.quorum.feed.ActiveController;
import dev.ottla.quorum.feed.BatchAnswer;
import dev.ottla.quorum.feed.BatchQuestion;
import dev.ottla.quorum.feed.MetadataFeed;
import dev.ottla.quorum.feed.MetadataSource;
import dev.ottla.quorum.feed.SnapshotAnswer;
import dev.ottla.quorum.local.TestNode;
import dev.ottla.quorum.store.MetadataStoreOptions;
import dev.ottla.wire.Uuid;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Consumer;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@NullUnmarked // each test begins with the start of the controller
class ObserverMetadataLogTest {
    private static final MetadataStoreOptions SMALL =
            MetadataStoreOptions.DEFAULTS.withSizes(4096, 16_384, 10_000).withRetention(1, 1);

    private final FakeDisk controllerDisk = new FakeDisk();
    private final FakeDisk observerDisk = new FakeDisk();
    private final Random random = new Random(3);
    private final Deque<Runnable> feedDelays = new ArrayDeque<>();
    private TestNode controller;
    private MetadataFeed feed;

    private void start(MetadataStoreOptions options) throws IOException {
        follow(TestNode.started(controllerDisk, random, options));
    }

    private void follow(TestNode node) {
        controller = node;
        feed =
                new MetadataFeed(
                        1,
                        node.log,
                        node.store,
                        (delayMs, task) -> feedDelays.add(task),
                        () -> Instant.ofEpochMilli(node.nowMs));
    }

    private TestObserver observer(MetadataStoreOptions options) throws IOException {
        FeedSource source = new FeedSource(() -> Optional.of(feed), () -> controller.tasks);
        TestObserver made = new TestObserver(observerDisk, source, options);
        source.answerTasks = () -> made.tasks;
        made.service.start();
        return made;
    }

    private void settle(TestObserver observer) {
        do {
            controller.settle();
        } while (observer.step());
    }

    @Test
    void aNewObserverCopiesEverythingAndHearsOfWhatFollows() throws IOException {
        start(MetadataStoreOptions.DEFAULTS);
        controller.created(CreateTopic.named("before"));

        TestObserver observer = observer(MetadataStoreOptions.DEFAULTS);
        settle(observer);

        assertThat(observer.log.caughtUp()).isCompleted();
        assertThat(observer.image().sameContent(controller.image())).isTrue();
        controller.created(CreateTopic.named("after"));
        settle(observer);
        assertThat(observer.image().topic("after")).isPresent();
        assertThat(observer.image().version()).isEqualTo(controller.image().version());
        assertThat(observer.snapshotEnds).isEmpty();
    }

    @Test
    void theCopyIsTheSameBytes() throws IOException {
        start(MetadataStoreOptions.DEFAULTS);
        controller.created(CreateTopic.named("t").withPartitions(7));
        TestObserver observer = observer(MetadataStoreOptions.DEFAULTS);
        settle(observer);

        String first = "00000000000000000000.log";
        assertThat(observerDisk.sizeBytes(TestObserver.LOG_PATH.resolve(first)))
                .isEqualTo(controllerDisk.sizeBytes(TestNode.LOG_PATH.resolve(first)))
                .isPositive();
    }

    /// A deletion that makes room begins with a record.
    @Test
    void aDiskThatTakesNothingFromProducersTakesMetadata() throws IOException {
        start(MetadataStoreOptions.DEFAULTS);
        TestObserver observer = observer(MetadataStoreOptions.DEFAULTS);
        settle(observer);
        observerDisk.capacity(1_000_000);
        observer.directory.updateSpaceMarks(SpaceMarks.of(1_000_000, 1_000_000, 0));
        observer.directory.checkSpace();
        assertThat(observer.directory.fullReason()).isPresent();

        controller.created(CreateTopic.named("t"));
        settle(observer);

        assertThat(observer.image().topic("t")).isPresent();
    }

    @Test
    void aRestartGoesOnWhereTheCopyEnds() throws IOException {
        start(MetadataStoreOptions.DEFAULTS);
        controller.created(CreateTopic.named("one"));
        TestObserver first = observer(MetadataStoreOptions.DEFAULTS);
        settle(first);
        first.close();
        controller.created(CreateTopic.named("two"));

        TestObserver second = observer(MetadataStoreOptions.DEFAULTS);
        assertThat(second.image().topic("one")).isPresent();
        assertThat(second.image().topic("two")).isEmpty();
        settle(second);

        assertThat(second.image().sameContent(controller.image())).isTrue();
    }

    @Test
    void whatIsOnlyInASnapshotReplacesTheCopy() throws IOException {
        start(SMALL);
        controller.created(CreateTopic.named("first"));
        TestObserver before = observer(SMALL);
        settle(before);
        before.close();
        for (int i = 0; i < 400; i++) controller.created(CreateTopic.named("t" + i));
        assertThat(controller.store.startOffset()).isGreaterThan(before.end());

        TestObserver after = observer(SMALL);
        settle(after);

        assertThat(after.snapshotEnds).hasSize(1);
        assertThat(after.image().sameContent(controller.image())).isTrue();
        after.close();
        TestObserver again = observer(SMALL);
        assertThat(again.image().sameContent(controller.image())).isTrue();
    }

    @Test
    void aNewObserverBeginsWithASnapshotWhereTheLogIsShortened() throws IOException {
        start(SMALL);
        for (int i = 0; i < 400; i++) controller.created(CreateTopic.named("t" + i));
        assertThat(controller.store.startOffset()).isPositive();

        TestObserver observer = observer(SMALL);
        settle(observer);

        assertThat(observer.snapshotEnds).hasSize(1);
        assertThat(observer.image().sameContent(controller.image())).isTrue();
    }

    @Test
    void anObserverKeepsSnapshotsOfItsOwn() throws IOException {
        start(SMALL);
        TestObserver observer = observer(SMALL);
        for (int i = 0; i < 400; i++) {
            controller.created(CreateTopic.named("t" + i));
            settle(observer);
        }

        assertThat(observerDisk.list(TestObserver.LOG_PATH))
                .filteredOn(name -> name.endsWith(".checkpoint"))
                .hasSize(2);
        assertThat(observer.image().sameContent(controller.image())).isTrue();
    }

    @Test
    void theControllerKnowsWhoCopiesAndHowFarTheyAre() throws IOException {
        start(MetadataStoreOptions.DEFAULTS);
        TestObserver observer = observer(MetadataStoreOptions.DEFAULTS);
        settle(observer);

        List<QuorumState.Replica> observers = feed.observers();

        assertThat(observers).hasSize(1);
        assertThat(observers.getFirst().nodeId()).isEqualTo(2);
        assertThat(observers.getFirst().directoryId()).isEqualTo(observer.directory.id());
        assertThat(observers.getFirst().logEndOffset()).isEqualTo(controller.store.endOffset());
        assertThat(observers.getFirst().lastCaughtUpTimestampMs()).isPositive();
        assertThat(observer.log.quorum().leaderId()).isEqualTo(1);
        controller.nowMs += 300_001;
        assertThat(feed.observers()).isEmpty();
    }

    @Test
    void aControllerThatStopsLetsNobodyWait() throws IOException {
        start(MetadataStoreOptions.DEFAULTS);
        List<BatchAnswer> answers = new ArrayList<>();
        BatchQuestion question =
                new BatchQuestion(2, Uuid.ONE, controller.store.endOffset(), 1, 1000, 500);
        feed.fetch(question, answers::add);
        assertThat(answers).isEmpty();

        feed.stopWaiting();
        feed.fetch(question, answers::add);

        assertThat(answers).hasSize(2);
    }

    @Test
    void aControllerThatStartsAnewIsFollowedUnderItsNewEpoch() throws IOException {
        start(MetadataStoreOptions.DEFAULTS);
        TestObserver observer = observer(MetadataStoreOptions.DEFAULTS);
        settle(observer);
        observer.close();
        controller.close();
        start(MetadataStoreOptions.DEFAULTS);
        controller.created(CreateTopic.named("new"));

        TestObserver restarted = observer(MetadataStoreOptions.DEFAULTS);
        settle(restarted);

        assertThat(restarted.log.quorum().leaderEpoch()).isEqualTo(2);
        assertThat(restarted.image().topic("new")).isPresent();
    }

    @Test
    void anotherHistoryIsRefusedAndTheCopyStaysAsItIs() throws IOException {
        start(MetadataStoreOptions.DEFAULTS);
        controller.close();
        start(MetadataStoreOptions.DEFAULTS);
        for (int i = 0; i < 5; i++) controller.created(CreateTopic.named("t" + i));
        TestObserver first = observer(MetadataStoreOptions.DEFAULTS);
        settle(first);
        long end = first.end();
        first.close();
        // A controller that lost its records and led twice more since.
        FakeDisk other = new FakeDisk();
        for (int i = 0; i < 3; i++) {
            TestNode lost = TestNode.started(other, new Random(9), MetadataStoreOptions.DEFAULTS);
            if (i < 2) {
                lost.close();
                continue;
            }
            follow(lost);
        }

        TestObserver second = observer(MetadataStoreOptions.DEFAULTS);
        settle(second);

        assertThat(second.log.caughtUp())
                .isCompletedExceptionally()
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .withMessageContaining("is not of the history that the controller, node 1, has")
                .withMessageContaining("give this node an empty directory");
        assertThat(second.end()).isEqualTo(end);
    }

    /// Answers as a test says.
    private static final class Scripted implements MetadataSource {
        final List<BatchQuestion> questions = new ArrayList<>();
        final List<Consumer<BatchAnswer>> answers = new ArrayList<>();

        @Override
        public void fetch(BatchQuestion question, Consumer<BatchAnswer> answer) {
            questions.add(question);
            answers.add(answer);
        }

        @Override
        public void fetchSnapshot(SnapshotQuestion question, Consumer<SnapshotAnswer> answer) {
            throw new IllegalStateException("not asked for");
        }
    }

    @Test
    void aSourceWithLessMakesItWaitAndNothingIsCut() throws IOException {
        start(MetadataStoreOptions.DEFAULTS);
        controller.created(CreateTopic.named("t"));
        TestObserver first = observer(MetadataStoreOptions.DEFAULTS);
        settle(first);
        long end = controller.store.endOffset();
        first.close();
        Scripted source = new Scripted();
        TestObserver second = new TestObserver(observerDisk, source, MetadataStoreOptions.DEFAULTS);
        second.service.start();

        source.answers.getFirst().accept(new BatchAnswer.Less(new ActiveController(1, 1)));

        assertThat(second.log.caughtUp()).isNotDone();
        assertThat(source.questions).hasSize(1);
        assertThat(second.wakeUp()).isTrue();
        assertThat(source.questions).hasSize(2);
        assertThat(source.questions.getLast().offset()).isEqualTo(end);
    }

    @Test
    @Tag("config:controller.quorum.fetch.max.bytes")
    void whoeverDoesNotAnswerIsAskedAgain() throws IOException {
        Scripted source = new Scripted();
        TestObserver observer =
                new TestObserver(observerDisk, source, MetadataStoreOptions.DEFAULTS);
        observer.service.start();

        source.answers.getFirst().accept(new BatchAnswer.Failed("planned"));
        assertThat(observer.log.trouble()).contains("planned");
        assertThat(observer.wakeUp()).isTrue();
        assertThat(source.questions.getLast().maxBytes())
                .isEqualTo(MetadataStoreOptions.DEFAULTS.maxBatchBytes());
        source.answers.getLast().accept(new BatchAnswer.NotController(new ActiveController(3, 4)));

        assertThat(observer.log.quorum().leaderId()).isEqualTo(3);
        assertThat(observer.wakeUp()).isTrue();
        assertThat(source.questions).hasSize(3);
        assertThat(observer.log.caughtUp()).isNotDone();
    }

    @Test
    void aFullDiskMakesItWaitAndItGoesOnWhenThereIsRoom() throws IOException {
        start(MetadataStoreOptions.DEFAULTS);
        TestObserver observer = observer(MetadataStoreOptions.DEFAULTS);
        settle(observer);
        long end = observer.end();
        observerDisk.capacity(1);
        controller.created(CreateTopic.named("t"));
        assertThat(observer.blind).isFalse();
        settle(observer);
        assertThat(observer.end()).isEqualTo(end);
        assertThat(observer.blind).isTrue();

        observerDisk.capacity(Long.MAX_VALUE);
        while (observer.image().topic("t").isEmpty()) {
            assertThat(observer.wakeUp()).isTrue();
            observer.directory.checkSpace();
            settle(observer);
        }

        assertThat(observer.image().sameContent(controller.image())).isTrue();
        assertThat(observer.blind).isFalse();
    }
}
