package dev.ottla.broker.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ottla.broker.handler.TestMetadata;
import dev.ottla.broker.partition.TestShards;
import dev.ottla.group.GroupCoordinator;
import dev.ottla.group.offset.OffsetCommit;
import dev.ottla.group.offset.OffsetFetch;
import dev.ottla.group.shell.Refusal;
import dev.ottla.group.shell.Reply;
import dev.ottla.log.LogShard;
import dev.ottla.log.disk.FakeDisk;
import dev.ottla.wire.ErrorCode;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A coordinator that fails, or whose disk is full: nobody waits in vain, nothing committed is
/// lost, and the shard serves on.
@Timeout(60)
final class GroupFailureTest {
    private final FakeDisk disk = new FakeDisk();
    private final TestMetadata metadata = new TestMetadata(1, TestShards.DIRECTORY);
    private final AtomicInteger readings = new AtomicInteger();
    private volatile long aheadMs;
    private TestShards shards;
    private GroupRouter groups;

    /// What came of a request.
    private record Answer<T>(Optional<T> response, Optional<ErrorCode> refusal) {}

    @BeforeEach
    void start() throws Exception {
        metadata.create(InternalTopics.CONSUMER_OFFSETS, List.of(List.of(1)));
        metadata.create("orders", List.of(List.of(1)));
        shards = new TestShards(disk, Runnable::run, 1);
        groups =
                new GroupRouter(
                        metadata::image,
                        shards.owners(),
                        shards.managers(),
                        new GroupCoordinatorParts(
                                shards.config()::resolver,
                                () -> Instant.now().plusMillis(aheadMs),
                                () -> "id",
                                task -> {
                                    readings.incrementAndGet();
                                    task.run();
                                },
                                1 << 20),
                        () -> 1);
        shards.start(metadata.image(), List.of());
    }

    @AfterEach
    void stop() throws Exception {
        shards.stop();
    }

    private static <T> CompletableFuture<Answer<T>> asked(
            java.util.function.Consumer<Reply<T>> question) {
        CompletableFuture<Answer<T>> answer = new CompletableFuture<>();
        question.accept(
                new Reply<>() {
                    @Override
                    public void complete(T response) {
                        answer.complete(new Answer<>(Optional.of(response), Optional.empty()));
                    }

                    @Override
                    public void refuse(Refusal refusal) {
                        answer.complete(
                                new Answer<>(Optional.empty(), Optional.of(refusal.error())));
                    }
                });
        return answer;
    }

    private static <T> Answer<T> await(CompletableFuture<Answer<T>> answer) throws Exception {
        return answer.get(20, TimeUnit.SECONDS);
    }

    private Answer<OffsetCommit.Response> commit(long offset) throws Exception {
        OffsetCommit.Request request = GroupRequests.commit(offset);
        return await(
                asked(reply ->
                        groups.call(
                                "group",
                                (coordinator, to, nowMs) ->
                                        coordinator.offsetCommit(request, to, nowMs),
                                reply)));
    }

    private Answer<OffsetFetch.Response> fetch() throws Exception {
        OffsetFetch.Request request = GroupRequests.fetch();
        return await(
                asked(reply ->
                        groups.read(
                                "group",
                                (coordinator, to, nowMs) ->
                                        coordinator.offsetFetch(request, to, nowMs),
                                reply)));
    }

    /// Repeats a request until it is carried out, as clients do.
    private interface Attempt<T> {
        Answer<T> run() throws Exception;
    }

    private static <T> T untilDone(Attempt<T> attempt) throws Exception {
        long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (true) {
            Answer<T> answer = attempt.run();
            if (answer.response().isPresent()) {
                return answer.response().get();
            }
            assertThat(System.nanoTime()).as("%s", answer).isLessThan(deadlineNs);
            Thread.sleep(5);
        }
    }

    private void assertCommitted(long offset) throws Exception {
        OffsetFetch.Response response = untilDone(this::fetch);
        assertThat(response.topics().getFirst().partitions().getFirst().offset()).isEqualTo(offset);
    }

    private static void fail(GroupCoordinator coordinator, Reply<String> reply, long nowMs) {
        throw new IllegalStateException("planted");
    }

    @Test
    void aFailedCoordinatorAnswersEverybodyAndIsReadAgain() throws Exception {
        untilDone(() -> commit(7));
        CompletableFuture<Answer<String>> waiting =
                asked(reply -> groups.call("group", (coordinator, to, nowMs) -> {}, reply));
        CompletableFuture<Answer<String>> failing =
                asked(reply -> groups.call("group", GroupFailureTest::fail, reply));

        assertThat(await(failing).refusal()).contains(ErrorCode.NOT_COORDINATOR);
        assertThat(await(waiting).refusal()).contains(ErrorCode.NOT_COORDINATOR);
        assertCommitted(7);
        untilDone(() -> commit(8));
        assertCommitted(8);
    }

    @Test
    void failuresThatFollowEachOtherAreNotFollowedByReadingEachTime() throws Exception {
        untilDone(() -> commit(7));
        int before = readings.get();
        for (int i = 0; i < 50; i++) {
            CompletableFuture<Answer<String>> failing =
                    asked(reply -> groups.call("group", GroupFailureTest::fail, reply));
            assertThat(await(failing).refusal()).isPresent();
        }
        assertThat(readings.get() - before).isLessThan(5);
        assertCommitted(7);
    }

    /// The first write that finds no room costs one reading; all that follow are refused before.
    @Test
    void onAFullDiskWritesAreRefusedCheaplyAndReadsGoOn() throws Exception {
        untilDone(() -> commit(7));
        disk.capacity(1);
        assertThat(commit(8).refusal()).isPresent();
        assertCommitted(7);
        int before = readings.get();

        for (int i = 0; i < 20; i++) {
            assertThat(commit(8).refusal()).contains(ErrorCode.COORDINATOR_NOT_AVAILABLE);
        }
        assertThat(fetch().response()).isPresent();
        assertCommitted(7);
        assertThat(readings.get()).isEqualTo(before);

        disk.capacity(Long.MAX_VALUE);
        shards.directory().checkSpace();
        untilDone(() -> commit(9));
        assertCommitted(9);
    }

    @Test
    void withoutADescriptorWritesAreRefusedCheaplyAndReadsGoOn() throws Exception {
        untilDone(() -> commit(7));
        closeIdleFiles();
        disk.refuseOpens(1);
        assertThat(commit(8).refusal()).isPresent();
        assertCommitted(7);
        closeIdleFiles();
        disk.refuseOpens(Integer.MAX_VALUE);
        int before = readings.get();

        for (int i = 0; i < 20; i++) {
            assertThat(commit(8).refusal()).contains(ErrorCode.COORDINATOR_NOT_AVAILABLE);
        }
        assertThat(fetch().response()).isPresent();
        assertThat(readings.get()).isEqualTo(before);

        disk.refuseOpens(0);
        aheadMs = 5_000;
        untilDone(() -> commit(9));
        assertCommitted(9);
    }

    private void closeIdleFiles() throws InterruptedException {
        LogShard logs = shards.logs(0);
        shards.managers()
                .getFirst()
                .shard()
                .execute(() -> {
                    logs.sweep(0);
                    logs.sweep(0);
                });
        shards.awaitIdle();
        assertThat(disk.openFiles()).isZero();
    }
}
