package dev.ottla.broker.voting;

import dev.ottla.metadata.QuorumState;
import dev.ottla.metadata.QuorumVoter;
import dev.ottla.wire.Uuid;
import java.util.concurrent.CompletableFuture;

/// What a node asks of the active controller about the quorum's voters, wherever that is. Futures
/// fail when the controller was not found, or refused; they may be completed by any thread.
public interface Electorate {
    /// Who votes, as the active controller knows it.
    CompletableFuture<QuorumState> quorum();

    /// Makes a node a voter, which is ready to be one.
    CompletableFuture<Void> add(QuorumVoter voter);

    /// Takes a voter out; done too when there is no such voter.
    CompletableFuture<Void> remove(int nodeId, Uuid directoryId);
}
