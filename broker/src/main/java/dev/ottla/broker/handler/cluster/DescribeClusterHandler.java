package dev.ottla.broker.handler.cluster;

import dev.ottla.broker.request.ApiHandler;
import dev.ottla.broker.request.ClientConnection;
import dev.ottla.broker.request.RequestContext;
import dev.ottla.broker.request.Responder;
import dev.ottla.metadata.image.ClusterImage;
import dev.ottla.wire.ErrorCode;
import dev.ottla.wire.message.ApiKey;
import dev.ottla.wire.message.DescribeClusterRequest;
import dev.ottla.wire.message.DescribeClusterResponse;
import dev.ottla.wire.message.DescribeClusterResponse.DescribeClusterBroker;
import java.util.ArrayList;
import java.util.List;

/// DescribeCluster: the brokers and their addresses (KIP-700, KIP-919, KIP-1073).
///
/// Answers MISMATCHED_ENDPOINT_TYPE when asked for controllers, which are behind listeners of their
/// own, and UNSUPPORTED_ENDPOINT_TYPE for a kind that does not exist.
public final class DescribeClusterHandler implements ApiHandler<DescribeClusterRequest> {
    private static final byte BROKERS = 1;
    private static final byte CONTROLLERS = 2;

    private final ClusterView cluster;

    public DescribeClusterHandler(ClusterView cluster) {
        this.cluster = cluster;
    }

    @Override
    public ApiKey api() {
        return ApiKey.DESCRIBE_CLUSTER;
    }

    @Override
    public void handle(
            RequestContext context, DescribeClusterRequest request, Responder responder) {
        responder.respond(
                switch (request.endpointType()) {
                    case BROKERS -> describe(context.connection(), request);
                    case CONTROLLERS ->
                            refusal(
                                    ErrorCode.MISMATCHED_ENDPOINT_TYPE,
                                    "This is a broker's listener, the request asks for controllers: use bootstrap.servers, not bootstrap.controllers.");
                    default ->
                            refusal(
                                    ErrorCode.UNSUPPORTED_ENDPOINT_TYPE,
                                    "Endpoint type %d does not exist: 1 is brokers, 2 is controllers."
                                            .formatted(request.endpointType()));
                });
    }

    private DescribeClusterResponse describe(
            ClientConnection client, DescribeClusterRequest request) {
        List<DescribeClusterBroker> brokers = new ArrayList<>();
        ClusterImage image = cluster.image();
        image.brokers().values().stream()
                .filter(broker -> !broker.fenced() || request.includeFencedBrokers())
                .forEach(broker ->
                        cluster.endpoint(broker, client)
                                .ifPresent(at ->
                                        brokers.add(
                                                DescribeClusterBroker.builder()
                                                        .brokerId(broker.id())
                                                        .host(at.host())
                                                        .port(at.port())
                                                        .rack(broker.rack().orElse(null))
                                                        .isFenced(broker.fenced())
                                                        .build())));
        return DescribeClusterResponse.builder()
                .clusterId(cluster.clusterId())
                .controllerId(cluster.controllerId(image))
                .brokers(brokers)
                .clusterAuthorizedOperations(
                        AuthorizedOperations.onCluster(
                                request.includeClusterAuthorizedOperations()))
                .build();
    }

    private static DescribeClusterResponse refusal(ErrorCode error, String message) {
        return DescribeClusterResponse.builder()
                .errorCode(error.code())
                .errorMessage(message)
                .build();
    }
}
