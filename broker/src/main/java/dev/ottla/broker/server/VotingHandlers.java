package dev.ottla.broker.server;

import dev.ottla.broker.controlling.VoterMessages;
import dev.ottla.broker.handler.voting.AddRaftVoterHandler;
import dev.ottla.broker.handler.voting.RemoveRaftVoterHandler;
import dev.ottla.broker.handler.voting.UnregisterControllerHandler;
import dev.ottla.broker.peer.Peer;
import dev.ottla.broker.request.ApiHandler;
import dev.ottla.broker.voting.VoterChanges;
import dev.ottla.config.HostPort;
import dev.ottla.metadata.controller.ApiError;
import dev.ottla.metadata.image.BrokerState;
import dev.ottla.wire.ErrorCode;
import dev.ottla.wire.message.AddRaftVoterRequest;
import dev.ottla.wire.message.AddRaftVoterResponse;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/// Makes the handlers that change who votes on the metadata.
final class VotingHandlers {
    private static final long PATIENCE_MS = 60_000;

    private VotingHandlers() {}

    static List<ApiHandler<?>> create(BrokerServices services) {
        VoterChanges changes = services.voters();
        Membership membership = services.membership();
        return List.of(
                new AddRaftVoterHandler(
                        new AddRaftVoterHandler.Surroundings(
                                services.nodeId(),
                                services.clusterId(),
                                services.image(),
                                changes,
                                services.volunteer(),
                                (node, request) ->
                                        passOn(membership, services.nodeId(), node, request))),
                new RemoveRaftVoterHandler(changes, services.clusterId()),
                new UnregisterControllerHandler(changes));
    }

    private static CompletableFuture<ApiError> passOn(
            Membership membership, int self, BrokerState node, AddRaftVoterRequest request) {
        Optional<HostPort> address = membership.addresses().find(node);
        if (address.isEmpty()) {
            return CompletableFuture.completedFuture(
                    ApiError.of(
                            ErrorCode.INVALID_REQUEST,
                            "Nobody knows where to reach node %d.",
                            node.id()));
        }
        Peer peer = membership.peers().connect(address.get(), "ottla-" + self + "-voting");
        return peer.ask(request, PATIENCE_MS)
                .thenApply(answer -> {
                    AddRaftVoterResponse response = (AddRaftVoterResponse) answer;
                    return VoterMessages.error(response.errorCode(), response.errorMessage());
                })
                .whenComplete((_, _) -> peer.close());
    }
}
