package dev.ottla.broker.handler.data;

import dev.ottla.broker.partition.HostedPartition;
import dev.ottla.broker.partition.Lookup;
import dev.ottla.broker.partition.PartitionCalls;
import dev.ottla.broker.partition.PartitionError;
import dev.ottla.broker.partition.PartitionKey;
import dev.ottla.broker.partition.PartitionManager;
import dev.ottla.broker.request.ApiHandler;
import dev.ottla.broker.request.RequestContext;
import dev.ottla.broker.request.Responder;
import dev.ottla.log.LookupOutcome;
import dev.ottla.log.epoch.EpochEndOffset;
import dev.ottla.metadata.image.ClusterImage;
import dev.ottla.wire.ErrorCode;
import dev.ottla.wire.message.ApiKey;
import dev.ottla.wire.message.OffsetForLeaderEpochRequest;
import dev.ottla.wire.message.OffsetForLeaderEpochResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/// OffsetForLeaderEpoch 2-4: where an epoch ends, so that clients notice that records they read are
/// gone (KIP-320).
public final class OffsetForLeaderEpochHandler implements ApiHandler<OffsetForLeaderEpochRequest> {
    private final Supplier<ClusterImage> image;
    private final PartitionCalls<Item> calls;

    /// @param owners the manager of the shard that owns a partition
    public OffsetForLeaderEpochHandler(
            Supplier<ClusterImage> image, Function<PartitionKey, PartitionManager> owners) {
        this.image = image;
        calls = new PartitionCalls<>(item -> item.key, owners, OffsetForLeaderEpochHandler::answer);
    }

    /// One partition of a request, and its answer.
    private static final class Item {
        final PartitionKey key;
        final OffsetForLeaderEpochRequest.OffsetForLeaderPartition wanted;
        ErrorCode error = ErrorCode.UNKNOWN_SERVER_ERROR;
        EpochEndOffset end = EpochEndOffset.UNDEFINED;

        Item(PartitionKey key, OffsetForLeaderEpochRequest.OffsetForLeaderPartition wanted) {
            this.key = key;
            this.wanted = wanted;
        }
    }

    @Override
    public ApiKey api() {
        return ApiKey.OFFSET_FOR_LEADER_EPOCH;
    }

    @Override
    public void handle(
            RequestContext context, OffsetForLeaderEpochRequest request, Responder responder) {
        ClusterImage now = image.get();
        List<List<Item>> topics = new ArrayList<>();
        List<Item> toAsk = new ArrayList<>();
        for (OffsetForLeaderEpochRequest.OffsetForLeaderTopic topic : request.topics()) {
            NamedTopic named = new NamedTopic(now, topic.topic());
            List<Item> items = new ArrayList<>();
            for (OffsetForLeaderEpochRequest.OffsetForLeaderPartition partition :
                    topic.partitions()) {
                Item item = new Item(named.key(partition.partition()), partition);
                items.add(item);
                if (named.has(partition.partition())) {
                    toAsk.add(item);
                } else {
                    item.error = ErrorCode.UNKNOWN_TOPIC_OR_PARTITION;
                }
            }
            topics.add(items);
        }
        calls.begin(toAsk, responder, () -> response(request, topics));
    }

    private static void answer(Item item, Lookup lookup, Runnable done) {
        switch (lookup) {
            case Lookup.Failed failed -> item.error = failed.error().code();
            case Lookup.Found found -> answer(item, found.partition());
        }
        done.run();
    }

    private static void answer(Item item, HostedPartition partition) {
        Optional<PartitionError> epochError =
                partition.checkEpoch(item.wanted.currentLeaderEpoch());
        if (epochError.isPresent()) {
            item.error = epochError.get().code();
        } else {
            switch (partition.log().endOffsetForEpoch(item.wanted.leaderEpoch())) {
                case LookupOutcome.Offline<?> _ -> item.error = ErrorCode.KAFKA_STORAGE_ERROR;
                case LookupOutcome.Found<EpochEndOffset>(var end) -> {
                    item.error = ErrorCode.NONE;
                    item.end = end;
                }
            }
        }
    }

    private static OffsetForLeaderEpochResponse response(
            OffsetForLeaderEpochRequest request, List<List<Item>> topics) {
        List<OffsetForLeaderEpochResponse.OffsetForLeaderTopicResult> results = new ArrayList<>();
        for (int i = 0; i < topics.size(); i++) {
            results.add(
                    OffsetForLeaderEpochResponse.OffsetForLeaderTopicResult.builder()
                            .topic(request.topics().get(i).topic())
                            .partitions(
                                    topics.get(i).stream()
                                            .map(OffsetForLeaderEpochHandler::partition)
                                            .toList())
                            .build());
        }
        return OffsetForLeaderEpochResponse.builder().topics(results).build();
    }

    private static OffsetForLeaderEpochResponse.EpochEndOffset partition(Item item) {
        return OffsetForLeaderEpochResponse.EpochEndOffset.builder()
                .partition(item.wanted.partition())
                .errorCode(item.error.code())
                .leaderEpoch(item.end.leaderEpoch())
                .endOffset(item.end.endOffset())
                .build();
    }
}
