package dev.ottla.metadata.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ottla.metadata.BrokerEndpoint;
import dev.ottla.metadata.Features;
import dev.ottla.metadata.MetadataBatch;
import dev.ottla.metadata.MetadataRecord;
import dev.ottla.metadata.NotControllerException;
import dev.ottla.metadata.controller.ApiError;
import dev.ottla.metadata.controller.CreateTopic;
import dev.ottla.metadata.controller.CreatedTopic;
import dev.ottla.metadata.controller.Machine;
import dev.ottla.metadata.controller.Outcome;
import dev.ottla.metadata.controller.RegisterBroker;
import dev.ottla.metadata.controller.RegisteredBroker;
import dev.ottla.metadata.image.ClusterImage;
import dev.ottla.wire.ErrorCode;
import dev.ottla.wire.Uuid;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class MetadataServiceTest {
    private final Random random = new Random(3);
    private final Deque<Runnable> tasks = new ArrayDeque<>();
    private FakeMetadataLog log = new FakeMetadataLog();
    private MetadataService service = service(1000);

    private MetadataService service(int maxQueued) {
        return new MetadataService(
                log,
                tasks::add,
                new ControllerSettings(
                        Map.of(),
                        new Machine(4, 1_000_000),
                        new Uuid(3, 3),
                        () -> Uuid.random(random),
                        maxQueued));
    }

    private void run() {
        while (!tasks.isEmpty()) tasks.remove().run();
    }

    private void start() {
        service.start();
        CompletableFuture<RegisteredBroker> reply = register();
        run();
        log.commitAll();
        assertThat(reply.resultNow().error()).isEqualTo(ApiError.NONE);
    }

    private CompletableFuture<RegisteredBroker> register() {
        RegisterBroker registration =
                new RegisterBroker(
                        1,
                        Uuid.random(random),
                        List.of(new BrokerEndpoint("PLAINTEXT", "localhost", 9092, (short) 0)),
                        Features.supported(),
                        Optional.empty(),
                        List.of(new Uuid(8, 8)),
                        List.of(),
                        true,
                        true);
        return service.submit(c -> c.registerBroker(registration));
    }

    private CompletableFuture<List<CreatedTopic>> create(CreateTopic topic) {
        return service.submit(c -> c.createTopics(List.of(topic), false));
    }

    private static ErrorCode code(CompletableFuture<List<CreatedTopic>> reply) {
        return reply.resultNow().getFirst().error().code();
    }

    @Test
    void aNewClusterBeginsWithItsIdAndFeatures() {
        service.start();
        log.commitAll();

        assertThat(service.image().clusterId()).contains(new Uuid(3, 3));
        assertThat(service.image().features()).isEqualTo(Features.ofNewCluster());
        assertThat(log.appended.getFirst().records().getFirst())
                .isEqualTo(
                        new MetadataRecord.FeatureLevel(
                                Features.METADATA_VERSION, Features.METADATA_4_4_IV2));
    }

    @Test
    void commandsThatWaitShareOneAppend() {
        start();
        int before = log.appended.size();
        List<CompletableFuture<List<CreatedTopic>>> replies = new ArrayList<>();
        for (int i = 0; i < 100; i++) replies.add(create(CreateTopic.named("t" + i)));
        run();

        assertThat(log.appended).hasSize(before + 1);
        assertThat(replies).noneMatch(CompletableFuture::isDone);
        log.commitAll();
        assertThat(replies).allSatisfy(reply -> assertThat(code(reply)).isEqualTo(ErrorCode.NONE));
        assertThat(service.image().topicCount()).isEqualTo(100);
    }

    @Test
    void appendsArePipelinedAndEachSeesTheOneBefore() {
        start();
        CompletableFuture<List<CreatedTopic>> first = create(CreateTopic.named("t"));
        run();
        CompletableFuture<List<CreatedTopic>> second = create(CreateTopic.named("t"));
        CompletableFuture<List<CreatedTopic>> third = create(CreateTopic.named("u"));
        run();
        assertThat(second).as("an answer waits for what it read").isNotDone();

        log.commitOne();
        assertThat(code(first)).isEqualTo(ErrorCode.NONE);
        assertThat(code(second)).isEqualTo(ErrorCode.TOPIC_ALREADY_EXISTS);
        assertThat(third).isNotDone();
        log.commitOne();
        assertThat(code(third)).isEqualTo(ErrorCode.NONE);
    }

    @Test
    void commandWhoseRecordsCannotBeWrittenFailsAlone() {
        start();
        CompletableFuture<String> failed =
                service.submit(_ ->
                        new Outcome<>(
                                List.of(
                                        new MetadataRecord.Topic(
                                                "x".repeat(40_000), new Uuid(5, 5))),
                                "done"));
        CompletableFuture<List<CreatedTopic>> next = create(CreateTopic.named("t"));
        run();
        log.commitAll();

        assertThat(failed).isCompletedExceptionally();
        assertThat(code(next)).isEqualTo(ErrorCode.NONE);
        assertThat(service.isLeader()).isTrue();
    }

    @Test
    void controllerThatCannotFollowItsRecordsLeadsNoLongerAndAnswersEverybody() {
        start();
        CompletableFuture<List<CreatedTopic>> before = create(CreateTopic.named("t"));
        CompletableFuture<String> failed =
                service.submit(_ ->
                        new Outcome<>(
                                List.of(new MetadataRecord.RemoveTopic(new Uuid(99, 99))), "done"));
        CompletableFuture<List<CreatedTopic>> after = create(CreateTopic.named("u"));
        run();

        for (CompletableFuture<?> reply : List.of(before, failed, after)) {
            assertThatThrownBy(reply::join).hasCauseInstanceOf(NotControllerException.class);
        }
        assertThat(service.isLeader()).isFalse();
    }

    @Test
    void listenerThatFailsKeepsNeitherOthersNorAnswers() {
        start();
        List<String> events = new ArrayList<>();
        service.addListener((delta, image) -> {
            if (!delta.changedTopics().isEmpty()) throw new IllegalStateException("planned");
        });
        service.addListener((delta, image) ->
                delta.changedTopics().values().forEach(t -> events.add("image " + t.name())));
        CompletableFuture<List<CreatedTopic>> reply = create(CreateTopic.named("t"));
        run();
        log.commitAll();

        assertThat(code(reply)).isEqualTo(ErrorCode.NONE);
        assertThat(events).containsExactly("image t");
    }

    @Test
    void listenersSeeAnImageBeforeTheAnswerLeaves() {
        start();
        List<String> events = new ArrayList<>();
        service.addListener((delta, image) ->
                delta.changedTopics().values().forEach(t -> events.add("image " + t.name())));
        CompletableFuture<Void> reply =
                create(CreateTopic.named("t")).thenAccept(_ -> events.add("answer"));
        run();
        log.commitAll();

        assertThat(reply).isDone();
        assertThat(events).containsExactly("image t", "answer");
    }

    @Test
    void theFirstImageBringsEverythingThereIs() {
        start();
        CompletableFuture<List<CreatedTopic>> reply = create(CreateTopic.named("t"));
        run();
        log.commitAll();
        assertThat(reply).isDone();
        FakeMetadataLog copy = new FakeMetadataLog();
        copy.appended.addAll(log.appended);
        log = copy;
        service = service(10);
        List<ClusterImage> images = new ArrayList<>();
        service.addListener((delta, image) -> {
            images.add(image);
            assertThat(delta.changedTopics()).hasSize(1);
            assertThat(delta.changedBrokers()).containsExactly(1);
        });

        service.start();

        assertThat(images).hasSize(1);
        assertThat(images.getFirst().topic("t")).isPresent();
    }

    @Test
    void lostLeadershipFailsWhatIsNotCommitted() {
        start();
        CompletableFuture<List<CreatedTopic>> reply = create(CreateTopic.named("t"));
        run();
        log.resign();
        assertThatThrownBy(reply::join).hasCauseInstanceOf(NotControllerException.class);

        CompletableFuture<List<CreatedTopic>> refused = create(CreateTopic.named("t"));
        run();
        assertThatThrownBy(refused::join).hasCauseInstanceOf(NotControllerException.class);

        log.lead();
        CompletableFuture<List<CreatedTopic>> again = create(CreateTopic.named("t"));
        run();
        log.commitAll();
        assertThat(code(again)).isEqualTo(ErrorCode.NONE);
    }

    @Test
    void aRefusedAppendEndsTheLeadershipWithItsState() {
        start();
        log.refusing = true;
        CompletableFuture<List<CreatedTopic>> first = create(CreateTopic.named("t"));
        CompletableFuture<List<CreatedTopic>> second = create(CreateTopic.named("u"));
        run();

        assertThatThrownBy(first::join).hasCauseInstanceOf(NotControllerException.class);
        assertThatThrownBy(second::join).hasCauseInstanceOf(NotControllerException.class);
        assertThat(service.isLeader()).isFalse();
    }

    @Test
    void aLargeCommandIsATransaction() {
        start();
        log.maxBatchBytes = 2000;
        int before = log.appended.size();
        CompletableFuture<List<CreatedTopic>> reply =
                create(CreateTopic.named("t").withPartitions(100));
        run();

        List<MetadataBatch> batches = log.appended.subList(before, log.appended.size());
        assertThat(batches).hasSizeGreaterThan(4);
        assertThat(batches.getFirst().records().getFirst())
                .isInstanceOf(MetadataRecord.BeginTransaction.class);
        assertThat(batches.getLast().records().getLast())
                .isInstanceOf(MetadataRecord.EndTransaction.class);
        while (log.committed < log.appended.size() - 1) log.commitOne();
        assertThat(service.image().topic("t")).isEmpty();
        assertThat(reply).isNotDone();
        log.commitOne();
        assertThat(service.image().topic("t").orElseThrow().partitionCount()).isEqualTo(100);
        assertThat(code(reply)).isEqualTo(ErrorCode.NONE);
    }

    @Test
    void aTransactionThatItsControllerLeftIsAborted() {
        start();
        log.maxBatchBytes = 2000;
        CompletableFuture<List<CreatedTopic>> lost =
                create(CreateTopic.named("t").withPartitions(100));
        run();
        log.commitOne();
        log.commitOne();
        log.resign();
        assertThat(lost).isCompletedExceptionally();

        log.lead();
        CompletableFuture<List<CreatedTopic>> reply = create(CreateTopic.named("t"));
        run();
        log.commitAll();

        assertThat(code(reply)).isEqualTo(ErrorCode.NONE);
        assertThat(service.image().topic("t").orElseThrow().partitionCount()).isEqualTo(1);
    }

    @Test
    void aFullQueueRefuses() {
        service = service(2);
        service.start();
        CompletableFuture<RegisteredBroker> first = register();
        CompletableFuture<RegisteredBroker> second = register();
        CompletableFuture<RegisteredBroker> third = register();

        assertThatThrownBy(third::join).hasCauseInstanceOf(NotControllerException.class);
        run();
        log.commitAll();
        assertThat(first).isCompleted();
        assertThat(second).isCompleted();
    }

    @Test
    void aFailingCommandHarmsNoOther() {
        start();
        CompletableFuture<String> bad =
                service.submit(_ -> {
                    throw new IllegalStateException("a bug");
                });
        CompletableFuture<List<CreatedTopic>> good = create(CreateTopic.named("t"));
        run();
        log.commitAll();

        assertThatThrownBy(bad::join).hasMessageContaining("a bug");
        assertThat(code(good)).isEqualTo(ErrorCode.NONE);
    }

    @Test
    void aSnapshotMakesTheSameImage() {
        start();
        log.snapshotDue = true;
        CompletableFuture<List<CreatedTopic>> reply =
                create(CreateTopic.named("t").withPartitions(3).withConfig("retention.ms", "1"));
        run();
        log.commitAll();
        assertThat(reply).isDone();
        ClusterImage before = service.image();
        FakeMetadataLog copy = new FakeMetadataLog();
        copy.snapshotOffset = log.snapshotOffset;
        copy.snapshotRecords = log.snapshotRecords;
        log = copy;
        service = service(10);

        service.start();

        assertThat(service.image().sameContent(before)).isTrue();
        assertThat(service.image().version().offset()).isEqualTo(before.version().offset());
    }

    @Test
    void stoppingFailsWhatWaits() {
        start();
        CompletableFuture<List<CreatedTopic>> appended = create(CreateTopic.named("t"));
        run();
        CompletableFuture<List<CreatedTopic>> queued = create(CreateTopic.named("u"));
        service.close();

        assertThatThrownBy(appended::join).hasCauseInstanceOf(NotControllerException.class);
        assertThatThrownBy(queued::join).hasCauseInstanceOf(NotControllerException.class);
    }
}
