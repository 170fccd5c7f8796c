package dev.ottla.broker.handler.data;

import dev.ottla.broker.address.BrokerAddresses;
import dev.ottla.broker.fetch.Asker;
import dev.ottla.broker.fetch.FetchContext;
import dev.ottla.broker.fetch.FetchOperation;
import dev.ottla.broker.fetch.FetchSessions;
import dev.ottla.broker.fetch.FetchTarget;
import dev.ottla.broker.fetch.ShardFetches;
import dev.ottla.broker.partition.PartitionKey;
import dev.ottla.broker.request.ApiHandler;
import dev.ottla.broker.request.RequestContext;
import dev.ottla.broker.request.Responder;
import dev.ottla.broker.settings.BrokerConfig;
import dev.ottla.config.NetworkKeys;
import dev.ottla.metadata.image.ClusterImage;
import dev.ottla.metadata.image.TopicState;
import dev.ottla.replication.FollowerFetch;
import dev.ottla.wire.ErrorCode;
import dev.ottla.wire.message.ApiKey;
import dev.ottla.wire.message.FetchRequest;
import dev.ottla.wire.message.FetchResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.Supplier;

/// Fetch 4-18 for consumers: sessions, waiting for enough bytes, isolation, truncation detection,
/// leader hints.
///
/// A leader that has just begun, and does not know yet which of its records are safe, answers
/// OFFSET_NOT_AVAILABLE to who cannot wait: its high watermark says nothing about the end.
///
/// Followers read to the log's end, without regard to the isolation level; a request names its
/// broker's epoch from version 15 on.
public final class FetchHandler implements ApiHandler<FetchRequest> {
    private static final short FIRST_WITH_OFFSET_NOT_AVAILABLE = 11;
    private static final short FIRST_WITH_RACKS = 11;
    private static final short FIRST_WITH_TOPIC_IDS = 13;
    private static final LeaderHints.Since LEADERS_SINCE = new LeaderHints.Since(12, 16);
    private static final short FIRST_WITH_SESSIONS = 7;
    private static final byte READ_COMMITTED = 1;
    private static final int FINAL_EPOCH = -1;

    /// The parts of the broker that it uses.
    ///
    /// @param owners the fetches of the shard that owns a partition
    /// @param loops the network loops by index
    public record Parts(
            Supplier<ClusterImage> image,
            BrokerConfig config,
            FetchSessions sessions,
            Function<PartitionKey, ShardFetches> owners,
            IntFunction<Executor> loops,
            BrokerAddresses addresses) {}

    private final Parts parts;

    public FetchHandler(Parts parts) {
        this.parts = parts;
    }

    @Override
    public ApiKey api() {
        return ApiKey.FETCH;
    }

    @Override
    public void handle(RequestContext context, FetchRequest request, Responder responder) {
        FetchSessions.Request session = session(context, request);
        int here = context.connection().loopIndex();
        int owner = parts.sessions().loopOf(session.sessionId());
        if (session.isFull()) {
            if (session.sessionId() != FetchContext.NO_SESSION) {
                // The client gives up its old session, wherever that is.
                parts.loops()
                        .apply(owner)
                        .execute(() -> parts.sessions().remove(session.sessionId()));
            }
            new Exchange(context, request, responder, here).begin(session);
        } else if (owner == here) {
            new Exchange(context, request, responder, here).begin(session);
        } else {
            Exchange elsewhere = new Exchange(context, request, responder, owner);
            parts.loops().apply(owner).execute(responder.guarded(() -> elsewhere.begin(session)));
        }
    }

    private static FetchSessions.Request session(RequestContext context, FetchRequest request) {
        List<FetchTarget> targets = new ArrayList<>();
        for (FetchRequest.FetchTopic topic : request.topics()) {
            for (FetchRequest.FetchPartition partition : topic.partitions()) {
                targets.add(
                        new FetchTarget(
                                topic.topicId(),
                                topic.topic(),
                                partition.partition(),
                                partition.currentLeaderEpoch(),
                                partition.fetchOffset(),
                                partition.lastFetchedEpoch(),
                                partition.logStartOffset(),
                                partition.partitionMaxBytes()));
            }
        }
        List<FetchTarget.SessionKey> forgotten = new ArrayList<>();
        for (FetchRequest.ForgottenTopic topic : request.forgottenTopicsData()) {
            for (int partition : topic.partitions()) {
                forgotten.add(
                        new FetchTarget.SessionKey(topic.topicId(), topic.topic(), partition));
            }
        }
        boolean sessions = context.version() >= FIRST_WITH_SESSIONS;
        return new FetchSessions.Request(
                sessions ? request.sessionId() : FetchContext.NO_SESSION,
                sessions ? request.sessionEpoch() : FINAL_EPOCH,
                context.version() >= FIRST_WITH_TOPIC_IDS,
                targets,
                forgotten);
    }

    /// One request, on the loop of its session.
    private final class Exchange {
        private final RequestContext context;
        private final FetchRequest request;
        private final Responder responder;
        private final int loop;
        private final ClusterImage image = parts.image().get();

        Exchange(RequestContext context, FetchRequest request, Responder responder, int loop) {
            this.context = context;
            this.request = request;
            this.responder = responder;
            this.loop = loop;
        }

        void begin(FetchSessions.Request sessionRequest) {
            FetchContext session = parts.sessions().open(loop, sessionRequest);
            if (session instanceof FetchContext.Refused refused) {
                responder.respond(
                        FetchResponse.builder().errorCode(refused.error().code()).build());
                return;
            }
            FetchOperation[] itself = new FetchOperation[1];
            FetchOperation operation =
                    new FetchOperation(
                            limits(session),
                            parts.loops().apply(loop),
                            responder.guarded(() -> finish(session, itself[0])));
            itself[0] = operation;
            for (FetchTarget target : session.targets()) {
                add(operation, session, target);
            }
            operation.begin(parts.owners());
        }

        private FetchOperation.Limits limits(FetchContext session) {
            Asker asker = asker(session);
            int maxBytes =
                    Math.max(
                            0,
                            Math.min(
                                    request.maxBytes(),
                                    parts.config().broker().value(NetworkKeys.FETCH_MAX_BYTES)));
            return new FetchOperation.Limits(
                    request.maxWaitMs(),
                    Math.min(request.minBytes(), maxBytes),
                    maxBytes,
                    request.isolationLevel() == READ_COMMITTED && asker instanceof Asker.Consumer,
                    context.version() >= FIRST_WITH_OFFSET_NOT_AVAILABLE
                            ? ErrorCode.OFFSET_NOT_AVAILABLE
                            : ErrorCode.NOT_LEADER_OR_FOLLOWER,
                    asker,
                    context.connection()::isSlow);
        }

        private boolean isFollowers() {
            return request.replicaState().replicaId() >= 0 || request.replicaId() >= 0;
        }

        private Asker asker(FetchContext session) {
            OptionalLong answeredNs = session.answeredNs();
            long answeredMs =
                    answeredNs.isPresent()
                            ? TimeUnit.NANOSECONDS.toMillis(answeredNs.getAsLong())
                            : FollowerFetch.NEVER_MS;
            if (request.replicaState().replicaId() >= 0) {
                return new Asker.Follower(
                        request.replicaState().replicaId(),
                        request.replicaState().replicaEpoch(),
                        answeredMs);
            }
            return request.replicaId() >= 0
                    ? new Asker.Follower(request.replicaId(), -1, answeredMs)
                    : new Asker.Consumer(context.version() < FIRST_WITH_RACKS, request.rackId());
        }

        private void add(FetchOperation operation, FetchContext session, FetchTarget target) {
            boolean byId = context.version() >= FIRST_WITH_TOPIC_IDS;
            Optional<TopicState> topic =
                    byId ? image.topic(target.topicId()) : image.topic(target.topic());
            if (topic.isEmpty()) {
                operation.addFailed(
                        target,
                        byId ? ErrorCode.UNKNOWN_TOPIC_ID : ErrorCode.UNKNOWN_TOPIC_OR_PARTITION,
                        "There is no such topic.");
            } else if (topic.get().partition(target.partition()).isEmpty()) {
                operation.addFailed(
                        target,
                        ErrorCode.UNKNOWN_TOPIC_OR_PARTITION,
                        "There is no such partition.");
            } else {
                PartitionKey key = new PartitionKey(topic.get().id(), target.partition());
                Optional<FetchTarget.Told> told =
                        isFollowers() ? session.told(target) : Optional.empty();
                told.ifPresentOrElse(
                        known -> operation.add(target, key, known),
                        () -> operation.add(target, key));
            }
        }

        private void finish(FetchContext session, FetchOperation operation) {
            FetchResponse response;
            try {
                response = response(session.answer(operation.parts()));
            } catch (RuntimeException e) {
                operation.releaseRecords();
                throw e;
            }
            responder.respond(response);
        }

        private FetchResponse response(FetchContext.Answer answer) {
            LeaderHints<FetchResponse.NodeEndpoint> hints = hints();
            return FetchResponse.builder()
                    .sessionId(answer.sessionId())
                    .responses(topics(answer, hints))
                    .nodeEndpoints(hints.endpoints())
                    .build();
        }

        private LeaderHints<FetchResponse.NodeEndpoint> hints() {
            return new LeaderHints<>(
                    parts.image().get(),
                    parts.addresses(),
                    context,
                    LEADERS_SINCE,
                    (id, endpoint) ->
                            FetchResponse.NodeEndpoint.builder()
                                    .nodeId(id)
                                    .host(endpoint.host())
                                    .port(endpoint.port())
                                    .build());
        }

        /// Neighbours of the same topic share an entry.
        private static List<FetchResponse.FetchableTopicResponse> topics(
                FetchContext.Answer answer, LeaderHints<FetchResponse.NodeEndpoint> hints) {
            List<FetchResponse.FetchableTopicResponse> topics = new ArrayList<>();
            List<FetchResponse.PartitionData> partitions = new ArrayList<>();
            for (int i = 0; i < answer.parts().size(); i++) {
                FetchTarget target = answer.parts().get(i).target();
                partitions.add(FetchAnswers.partition(answer.parts().get(i), hints));
                boolean last =
                        i + 1 == answer.parts().size()
                                || !isSameTopic(target, answer.parts().get(i + 1).target());
                if (last) {
                    topics.add(
                            FetchResponse.FetchableTopicResponse.builder()
                                    .topic(target.topic())
                                    .topicId(target.topicId())
                                    .partitions(partitions)
                                    .build());
                    partitions = new ArrayList<>();
                }
            }
            return topics;
        }

        private static boolean isSameTopic(FetchTarget one, FetchTarget other) {
            return one.topicId().equals(other.topicId()) && one.topic().equals(other.topic());
        }
    }
}
