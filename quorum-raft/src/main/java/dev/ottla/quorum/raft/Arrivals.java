package dev.ottla.quorum.raft;

import dev.ottla.metadata.NotControllerException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.apache.ratis.protocol.RaftPeerId;

/// New voters of which the leader does not know yet that they know. Ratis counts a change of the
/// voters as done when most of them have it, and one that has not heard of it takes part in no
/// election: when the leader is gone that moment, the others may wait for it in vain. So nobody is
/// told before that there is one voter more.
///
/// Owned by the metadata thread.
final class Arrivals {
    private static final long PAUSE_MS = 20;

    private final Executor metadataThread;
    private final Duration patience;
    private final Set<RaftPeerId> awaited = new HashSet<>();

    /// How often this node has led and did so no longer.
    private int ended;

    /// @param patience how long a new voter may take to confirm what the others have agreed on
    Arrivals(Executor metadataThread, Duration patience) {
        this.metadataThread = metadataThread;
        this.patience = patience;
    }

    /// Whether a voter is just being added.
    boolean isAwaited(RaftPeerId voter) {
        return awaited.contains(voter);
    }

    /// They are about to be added, or are not after all.
    void expect(Collection<RaftPeerId> added) {
        awaited.addAll(added);
    }

    void forget(Collection<RaftPeerId> added) {
        awaited.removeAll(added);
    }

    /// Waits for those that were added.
    ///
    /// @param arrived whether all of them know it
    /// @return fails when they do not know it in time; who was added stays so
    CompletableFuture<Void> until(BooleanSupplier arrived) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        check(arrived, done, ended, System.nanoTime() + patience.toNanos());
        return done;
    }

    private void check(
            BooleanSupplier arrived,
            CompletableFuture<Void> done,
            int endedBefore,
            long deadlineNs) {
        if (ended != endedBefore) {
            done.completeExceptionally(
                    new NotControllerException(
                            "The controller was replaced while a voter was added: ask again who votes."));
        } else if (arrived.getAsBoolean()) {
            done.complete(null);
        } else if (System.nanoTime() - deadlineNs >= 0) {
            done.completeExceptionally(
                    new QuorumException(
                            "the new voter has not confirmed that it is one within "
                                    + patience.toMillis()
                                    + " ms"));
        } else {
            CompletableFuture.delayedExecutor(PAUSE_MS, TimeUnit.MILLISECONDS, metadataThread)
                    .execute(() -> check(arrived, done, endedBefore, deadlineNs));
        }
    }

    /// This node leads no longer, so it will not hear of them.
    void giveUp() {
        awaited.clear();
        ended++;
    }
}
