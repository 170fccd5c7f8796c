package dev.ottla.quorum.raft;

import dev.ottla.metadata.QuorumVoter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Predicate;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;

/// One change of who votes: consecutive steps of Ratis' own, each of which compares the voters with
/// those that it started from, so two changes at a time do not mix.
///
/// Ratis refuses to go from one voter to three in one step, hence one after the other. In each step
/// it first brings the new one up to date and lets it vote only then, so nobody joins who would
/// hold up the others. (Its listeners are no way to do that: one that is made a voter by the leader
/// that added it takes part in no election until there is another leader.)
///
/// Each step begins on the metadata thread: a request made by the thread of Ratis that answers the
/// one before would wait for itself.
final class MemberChange {
    private final RaftNode node;
    private final Executor metadataThread;

    MemberChange(RaftNode node, Executor metadataThread) {
        this.node = node;
        this.metadataThread = metadataThread;
    }

    CompletableFuture<Void> add(List<QuorumVoter> added) {
        CompletableFuture<Void> steps = CompletableFuture.completedFuture(null);
        for (QuorumVoter voter : added) {
            steps = steps.thenComposeAsync(_ -> add(voter), metadataThread);
        }
        return steps;
    }

    private CompletableFuture<Void> add(QuorumVoter voter) {
        List<RaftPeer> voters = node.voters();
        RaftPeerId id = Peers.id(voter);
        if (isIn(voters, id)) return CompletableFuture.completedFuture(null);
        List<RaftPeer> newVoters = new ArrayList<>(voters);
        newVoters.add(Peers.peer(voter));
        return node.changeVoters(newVoters, voters);
    }

    CompletableFuture<Void> remove(Predicate<RaftPeerId> removed) {
        return CompletableFuture.completedFuture(removed)
                .thenComposeAsync(this::leaveOut, metadataThread);
    }

    private CompletableFuture<Void> leaveOut(Predicate<RaftPeerId> removed) {
        List<RaftPeer> voters = node.voters();
        List<RaftPeer> left =
                voters.stream().filter(voter -> !removed.test(voter.getId())).toList();
        if (left.size() == voters.size()) return CompletableFuture.completedFuture(null);
        return node.changeVoters(left, voters);
    }

    private static boolean isIn(List<RaftPeer> voters, RaftPeerId id) {
        return voters.stream().anyMatch(voter -> voter.getId().equals(id));
    }
}
