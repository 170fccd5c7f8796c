package dev.ottla.broker.replica;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ottla.broker.address.AdvertisedAddresses;
import dev.ottla.broker.address.BrokerAddresses;
import dev.ottla.broker.fetch.FetchSessions;
import dev.ottla.broker.fetch.ShardFetches;
import dev.ottla.broker.handler.data.FetchHandler;
import dev.ottla.broker.handler.data.ListOffsetsHandler;
import dev.ottla.broker.metrics.BrokerMetrics;
import dev.ottla.broker.partition.HostedPartition;
import dev.ottla.broker.partition.IsrChanges;
import dev.ottla.broker.partition.PartitionKey;
import dev.ottla.broker.partition.PartitionManager;
import dev.ottla.broker.request.Asked;
import dev.ottla.broker.request.FakeConnection;
import dev.ottla.broker.request.PooledRecords;
import dev.ottla.broker.request.ReadMemory;
import dev.ottla.broker.request.RequestContext;
import dev.ottla.broker.request.RequestMemory;
import dev.ottla.broker.request.Responder;
import dev.ottla.broker.settings.BrokerConfig;
import dev.ottla.broker.shard.Shard;
import dev.ottla.broker.shard.Shards;
import dev.ottla.config.BrokerLayers;
import dev.ottla.config.ConfigResolver;
import dev.ottla.config.Surroundings;
import dev.ottla.log.DataDirectory;
import dev.ottla.log.LogShard;
import dev.ottla.log.disk.FakeDisk;
import dev.ottla.metadata.image.ClusterImage;
import dev.ottla.metadata.image.ImageDelta;
import dev.ottla.wire.ApiMessage;
import dev.ottla.wire.BufferRecords;
import dev.ottla.wire.RecordsPayload;
import dev.ottla.wire.Uuid;
import dev.ottla.wire.message.ApiKey;
import dev.ottla.wire.message.FetchRequest;
import dev.ottla.wire.message.FetchResponse;
import dev.ottla.wire.message.ListOffsetsRequest;
import dev.ottla.wire.message.ListOffsetsRequest.ListOffsetsPartition;
import dev.ottla.wire.message.ListOffsetsRequest.ListOffsetsTopic;
import dev.ottla.wire.message.ListOffsetsResponse;
import io.netty.buffer.PooledByteBufAllocator;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// One incarnation of a broker as far as replication goes: a shard, its logs on a disk in memory,
/// the handler of fetches, and followers that reach other nodes directly.
final class ReplicaNode {
    private static final short VERSION = ApiKey.FETCH.latestVersion(false);

    final int id;
    final Uuid directoryId;
    final DataDirectory directory;
    final Shard shard = new Shard(0, System::nanoTime, Thread::new, Throwable::printStackTrace);
    final PartitionManager partitions;
    private final FetchHandler fetches;
    private final ExecutorService loop = Executors.newSingleThreadExecutor();
    private final ExecutorService lane = Executors.newSingleThreadExecutor();
    private volatile ClusterImage image;
    volatile boolean open = true;

    /// Whether it answers fetches.
    volatile boolean serving = true;

    /// What it last asked a leader, and how long it would have waited.
    volatile @Nullable FetchRequest asked;

    volatile long patienceMs;

    /// Made so far.
    final AtomicInteger connections = new AtomicInteger();

    /// What a node is made of.
    ///
    /// @param epoch of its registration
    /// @param config of the broker
    /// @param others the node of an id, none while it is down
    record Parts(
            int id,
            FakeDisk disk,
            Uuid directoryId,
            long epoch,
            Map<String, String> config,
            Function<Integer, @Nullable ReplicaNode> others,
            IsrChanges controller,
            DirectoryAssignments directories) {}

    ReplicaNode(Parts parts, ClusterImage image) throws IOException {
        this.id = parts.id();
        this.directoryId = parts.directoryId();
        this.image = image;
        directory =
                DataDirectory.open(
                        parts.disk(),
                        Path.of("/data"),
                        new DataDirectory.Options(4, 0, 0, 0, directoryId),
                        lane,
                        Runnable::run);
        ConfigResolver resolver =
                new ConfigResolver(BrokerLayers.of(parts.config()), Surroundings.of(1, 1));
        BrokerConfig config = new BrokerConfig(id, resolver);
        config.begin(image);
        partitions =
                new PartitionManager(
                        shard,
                        new LogShard(parts.disk(), shard, 10, 10),
                        new PartitionManager.Surroundings(
                                id,
                                new Shards(List.of(shard)),
                                Map.of(directoryId, directory),
                                config,
                                InstantSource.system(),
                                new BrokerMetrics()));
        ShardFetches shardFetches =
                new ShardFetches(
                        partitions,
                        new ReadMemory(PooledByteBufAllocator.DEFAULT, 64 << 20),
                        Runnable::run);
        fetches = handler(config, shardFetches);
        Followers followers =
                new Followers(
                        partitions,
                        (leader, _) -> new Direct(parts.others(), leader),
                        parts.directories(),
                        parts::epoch,
                        resolver.broker());
        List<PartitionKey> stored =
                directory.storedPartitions().stream()
                        .flatMap(found ->
                                image.topic(found.topic()).stream()
                                        .map(topic ->
                                                new PartitionKey(topic.id(), found.partition())))
                        .toList();
        shard.execute(() -> {
            shard.onTurnEnd(partitions::endTurn);
            shard.onTurnEnd(shardFetches::endTurn);
            partitions.start(image, stored);
            partitions.askController(parts.controller());
            partitions.addListener(followers);
            followers.begin();
        });
        shard.start();
    }

    private FetchHandler handler(BrokerConfig config, ShardFetches shardFetches) {
        return new FetchHandler(
                new FetchHandler.Parts(
                        () -> image,
                        config,
                        new FetchSessions(100, () -> 1, System::nanoTime, new Random(id)),
                        _ -> shardFetches,
                        _ -> loop,
                        new BrokerAddresses(id, new AdvertisedAddresses(Optional.empty()))));
    }

    void learn(ImageDelta delta, ClusterImage newImage) {
        shard.execute(() -> partitions.onImage(delta, newImage));
        image = newImage;
    }

    /// Asks something of a partition on its shard.
    <T> T ask(PartitionKey key, Function<@Nullable HostedPartition, T> question) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        shard.execute(() -> {
            try {
                answer.complete(question.apply(partitions.hosted(key).orElse(null)));
            } catch (RuntimeException e) {
                answer.completeExceptionally(e);
            }
        });
        return answer.orTimeout(10, TimeUnit.SECONDS).join();
    }

    /// What a consumer is answered at once.
    FetchResponse.PartitionData consume(PartitionKey key, long offset, String rack) {
        FetchRequest request =
                FetchRequest.builder()
                        .sessionEpoch(-1)
                        .maxBytes(1 << 20)
                        .rackId(rack)
                        .topics(
                                List.of(
                                        FetchRequest.FetchTopic.builder()
                                                .topicId(key.topicId())
                                                .partitions(
                                                        List.of(
                                                                FetchRequest.FetchPartition
                                                                        .builder()
                                                                        .partition(key.partition())
                                                                        .fetchOffset(offset)
                                                                        .partitionMaxBytes(1 << 20)
                                                                        .build()))
                                                .build()))
                        .build();
        CompletableFuture<FetchResponse> answer = new CompletableFuture<>();
        LeaderConnection.Answer receiver =
                new LeaderConnection.Answer() {
                    @Override
                    public void onResponse(FetchResponse response, RequestMemory memory) {
                        answer.complete(response);
                    }

                    @Override
                    public void onFailure(String reason) {
                        answer.completeExceptionally(new IllegalStateException(reason));
                    }
                };
        new Direct(_ -> this, id).fetch(request, 0, receiver);
        return answer.orTimeout(10, TimeUnit.SECONDS)
                .join()
                .responses()
                .getFirst()
                .partitions()
                .getFirst();
    }

    /// The error code that a client is answered who asks for the end of a partition.
    short latestError(PartitionKey key) {
        ListOffsetsRequest request =
                ListOffsetsRequest.builder()
                        .topics(
                                List.of(
                                        ListOffsetsTopic.builder()
                                                .name(
                                                        image.topic(key.topicId())
                                                                .orElseThrow()
                                                                .name())
                                                .partitions(
                                                        List.of(
                                                                ListOffsetsPartition.builder()
                                                                        .partitionIndex(
                                                                                key.partition())
                                                                        .timestamp(-1)
                                                                        .build()))
                                                .build()))
                        .build();
        ListOffsetsHandler handler = new ListOffsetsHandler(() -> image, _ -> partitions);
        ListOffsetsResponse answer = Asked.ask(handler, 7, request, ListOffsetsResponse.class);
        return answer.topics().getFirst().partitions().getFirst().errorCode();
    }

    /// Its logs are closed, so that the next one takes them as they were left.
    void stop() throws InterruptedException, IOException {
        CountDownLatch closed = new CountDownLatch(1);
        shard.execute(() -> partitions.close(closed::countDown));
        assertThat(closed.await(10, TimeUnit.SECONDS)).isTrue();
        directory.close(true);
        kill();
    }

    /// As if the process were killed.
    void kill() throws InterruptedException {
        open = false;
        shard.stop();
        shard.awaitStop(10_000);
        loop.shutdown();
        loop.awaitTermination(10, TimeUnit.SECONDS);
        lane.shutdown();
        lane.awaitTermination(10, TimeUnit.SECONDS);
    }

    /// A connection without a network; it breaks when either end is gone.
    private final class Direct implements LeaderConnection {
        private final @Nullable ReplicaNode leader;
        private volatile boolean closed;

        Direct(Function<Integer, @Nullable ReplicaNode> others, int leaderId) {
            connections.incrementAndGet();
            leader = others.apply(leaderId);
        }

        @Override
        public void fetch(FetchRequest request, long timeoutMs, Answer answer) {
            asked = request;
            patienceMs = timeoutMs;
            ReplicaNode to = leader;
            if (to == null || !to.open || !to.serving || closed) {
                answer.onFailure("it is down");
                return;
            }
            to.loop.execute(() ->
                    to.fetches.handle(
                            new RequestContext(
                                    ApiKey.FETCH,
                                    VERSION,
                                    1,
                                    "follower",
                                    new FakeConnection(),
                                    RequestMemory.UNCOUNTED,
                                    0),
                            request,
                            new Reply(answer, to)));
        }

        @Override
        public void close() {
            closed = true;
        }

        private final class Reply implements Responder {
            private final Answer answer;
            private final ReplicaNode from;

            Reply(Answer answer, ReplicaNode from) {
                this.answer = answer;
                this.from = from;
            }

            @Override
            public void respond(ApiMessage response) {
                FetchResponse copied = copied((FetchResponse) response);
                if (closed || !open) {
                    return;
                }
                if (from.open && from.serving) {
                    answer.onResponse(copied, new AnswerMemory(() -> {}));
                } else {
                    answer.onFailure("it went down");
                }
            }

            @Override
            public void failed(Throwable failure) {
                answer.onFailure(failure.toString());
            }

            @Override
            public void noResponse() {
                answer.onFailure("no answer");
            }

            @Override
            public void close(String reason) {
                answer.onFailure(reason);
            }
        }
    }

    private static FetchResponse copied(FetchResponse response) {
        return response.toBuilder()
                .responses(
                        response.responses().stream()
                                .map(topic ->
                                        topic.toBuilder()
                                                .partitions(
                                                        topic.partitions().stream()
                                                                .map(data ->
                                                                        data.toBuilder()
                                                                                .records(
                                                                                        copied(
                                                                                                data
                                                                                                        .records()))
                                                                                .build())
                                                                .toList())
                                                .build())
                                .toList())
                .build();
    }

    private static RecordsPayload copied(@Nullable RecordsPayload records) {
        if (!(records instanceof PooledRecords pooled)) {
            return BufferRecords.EMPTY;
        }
        ByteBuffer bytes = ByteBuffer.allocate(pooled.sizeBytes());
        pooled.buffer().readBytes(bytes);
        pooled.release();
        return new BufferRecords(bytes.flip());
    }
}
