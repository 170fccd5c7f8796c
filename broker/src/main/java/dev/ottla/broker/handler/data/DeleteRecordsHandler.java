package dev.ottla.broker.handler.data;

import dev.ottla.broker.coordinator.InternalTopics;
import dev.ottla.broker.partition.Deletion;
import dev.ottla.broker.partition.HostedPartition;
import dev.ottla.broker.partition.Lookup;
import dev.ottla.broker.partition.PartitionCalls;
import dev.ottla.broker.partition.PartitionError;
import dev.ottla.broker.partition.PartitionKey;
import dev.ottla.broker.partition.PartitionManager;
import dev.ottla.broker.request.ApiHandler;
import dev.ottla.broker.request.RequestContext;
import dev.ottla.broker.request.Responder;
import dev.ottla.broker.shard.Timer;
import dev.ottla.log.LogConfig;
import dev.ottla.log.StartOutcome;
import dev.ottla.metadata.image.ClusterImage;
import dev.ottla.wire.ErrorCode;
import dev.ottla.wire.message.ApiKey;
import dev.ottla.wire.message.DeleteRecordsRequest;
import dev.ottla.wire.message.DeleteRecordsResponse;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

/// DeleteRecords 0-2: raises log start offsets, at most to the high watermark, and answers when
/// that is on disk and no living replica has the records any more, or when the request's time is
/// over.
public final class DeleteRecordsHandler implements ApiHandler<DeleteRecordsRequest> {
    private static final long UP_TO_HIGH_WATERMARK = -1;
    private static final long NONE = -1;

    private final Supplier<ClusterImage> image;
    private final Function<PartitionKey, PartitionManager> owners;
    private final PartitionCalls<Item> calls;

    /// @param owners the manager of the shard that owns a partition
    public DeleteRecordsHandler(
            Supplier<ClusterImage> image, Function<PartitionKey, PartitionManager> owners) {
        this.image = image;
        this.owners = owners;
        calls = new PartitionCalls<>(item -> item.key, owners, this::delete);
    }

    /// One partition of a request, and its answer.
    private static final class Item {
        final PartitionKey key;
        final long offset;
        final int timeoutMs;
        ErrorCode error = ErrorCode.UNKNOWN_SERVER_ERROR;
        long lowWatermark = NONE;

        Item(PartitionKey key, long offset, int timeoutMs) {
            this.key = key;
            this.offset = offset;
            this.timeoutMs = timeoutMs;
        }
    }

    @Override
    public ApiKey api() {
        return ApiKey.DELETE_RECORDS;
    }

    @Override
    public void handle(RequestContext context, DeleteRecordsRequest request, Responder responder) {
        ClusterImage now = image.get();
        List<List<Item>> topics = new ArrayList<>();
        List<Item> toAsk = new ArrayList<>();
        for (DeleteRecordsRequest.DeleteRecordsTopic topic : request.topics()) {
            NamedTopic named = new NamedTopic(now, topic.name());
            List<Item> items = new ArrayList<>();
            for (DeleteRecordsRequest.DeleteRecordsPartition partition : topic.partitions()) {
                Item item =
                        new Item(
                                named.key(partition.partitionIndex()),
                                partition.offset(),
                                request.timeoutMs());
                items.add(item);
                if (InternalTopics.contains(topic.name())) {
                    item.error = ErrorCode.INVALID_TOPIC_EXCEPTION;
                } else if (!named.has(partition.partitionIndex())) {
                    item.error = ErrorCode.UNKNOWN_TOPIC_OR_PARTITION;
                } else {
                    toAsk.add(item);
                }
            }
            topics.add(items);
        }
        calls.begin(toAsk, responder, () -> response(request, topics));
    }

    private void delete(Item item, Lookup lookup, Runnable done) {
        switch (lookup) {
            case Lookup.Failed failed -> {
                item.error = failed.error().code();
                done.run();
            }
            case Lookup.Found found -> delete(item, found.partition(), done);
        }
    }

    private void delete(Item item, HostedPartition partition, Runnable done) {
        LogConfig config = partition.settings().log();
        long highWatermark = partition.highWatermark();
        long offset = item.offset == UP_TO_HIGH_WATERMARK ? highWatermark : item.offset;
        if (config.compacts() && !config.deletes()) {
            item.error = ErrorCode.POLICY_VIOLATION;
            done.run();
        } else if (offset < 0 || offset > highWatermark) {
            item.error = ErrorCode.OFFSET_OUT_OF_RANGE;
            done.run();
        } else {
            partition
                    .log()
                    .advanceLogStartOffset(
                            offset,
                            new StartOutcome() {
                                @Override
                                public void onDurable() {
                                    awaitReplicas(item, partition, offset, done);
                                }

                                @Override
                                public void onFailed(IOException cause) {
                                    item.error = ErrorCode.KAFKA_STORAGE_ERROR;
                                    done.run();
                                }
                            });
        }
    }

    /// The new start is on disk here, unless the partition failed meanwhile.
    private void awaitReplicas(Item item, HostedPartition partition, long offset, Runnable done) {
        if (partition.isLeading()) {
            Waiting waiting = new Waiting(item, partition, offset, done);
            owners.apply(item.key).shard().scheduleMs(waiting, Math.max(0, item.timeoutMs));
            partition.awaitDeleted(waiting);
        } else {
            unavailable(item, partition);
            done.run();
        }
    }

    private static void unavailable(Item item, HostedPartition partition) {
        item.error =
                partition
                        .unavailable()
                        .map(PartitionError::code)
                        .orElse(ErrorCode.NOT_LEADER_OR_FOLLOWER);
    }

    /// Waits for the followers to hear of the new start, or for the end of the request's time.
    private final class Waiting extends Timer implements Deletion {
        private final Item item;
        private final HostedPartition partition;
        private final long offset;
        private final Runnable done;

        Waiting(Item item, HostedPartition partition, long offset, Runnable done) {
            this.item = item;
            this.partition = partition;
            this.offset = offset;
            this.done = done;
        }

        @Override
        public long offset() {
            return offset;
        }

        @Override
        public void onDeleted() {
            finish(ErrorCode.NONE);
        }

        @Override
        public void onUnavailable() {
            unavailable(item, partition);
            end();
        }

        @Override
        protected void onTimeout() {
            partition.stopWaiting(this);
            finish(ErrorCode.REQUEST_TIMED_OUT);
        }

        private void finish(ErrorCode error) {
            item.error = error;
            item.lowWatermark = partition.lowWatermark();
            end();
        }

        private void end() {
            owners.apply(item.key).shard().timers().cancel(this);
            done.run();
        }
    }

    private static DeleteRecordsResponse response(
            DeleteRecordsRequest request, List<List<Item>> topics) {
        List<DeleteRecordsResponse.DeleteRecordsTopicResult> results = new ArrayList<>();
        for (int i = 0; i < topics.size(); i++) {
            results.add(
                    DeleteRecordsResponse.DeleteRecordsTopicResult.builder()
                            .name(request.topics().get(i).name())
                            .partitions(
                                    topics.get(i).stream()
                                            .map(DeleteRecordsHandler::partition)
                                            .toList())
                            .build());
        }
        return DeleteRecordsResponse.builder().topics(results).build();
    }

    private static DeleteRecordsResponse.DeleteRecordsPartitionResult partition(Item item) {
        return DeleteRecordsResponse.DeleteRecordsPartitionResult.builder()
                .partitionIndex(item.key.partition())
                .lowWatermark(item.lowWatermark)
                .errorCode(item.error.code())
                .build();
    }
}
