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
import dev.ottla.log.TimestampedOffset;
import dev.ottla.metadata.image.ClusterImage;
import dev.ottla.wire.ErrorCode;
import dev.ottla.wire.message.ApiKey;
import dev.ottla.wire.message.ListOffsetsRequest;
import dev.ottla.wire.message.ListOffsetsResponse;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/// ListOffsets 1-11: first, last, by time, largest time. A new leader answers OFFSET_NOT_AVAILABLE
/// until its high watermark has reached the start of its epoch (KIP-207), so that no client sees
/// the end go back.
public final class ListOffsetsHandler implements ApiHandler<ListOffsetsRequest> {
    private static final byte READ_COMMITTED = 1;
    private static final short FIRST_WITH_OFFSET_NOT_AVAILABLE = 5;
    private static final long NONE = -1;

    private static final long LATEST = -1;
    private static final long EARLIEST = -2;
    private static final long MAX_TIMESTAMP = -3;
    private static final long EARLIEST_LOCAL = -4;
    private static final long LATEST_TIERED = -5;
    private static final long EARLIEST_PENDING_UPLOAD = -6;

    private final Supplier<ClusterImage> image;
    private final PartitionCalls<Item> calls;

    /// @param owners the manager of the shard that owns a partition
    public ListOffsetsHandler(
            Supplier<ClusterImage> image, Function<PartitionKey, PartitionManager> owners) {
        this.image = image;
        calls = new PartitionCalls<>(item -> item.key, owners, ListOffsetsHandler::answer);
    }

    /// One partition of a request, and its answer.
    private static final class Item {
        final PartitionKey key;
        final ListOffsetsRequest.ListOffsetsPartition wanted;
        final boolean committedOnly;
        final short version;
        ErrorCode error = ErrorCode.UNKNOWN_SERVER_ERROR;
        long offset = NONE;
        long timestamp = NONE;
        int leaderEpoch = -1;

        Item(
                PartitionKey key,
                ListOffsetsRequest.ListOffsetsPartition wanted,
                boolean committedOnly,
                short version) {
            this.key = key;
            this.wanted = wanted;
            this.committedOnly = committedOnly;
            this.version = version;
        }

        void found(long foundOffset, long foundTimestamp, int epoch) {
            error = ErrorCode.NONE;
            offset = foundOffset;
            timestamp = foundTimestamp;
            leaderEpoch = epoch;
        }
    }

    @Override
    public ApiKey api() {
        return ApiKey.LIST_OFFSETS;
    }

    @Override
    public void handle(RequestContext context, ListOffsetsRequest request, Responder responder) {
        ClusterImage now = image.get();
        List<List<Item>> topics = new ArrayList<>();
        List<Item> toAsk = new ArrayList<>();
        for (ListOffsetsRequest.ListOffsetsTopic topic : request.topics()) {
            topics.add(items(new NamedTopic(now, topic.name()), topic, request, context));
        }
        for (List<Item> items : topics) {
            for (Item item : items) {
                if (item.error == ErrorCode.UNKNOWN_SERVER_ERROR) {
                    toAsk.add(item);
                }
            }
        }
        calls.begin(toAsk, responder, () -> response(request, topics));
    }

    /// One for each partition, those refused already with their error. A partition that is named
    /// twice is answered once.
    private static List<Item> items(
            NamedTopic named,
            ListOffsetsRequest.ListOffsetsTopic topic,
            ListOffsetsRequest request,
            RequestContext context) {
        boolean committedOnly = request.isolationLevel() == READ_COMMITTED;
        Map<Integer, Item> items = new LinkedHashMap<>();
        for (ListOffsetsRequest.ListOffsetsPartition partition : topic.partitions()) {
            int index = partition.partitionIndex();
            Item item = new Item(named.key(index), partition, committedOnly, context.version());
            if (items.put(index, item) != null) {
                item.error = ErrorCode.INVALID_REQUEST;
            } else if (!named.has(index)) {
                item.error = ErrorCode.UNKNOWN_TOPIC_OR_PARTITION;
            } else if (!isKnown(partition.timestamp(), context.version())) {
                item.error = ErrorCode.UNSUPPORTED_VERSION;
            }
        }
        return List.copyOf(items.values());
    }

    /// Special timestamps came one by one with new versions.
    private static boolean isKnown(long timestamp, short version) {
        if (timestamp >= EARLIEST) {
            return true;
        }
        return (timestamp == MAX_TIMESTAMP && version >= 7)
                || (timestamp == EARLIEST_LOCAL && version >= 8)
                || (timestamp == LATEST_TIERED && version >= 9)
                || (timestamp == EARLIEST_PENDING_UPLOAD && version >= 11);
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
            return;
        }
        long timestamp = item.wanted.timestamp();
        long end = partition.readableEndOffset(item.committedOnly);
        if (timestamp == EARLIEST || timestamp == EARLIEST_LOCAL) {
            long start = partition.log().logStartOffset();
            answer(item, start, partition.log().epochAt(start));
        } else if (timestamp == LATEST_TIERED || timestamp == EARLIEST_PENDING_UPLOAD) {
            item.found(NONE, NONE, -1);
        } else if (timestamp == LATEST) {
            if (!partition.isSettled()) {
                item.error = notAvailable(item.version);
            } else if (partition.isLeading() && !partition.isCertainToLead()) {
                // Another one may be further by now, and ends do not go back.
                item.error = ErrorCode.NOT_LEADER_OR_FOLLOWER;
            } else {
                answer(item, end, partition.log().latestEpoch());
            }
        } else {
            find(item, partition, end);
        }
    }

    private static void answer(Item item, long offset, LookupOutcome<Integer> epochOfIt) {
        switch (epochOfIt) {
            case LookupOutcome.Offline<?> _ -> item.error = ErrorCode.KAFKA_STORAGE_ERROR;
            case LookupOutcome.Found<Integer>(var epoch) -> item.found(offset, NONE, epoch);
        }
    }

    private static void find(Item item, HostedPartition partition, long end) {
        LookupOutcome<Optional<TimestampedOffset>> outcome =
                item.wanted.timestamp() == MAX_TIMESTAMP
                        ? partition.log().maxTimestampOffset(end)
                        : partition.log().offsetForTimestamp(item.wanted.timestamp(), end);
        switch (outcome) {
            case LookupOutcome.Offline<?> _ -> item.error = ErrorCode.KAFKA_STORAGE_ERROR;
            case LookupOutcome.Found<Optional<TimestampedOffset>>(var found) ->
                    found.ifPresentOrElse(
                            record ->
                                    item.found(
                                            record.offset(),
                                            record.timestamp(),
                                            record.leaderEpoch()),
                            () -> onNothingFound(item, partition));
        }
    }

    private static void onNothingFound(Item item, HostedPartition partition) {
        if (partition.isSettled()) {
            item.found(NONE, NONE, -1);
        } else {
            item.error = notAvailable(item.version);
        }
    }

    private static ErrorCode notAvailable(short version) {
        return version >= FIRST_WITH_OFFSET_NOT_AVAILABLE
                ? ErrorCode.OFFSET_NOT_AVAILABLE
                : ErrorCode.LEADER_NOT_AVAILABLE;
    }

    private static ListOffsetsResponse response(
            ListOffsetsRequest request, List<List<Item>> topics) {
        List<ListOffsetsResponse.ListOffsetsTopicResponse> answers = new ArrayList<>();
        for (int i = 0; i < topics.size(); i++) {
            answers.add(
                    ListOffsetsResponse.ListOffsetsTopicResponse.builder()
                            .name(request.topics().get(i).name())
                            .partitions(
                                    topics.get(i).stream()
                                            .map(ListOffsetsHandler::partition)
                                            .toList())
                            .build());
        }
        return ListOffsetsResponse.builder().topics(answers).build();
    }

    private static ListOffsetsResponse.ListOffsetsPartitionResponse partition(Item item) {
        return ListOffsetsResponse.ListOffsetsPartitionResponse.builder()
                .partitionIndex(item.wanted.partitionIndex())
                .errorCode(item.error.code())
                .offset(item.offset)
                .timestamp(item.timestamp)
                .leaderEpoch(item.version >= 4 ? item.leaderEpoch : -1)
                .build();
    }
}
