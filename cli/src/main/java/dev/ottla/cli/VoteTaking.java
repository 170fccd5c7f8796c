package dev.ottla.cli;

import java.io.PrintStream;
import java.util.concurrent.TimeUnit;

/// Takes a node's vote on the metadata before the node goes, and waits until another one has it.
/// Whether the others can go on without it is the cluster's to say.
///
/// @param waits whether to wait for the other one
record VoteTaking(ClusterClient client, PrintStream out, boolean waits) {
    private static final int USUAL_VOTERS = 3;
    private static final long PATIENCE_MS = 60_000;
    private static final long POLL_MS = 500;

    /// Nothing when the node does not vote.
    void take(int nodeId) throws InterruptedException {
        ClusterView before = client.view();
        if (before.voter(nodeId).isEmpty()) return;
        ClusterView now = before;
        for (long waitedMs = 0; now.voter(nodeId).isPresent(); waitedMs += POLL_MS) {
            if (waitedMs >= PATIENCE_MS) {
                throw new ClusterFailure(
                        "node %d still votes on the metadata: run this again".formatted(nodeId));
            }
            client.removeVoter(now.clusterId(), now.voter(nodeId).get());
            TimeUnit.MILLISECONDS.sleep(POLL_MS);
            now = client.view();
        }
        out.printf("Node %d does not vote on the metadata any more.%n", nodeId);
        for (long waitedMs = 0; waits && isReplaced(now, nodeId); waitedMs += POLL_MS) {
            if (waitedMs >= PATIENCE_MS) break;
            TimeUnit.MILLISECONDS.sleep(POLL_MS);
            now = client.view();
        }
        show(before, now);
    }

    /// Whether a node is going to vote in its place.
    private static boolean isReplaced(ClusterView now, int nodeId) {
        return now.voters().size() < USUAL_VOTERS
                && now.candidates().stream().anyMatch(id -> id != nodeId);
    }

    private void show(ClusterView before, ClusterView now) {
        now.voters().stream()
                .filter(voter -> before.voter(voter.nodeId()).isEmpty())
                .forEach(voter -> out.printf("Node %d votes now.%n", voter.nodeId()));
        if (now.voters().size() == 2) {
            out.println(
                    "2 nodes vote now, and neither may be missing. A third one would vote with them: './ottla start --node-id ID --join HOST:PORT'.");
        }
    }
}
