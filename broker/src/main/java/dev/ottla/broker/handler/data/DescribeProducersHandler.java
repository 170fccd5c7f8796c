package dev.ottla.broker.handler.data;

import dev.ottla.broker.partition.Lookup;
import dev.ottla.broker.partition.PartitionCalls;
import dev.ottla.broker.partition.PartitionKey;
import dev.ottla.broker.partition.PartitionManager;
import dev.ottla.broker.request.ApiHandler;
import dev.ottla.broker.request.RequestContext;
import dev.ottla.broker.request.Responder;
import dev.ottla.log.LookupOutcome;
import dev.ottla.log.producer.ProducerEntry;
import dev.ottla.metadata.image.ClusterImage;
import dev.ottla.wire.ErrorCode;
import dev.ottla.wire.ErrorText;
import dev.ottla.wire.message.ApiKey;
import dev.ottla.wire.message.DescribeProducersRequest;
import dev.ottla.wire.message.DescribeProducersResponse;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

/// DescribeProducers 0: the idempotent producers that a partition remembers (KIP-664).
public final class DescribeProducersHandler implements ApiHandler<DescribeProducersRequest> {
    private final Supplier<ClusterImage> image;
    private final PartitionCalls<Item> calls;

    /// @param owners the manager of the shard that owns a partition
    public DescribeProducersHandler(
            Supplier<ClusterImage> image, Function<PartitionKey, PartitionManager> owners) {
        this.image = image;
        calls = new PartitionCalls<>(item -> item.key, owners, DescribeProducersHandler::answer);
    }

    /// One partition of a request, and its answer.
    private static final class Item {
        final PartitionKey key;
        ErrorCode error = ErrorCode.UNKNOWN_SERVER_ERROR;
        String message = "The partition could not be asked.";
        List<DescribeProducersResponse.ProducerState> producers = List.of();

        Item(PartitionKey key) {
            this.key = key;
        }

        void fail(ErrorCode code, String why) {
            error = code;
            message = ErrorText.bounded(why);
        }
    }

    @Override
    public ApiKey api() {
        return ApiKey.DESCRIBE_PRODUCERS;
    }

    @Override
    public void handle(
            RequestContext context, DescribeProducersRequest request, Responder responder) {
        ClusterImage now = image.get();
        List<List<Item>> topics = new ArrayList<>();
        List<Item> toAsk = new ArrayList<>();
        for (DescribeProducersRequest.TopicRequest topic : request.topics()) {
            NamedTopic named = new NamedTopic(now, topic.name());
            List<Item> items = new ArrayList<>();
            for (int partition : topic.partitionIndexes()) {
                Item item = new Item(named.key(partition));
                items.add(item);
                if (named.has(partition)) {
                    toAsk.add(item);
                } else {
                    item.fail(
                            ErrorCode.UNKNOWN_TOPIC_OR_PARTITION,
                            "There is no partition "
                                    + partition
                                    + " of topic "
                                    + topic.name()
                                    + ".");
                }
            }
            topics.add(items);
        }
        calls.begin(toAsk, responder, () -> response(request, topics));
    }

    private static void answer(Item item, Lookup lookup, Runnable done) {
        switch (lookup) {
            case Lookup.Failed failed -> item.fail(failed.error().code(), failed.error().message());
            case Lookup.Found found -> answer(item, found.partition().log().activeProducers());
        }
        done.run();
    }

    private static void answer(Item item, LookupOutcome<Collection<ProducerEntry>> outcome) {
        switch (outcome) {
            case LookupOutcome.Offline<?> offline ->
                    item.fail(ErrorCode.KAFKA_STORAGE_ERROR, offline.reason());
            case LookupOutcome.Found<Collection<ProducerEntry>>(var producers) -> {
                item.error = ErrorCode.NONE;
                item.producers =
                        producers.stream().map(DescribeProducersHandler::producer).toList();
            }
        }
    }

    private static DescribeProducersResponse.ProducerState producer(ProducerEntry entry) {
        return DescribeProducersResponse.ProducerState.builder()
                .producerId(entry.producerId())
                .producerEpoch(entry.producerEpoch())
                .lastSequence(entry.lastSequence())
                .lastTimestamp(entry.lastTimestamp())
                .coordinatorEpoch(entry.coordinatorEpoch())
                .currentTxnStartOffset(entry.currentTransactionFirstOffset())
                .build();
    }

    private static DescribeProducersResponse response(
            DescribeProducersRequest request, List<List<Item>> topics) {
        List<DescribeProducersResponse.TopicResponse> results = new ArrayList<>();
        for (int i = 0; i < topics.size(); i++) {
            results.add(
                    DescribeProducersResponse.TopicResponse.builder()
                            .name(request.topics().get(i).name())
                            .partitions(
                                    topics.get(i).stream()
                                            .map(DescribeProducersHandler::partition)
                                            .toList())
                            .build());
        }
        return DescribeProducersResponse.builder().topics(results).build();
    }

    private static DescribeProducersResponse.PartitionResponse partition(Item item) {
        return DescribeProducersResponse.PartitionResponse.builder()
                .partitionIndex(item.key.partition())
                .errorCode(item.error.code())
                .errorMessage(item.error == ErrorCode.NONE ? null : item.message)
                .activeProducers(item.producers)
                .build();
    }
}
