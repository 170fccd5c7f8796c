package dev.ottla.broker.voting;

import dev.ottla.metadata.QuorumVoter;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/// What a node can do about its own vote. On the metadata thread.
public interface OwnVote {
    /// Whether this node begins or leads the quorum, which it does not do without a vote.
    boolean leads();

    /// Whether it runs the quorum's engine, be it added to the quorum yet or not.
    boolean isReady();

    /// The voters as that engine knows them; none when it does not run.
    List<QuorumVoter> voters();

    /// Whether that engine hears of a leader.
    boolean isLed();

    /// Of the newest leader that that engine has heard of.
    int epoch();

    /// Whether it was taken out of the quorum since it started.
    boolean wasTakenOut();

    /// Makes this node ready to vote.
    CompletableFuture<Void> getReady();

    /// This node copies what the voters have, and has nothing of its vote any more.
    void giveUp();
}
