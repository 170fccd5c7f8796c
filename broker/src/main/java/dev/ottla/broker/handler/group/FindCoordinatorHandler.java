package dev.ottla.broker.handler.group;

import dev.ottla.broker.coordinator.GroupCoordinators;
import dev.ottla.broker.coordinator.InternalTopics;
import dev.ottla.broker.handler.cluster.AutoTopicCreation;
import dev.ottla.broker.handler.cluster.ClusterView;
import dev.ottla.broker.request.ApiHandler;
import dev.ottla.broker.request.ClientConnection;
import dev.ottla.broker.request.RequestContext;
import dev.ottla.broker.request.Responder;
import dev.ottla.config.HostPort;
import dev.ottla.metadata.image.BrokerState;
import dev.ottla.metadata.image.ClusterImage;
import dev.ottla.wire.ErrorCode;
import dev.ottla.wire.ErrorText;
import dev.ottla.wire.message.ApiKey;
import dev.ottla.wire.message.FindCoordinatorRequest;
import dev.ottla.wire.message.FindCoordinatorResponse;
import dev.ottla.wire.message.FindCoordinatorResponse.Coordinator;
import java.util.List;
import java.util.Optional;

/// FindCoordinator: which broker coordinates a group. Creates the offsets topic on first use.
///
/// Errors per key: COORDINATOR_NOT_AVAILABLE while the partition has no leader, INVALID_REQUEST for
/// a kind of coordinator that does not exist, UNSUPPORTED_VERSION for kinds that this version of
/// Ottla does not have.
public final class FindCoordinatorHandler implements ApiHandler<FindCoordinatorRequest> {
    private static final short FIRST_WITH_SEVERAL_KEYS = 4;
    private static final byte GROUP = 0;
    private static final byte TRANSACTION = 1;
    private static final byte SHARE = 2;
    private static final int NO_NODE = -1;
    private static final int NO_PORT = -1;

    private final ClusterView cluster;
    private final GroupCoordinators groups;
    private final AutoTopicCreation creation;

    public FindCoordinatorHandler(
            ClusterView cluster, GroupCoordinators groups, AutoTopicCreation creation) {
        this.cluster = cluster;
        this.groups = groups;
        this.creation = creation;
    }

    @Override
    public ApiKey api() {
        return ApiKey.FIND_COORDINATOR;
    }

    @Override
    public void handle(
            RequestContext context, FindCoordinatorRequest request, Responder responder) {
        boolean several = context.version() >= FIRST_WITH_SEVERAL_KEYS;
        List<String> keys = several ? request.coordinatorKeys() : List.of(request.key());
        ClientConnection client = context.connection();
        boolean missing = cluster.image().topic(InternalTopics.CONSUMER_OFFSETS).isEmpty();
        if (request.keyType() != GROUP || !missing || keys.isEmpty()) {
            responder.respond(answer(keys, request.keyType(), client, several));
            return;
        }
        creation.create(
                List.of(InternalTopics.CONSUMER_OFFSETS),
                errors -> responder.respond(answer(keys, request.keyType(), client, several)),
                responder);
    }

    private FindCoordinatorResponse answer(
            List<String> keys, byte keyType, ClientConnection client, boolean several) {
        List<Coordinator> found = keys.stream().map(key -> find(key, keyType, client)).toList();
        if (several) return FindCoordinatorResponse.builder().coordinators(found).build();
        Coordinator only = found.getFirst();
        return FindCoordinatorResponse.builder()
                .errorCode(only.errorCode())
                .errorMessage(only.errorMessage())
                .nodeId(only.nodeId())
                .host(only.host())
                .port(only.port())
                .build();
    }

    private Coordinator find(String key, byte keyType, ClientConnection client) {
        return switch (keyType) {
            case GROUP -> findGroup(key, client);
            case TRANSACTION ->
                    none(
                            key,
                            ErrorCode.UNSUPPORTED_VERSION,
                            "Transactional id %s: this version of Ottla has no transactions yet; leave transactional.id out."
                                    .formatted(key));
            case SHARE ->
                    none(
                            key,
                            ErrorCode.UNSUPPORTED_VERSION,
                            "Share group key %s: this version of Ottla has no share groups yet."
                                    .formatted(key));
            default ->
                    none(
                            key,
                            ErrorCode.INVALID_REQUEST,
                            "There is no kind of coordinator with number %d.".formatted(keyType));
        };
    }

    private Coordinator findGroup(String groupId, ClientConnection client) {
        ClusterImage image = cluster.image();
        int partition = groups.partitionOf(groupId);
        Optional<BrokerState> leader =
                image.partition(InternalTopics.CONSUMER_OFFSETS, partition)
                        .flatMap(state -> image.broker(state.leader()))
                        .filter(broker -> !broker.fenced());
        Optional<HostPort> at = leader.flatMap(broker -> cluster.endpoint(broker, client));
        if (leader.isEmpty() || at.isEmpty()) {
            return none(
                    groupId,
                    ErrorCode.COORDINATOR_NOT_AVAILABLE,
                    "The coordinator of group %s is on %s-%d, which has no leader now: try again."
                            .formatted(groupId, InternalTopics.CONSUMER_OFFSETS, partition));
        }
        return Coordinator.builder()
                .key(groupId)
                .nodeId(leader.get().id())
                .host(at.get().host())
                .port(at.get().port())
                .build();
    }

    private static Coordinator none(String key, ErrorCode error, String message) {
        return Coordinator.builder()
                .key(key)
                .nodeId(NO_NODE)
                .host("")
                .port(NO_PORT)
                .errorCode(error.code())
                .errorMessage(ErrorText.bounded(message))
                .build();
    }
}
