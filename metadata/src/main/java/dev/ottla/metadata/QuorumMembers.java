package dev.ottla.metadata;

import dev.ottla.wire.Uuid;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/// Who votes on what enters the metadata log. Futures may be completed by any thread; they fail
/// with [NotControllerException] where this node does not lead a quorum.
public interface QuorumMembers {
    /// The voters with their addresses; none when there is no quorum here. On the metadata thread.
    List<QuorumVoter> voters();

    /// Whether a voter is this node, or has answered it within the last seconds. Only where this
    /// node leads a quorum. On the metadata thread.
    boolean isThere(QuorumVoter voter);

    /// Adds voters, one after the other; each votes once it has everything. Who votes already is
    /// left alone. Done when most have agreed on it; [QuorumState] names the new ones when they
    /// know it too, or soon.
    CompletableFuture<Void> addVoters(List<QuorumVoter> added);

    /// Takes a voter out of the quorum, which may be this node. Done at once when there is no such
    /// voter.
    CompletableFuture<Void> removeVoter(int nodeId, Uuid directoryId);
}
