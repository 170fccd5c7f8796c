package dev.ottla.broker.server;

import dev.ottla.broker.controlling.ControllerLink;
import dev.ottla.broker.voting.Electorate;
import dev.ottla.metadata.NotControllerException;
import dev.ottla.metadata.QuorumState;
import dev.ottla.metadata.QuorumVoter;
import dev.ottla.metadata.controller.ApiError;
import dev.ottla.wire.ErrorCode;
import dev.ottla.wire.Uuid;
import java.util.concurrent.CompletableFuture;

/// Asks the active controller over this node's way to it.
record LinkedElectorate(ControllerLink link, String clusterId) implements Electorate {
    @Override
    public CompletableFuture<QuorumState> quorum() {
        return link.quorum();
    }

    @Override
    public CompletableFuture<Void> add(QuorumVoter voter) {
        return link.addVoter(voter, clusterId).thenAccept(LinkedElectorate::refuse);
    }

    @Override
    public CompletableFuture<Void> remove(int nodeId, Uuid directoryId) {
        return link.removeVoter(nodeId, directoryId, clusterId)
                .thenAccept(error -> {
                    if (error.code() != ErrorCode.VOTER_NOT_FOUND) refuse(error);
                });
    }

    private static void refuse(ApiError error) {
        if (!error.isNone()) throw new NotControllerException(error.message());
    }
}
