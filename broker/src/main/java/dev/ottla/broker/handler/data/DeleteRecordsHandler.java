package dev.ottla.broker.handler.data;

import dev.ottla.broker.coordinator.InternalTopics;
import dev.ottla.broker.partition.HostedPartition;
import dev.ottla.broker.partition.Lookup;
import dev.ottla.broker.partition.PartitionCalls;
import dev.ottla.broker.partition.PartitionKey;
import dev.ottla.broker.partition.PartitionManager;
import dev.ottla.broker.request.ApiHandler;
import dev.ottla.broker.request.RequestContext;
import dev.ottla.broker.request.Responder;
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
/// that is on disk.
public final class DeleteRecordsHandler implements ApiHandler<DeleteRecordsRequest> {
    private static final long UP_TO_HIGH_WATERMARK = -1;
    private static final long NONE = -1;

    private final Supplier<ClusterImage> image;
    private final PartitionCalls<Item> calls;

    /// @param owners the manager of the shard that owns a partition
    public DeleteRecordsHandler(
            Supplier<ClusterImage> image, Function<PartitionKey, PartitionManager> owners) {
        this.image = image;
        calls = new PartitionCalls<>(item -> item.key, owners, DeleteRecordsHandler::delete);
    }

    /// One partition of a request, and its answer.
    private static final class Item {
        final PartitionKey key;
        final long offset;
        ErrorCode error = ErrorCode.UNKNOWN_SERVER_ERROR;
        long lowWatermark = NONE;

        Item(PartitionKey key, long offset) {
            this.key = key;
            this.offset = offset;
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
                Item item = new Item(named.key(partition.partitionIndex()), partition.offset());
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

    private static void delete(Item item, Lookup lookup, Runnable done) {
        switch (lookup) {
            case Lookup.Failed failed -> {
                item.error = failed.error().code();
                done.run();
            }
            case Lookup.Found found -> delete(item, found.partition(), done);
        }
    }

    private static void delete(Item item, HostedPartition partition, Runnable done) {
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
                                    finish(item, partition);
                                    done.run();
                                }

                                @Override
                                public void onFailed(IOException cause) {
                                    item.error = ErrorCode.KAFKA_STORAGE_ERROR;
                                    done.run();
                                }
                            });
        }
    }

    /// The new start is on disk, unless the partition failed meanwhile.
    private static void finish(Item item, HostedPartition partition) {
        partition
                .unavailable()
                .ifPresentOrElse(
                        error -> item.error = error.code(),
                        () -> {
                            item.error = ErrorCode.NONE;
                            item.lowWatermark = partition.log().logStartOffset();
                        });
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
