package dev.ottla.broker.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ottla.broker.handler.TestMetadata;
import dev.ottla.broker.partition.HostedPartition;
import dev.ottla.broker.partition.PartitionManager;
import dev.ottla.broker.partition.TestShards;
import dev.ottla.group.offset.OffsetCommit;
import dev.ottla.group.offset.OffsetFetch;
import dev.ottla.group.shell.Refusal;
import dev.ottla.group.shell.Reply;
import dev.ottla.log.disk.FakeDisk;
import dev.ottla.replication.FollowerFetch;
import dev.ottla.wire.ErrorCode;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What a coordinator tells whose partition may have another leader, or which has read what not all
/// in-sync replicas have.
@Timeout(60)
final class GroupDoubtTest {
    private final TestMetadata metadata = new TestMetadata(2, TestShards.DIRECTORY);
    private final FakeDisk disk = new FakeDisk();
    private TestShards shards;
    private GroupRouter groups;

    @BeforeEach
    void begin() throws Exception {
        metadata.create(InternalTopics.CONSUMER_OFFSETS, List.of(List.of(1, 2)));
        metadata.create("orders", List.of(List.of(1)));
        start();
    }

    private void start() throws Exception {
        shards = new TestShards(disk, Runnable::run, 1);
        groups =
                new GroupRouter(
                        metadata::image,
                        shards.owners(),
                        shards.managers(),
                        new GroupCoordinatorParts(
                                shards.config()::resolver,
                                InstantSource.system(),
                                () -> "id",
                                Runnable::run,
                                1 << 20),
                        () -> 1);
        shards.start(metadata.image(), List.of());
    }

    @AfterEach
    void stop() throws Exception {
        shards.stop();
    }

    /// Nobody waits for the answer, which takes another replica.
    private void commit() throws Exception {
        OffsetCommit.Request request = GroupRequests.commit(1);
        groups.call(
                "group",
                (coordinator, to, nowMs) -> coordinator.offsetCommit(request, to, nowMs),
                new Reply<OffsetCommit.Response>() {
                    @Override
                    public void complete(OffsetCommit.Response response) {
                        throw new AssertionError("committed without the other replica");
                    }

                    @Override
                    public void refuse(Refusal refusal) {}
                });
        shards.awaitIdle();
    }

    /// The reply's error; empty when the offsets were told.
    private Optional<ErrorCode> fetch() throws Exception {
        OffsetFetch.Request request = GroupRequests.fetch();
        CompletableFuture<Optional<ErrorCode>> answer = new CompletableFuture<>();
        groups.read(
                "group",
                (coordinator, to, nowMs) -> coordinator.offsetFetch(request, to, nowMs),
                new Reply<OffsetFetch.Response>() {
                    @Override
                    public void complete(OffsetFetch.Response response) {
                        answer.complete(Optional.empty());
                    }

                    @Override
                    public void refuse(Refusal refusal) {
                        answer.complete(Optional.of(refusal.error()));
                    }
                });
        return answer.get(20, TimeUnit.SECONDS);
    }

    @Test
    void coordinatorThatMayHaveBeenReplacedSendsGroupsAway() throws Exception {
        assertThat(fetch()).isEmpty();

        shards.unconfirm();
        assertThat(fetch()).contains(ErrorCode.NOT_COORDINATOR);
    }

    /// Another leader may come that never had the record.
    @Test
    void coordinatorTellsNothingThatNotAllInSyncReplicasHave() throws Exception {
        assertThat(fetch()).isEmpty();
        commit();

        shards.stop();
        disk.endProcess();
        start();

        assertThat(fetch()).contains(ErrorCode.COORDINATOR_LOAD_IN_PROGRESS);
        PartitionManager partitions = shards.managers().getFirst();
        HostedPartition partition =
                partitions.partitions().stream()
                        .filter(one -> one.topic().equals(InternalTopics.CONSUMER_OFFSETS))
                        .findFirst()
                        .orElseThrow();
        partitions
                .shard()
                .execute(() ->
                        partition.onFollowerFetch(
                                new FollowerFetch(
                                        2,
                                        metadata.image().broker(2).orElseThrow().epoch(),
                                        partition.log().logEndOffset(),
                                        0,
                                        FollowerFetch.NEVER_MS)));
        assertThat(fetch()).isEmpty();
    }
}
