package dev.ottla.broker.handler.data;

import dev.ottla.broker.address.BrokerAddresses;
import dev.ottla.broker.coordinator.InternalTopics;
import dev.ottla.broker.partition.PartitionError;
import dev.ottla.broker.partition.PartitionKey;
import dev.ottla.broker.produce.BatchChecks;
import dev.ottla.broker.produce.ProduceOperation;
import dev.ottla.broker.produce.ProduceOperation.Answer;
import dev.ottla.broker.produce.ProducePart;
import dev.ottla.broker.produce.Produces;
import dev.ottla.broker.request.ApiHandler;
import dev.ottla.broker.request.RequestContext;
import dev.ottla.broker.request.Responder;
import dev.ottla.broker.settings.BrokerConfig;
import dev.ottla.broker.settings.TopicSettings;
import dev.ottla.metadata.image.ClusterImage;
import dev.ottla.metadata.image.TopicState;
import dev.ottla.record.RecordBatch;
import dev.ottla.wire.BufferRecords;
import dev.ottla.wire.ErrorCode;
import dev.ottla.wire.RecordsPayload;
import dev.ottla.wire.Uuid;
import dev.ottla.wire.message.ApiKey;
import dev.ottla.wire.message.ProduceRequest;
import dev.ottla.wire.message.ProduceResponse;
import java.nio.ByteBuffer;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Produce 3-13: checks batches, hands them to the shards, answers when each is where `acks` wants
/// it.
///
/// Advertised from version 0: librdkafka decides by that whether it may compress (KAFKA-18659).
public final class ProduceHandler implements ApiHandler<ProduceRequest> {
    private static final short FIRST_WITH_TOPIC_IDS = 13;
    private static final LeaderHints.Since LEADERS_SINCE = new LeaderHints.Since(10, 10);

    // In the header of a batch: a client may send anything, so no view of the batch is made here.
    private static final int ATTRIBUTES_LOW_BYTE = 22;
    private static final int TRANSACTIONAL = 0x10;

    /// The parts of the broker that it uses.
    public record Parts(
            Supplier<ClusterImage> image,
            BrokerConfig config,
            Produces produces,
            BrokerAddresses addresses,
            InstantSource clock) {}

    private final Parts parts;

    public ProduceHandler(Parts parts) {
        this.parts = parts;
    }

    @Override
    public ApiKey api() {
        return ApiKey.PRODUCE;
    }

    @Override
    public short oldestAdvertised() {
        return 0;
    }

    @Override
    public void handle(RequestContext context, ProduceRequest request, Responder responder) {
        new Exchange(context, request, responder).begin();
    }

    /// One request.
    private final class Exchange {
        private final RequestContext context;
        private final ProduceRequest request;
        private final Responder responder;
        private final ClusterImage image = parts.image().get();
        private final long nowMs = parts.clock().millis();
        private final ProduceOperation operation;
        private final List<Produces.Unchecked> unchecked = new ArrayList<>(1);

        Exchange(RequestContext context, ProduceRequest request, Responder responder) {
            this.context = context;
            this.request = request;
            this.responder = responder;
            operation =
                    new ProduceOperation(
                            answer(),
                            request.timeoutMs(),
                            nowMs,
                            context.memory(),
                            responder.guarded(this::finish));
        }

        private Answer answer() {
            return switch (request.acks()) {
                case 0 -> Answer.NEVER;
                case -1 -> Answer.WHEN_ON_ALL_IN_SYNC_REPLICAS;
                default -> Answer.WHEN_IN_LEADERS_LOG;
            };
        }

        void begin() {
            for (ProduceRequest.TopicProduceData topic : request.topicData()) {
                Optional<TopicState> state = find(topic);
                for (ProduceRequest.PartitionProduceData partition : topic.partitionData()) {
                    if (state.isPresent()) {
                        add(state.get(), partition);
                    } else {
                        addUnknown(topic, partition.index());
                    }
                }
            }
            parts.produces().begin(context.connection(), operation, unchecked, responder);
        }

        private boolean usesTopicIds() {
            return context.version() >= FIRST_WITH_TOPIC_IDS;
        }

        private Optional<TopicState> find(ProduceRequest.TopicProduceData topic) {
            return usesTopicIds() ? image.topic(topic.topicId()) : image.topic(topic.name());
        }

        private void addUnknown(ProduceRequest.TopicProduceData topic, int partition) {
            if (usesTopicIds()) {
                operation.addRefused(
                        new PartitionKey(topic.topicId(), partition),
                        ErrorCode.UNKNOWN_TOPIC_ID,
                        "There is no topic with id " + topic.topicId() + ".");
            } else {
                operation.addRefused(
                        new PartitionKey(Uuid.ZERO, partition),
                        ErrorCode.UNKNOWN_TOPIC_OR_PARTITION,
                        "There is no topic " + topic.name() + ".");
            }
        }

        private void add(TopicState topic, ProduceRequest.PartitionProduceData partition) {
            PartitionKey key = new PartitionKey(topic.id(), partition.index());
            if (request.acks() < -1 || request.acks() > 1) {
                operation.addRefused(
                        key,
                        ErrorCode.INVALID_REQUIRED_ACKS,
                        "acks is " + request.acks() + "; -1, 0 and 1 are allowed.");
            } else if (InternalTopics.contains(topic.name())
                    && !InternalTopics.mayWrite(context.clientId())) {
                operation.addRefused(
                        key,
                        ErrorCode.INVALID_TOPIC_EXCEPTION,
                        "Topic " + topic.name() + " is written by the broker itself only.");
            } else if (isTransactional(partition)) {
                refuseTransactional(key);
            } else if (topic.partition(partition.index()).isEmpty()) {
                operation.addRefused(
                        key,
                        ErrorCode.UNKNOWN_TOPIC_OR_PARTITION,
                        "Topic %s has the partitions 0 to %d, not %d."
                                .formatted(
                                        topic.name(),
                                        topic.partitionCount() - 1,
                                        partition.index()));
            } else {
                TopicSettings settings = parts.config().topic(topic, image);
                ProducePart part = operation.add(key, buffer(partition.records()));
                unchecked.add(
                        new Produces.Unchecked(
                                part,
                                new BatchChecks.Terms(
                                        settings.rules(),
                                        context.version(),
                                        settings.maxDecompressedBytes(),
                                        nowMs)));
            }
        }

        private static boolean isTransactional(ProduceRequest.PartitionProduceData partition) {
            ByteBuffer records = buffer(partition.records());
            return records.remaining() >= RecordBatch.HEADER_BYTES
                    && (records.get(records.position() + ATTRIBUTES_LOW_BYTE) & TRANSACTIONAL) != 0;
        }

        /// There are no transactions yet, so none can have this partition in it.
        private void refuseTransactional(PartitionKey key) {
            if (request.transactionalId() == null) {
                operation.addRefused(
                        key,
                        ErrorCode.TRANSACTIONAL_ID_AUTHORIZATION_FAILED,
                        "A transactional batch needs a transactional id.");
            } else {
                operation.addRefused(
                        key,
                        ErrorCode.INVALID_TXN_STATE,
                        "Transactional id "
                                + request.transactionalId()
                                + " has no open transaction.");
            }
        }

        private static ByteBuffer buffer(@Nullable RecordsPayload records) {
            return records instanceof BufferRecords inMemory
                    ? inMemory.buffer()
                    : ByteBuffer.allocate(0);
        }

        private void finish() {
            if (operation.hasFailed()) {
                responder.close("sent records while this broker failed");
            } else if (request.acks() == 0) {
                finishWithoutAnswer();
            } else {
                responder.respond(response());
            }
        }

        /// The only way to tell a client that waits for no answer: it will ask for metadata again.
        private void finishWithoutAnswer() {
            Optional<PartitionError> error =
                    operation.parts().stream().flatMap(part -> part.error().stream()).findFirst();
            if (error.isPresent()) {
                responder.close(
                        "asked for no answer to records that could not be appended: "
                                + error.get().message());
            } else {
                responder.noResponse();
            }
        }

        private ProduceResponse response() {
            LeaderHints<ProduceResponse.NodeEndpoint> hints =
                    new LeaderHints<>(
                            parts.image().get(),
                            parts.addresses(),
                            context,
                            LEADERS_SINCE,
                            (id, endpoint) ->
                                    ProduceResponse.NodeEndpoint.builder()
                                            .nodeId(id)
                                            .host(endpoint.host())
                                            .port(endpoint.port())
                                            .build());
            List<ProduceResponse.TopicProduceResponse> topics =
                    new ArrayList<>(request.topicData().size());
            int next = 0;
            for (ProduceRequest.TopicProduceData topic : request.topicData()) {
                List<ProduceResponse.PartitionProduceResponse> partitions =
                        new ArrayList<>(topic.partitionData().size());
                for (int i = 0; i < topic.partitionData().size(); i++) {
                    partitions.add(partition(operation.parts().get(next++), hints));
                }
                topics.add(
                        ProduceResponse.TopicProduceResponse.builder()
                                .name(topic.name())
                                .topicId(topic.topicId())
                                .partitionResponses(partitions)
                                .build());
            }
            return ProduceResponse.builder()
                    .responses(topics)
                    .nodeEndpoints(hints.endpoints())
                    .build();
        }

        private static ProduceResponse.PartitionProduceResponse partition(
                ProducePart part, LeaderHints<ProduceResponse.NodeEndpoint> hints) {
            ProduceResponse.PartitionProduceResponse.Builder builder =
                    ProduceResponse.PartitionProduceResponse.builder()
                            .index(part.key().partition())
                            .baseOffset(part.baseOffset())
                            .logAppendTimeMs(part.logAppendTimeMs())
                            .logStartOffset(part.logStartOffset());
            Optional<PartitionError> error = part.error();
            if (error.isPresent()) {
                builder.errorCode(error.get().code().code())
                        .errorMessage(error.get().message())
                        .baseOffset(-1)
                        .recordErrors(
                                part.recordErrors().stream()
                                        .map(fault ->
                                                ProduceResponse.BatchIndexAndErrorMessage.builder()
                                                        .batchIndex(fault.batchIndex())
                                                        .batchIndexErrorMessage(fault.message())
                                                        .build())
                                        .toList());
                hints.leader(part.key(), error.get().code())
                        .ifPresent(leader ->
                                builder.currentLeader(
                                        ProduceResponse.LeaderIdAndEpoch.builder()
                                                .leaderId(leader.id())
                                                .leaderEpoch(leader.epoch())
                                                .build()));
            }
            return builder.build();
        }
    }
}
