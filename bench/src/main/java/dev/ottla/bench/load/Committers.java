package dev.ottla.bench.load;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/// The connections of a [CommitPlan], joined to a loop; groups are dealt to them in turn. Owned by
/// the loop's thread.
public final class Committers {
    private final List<CommitConversation> conversations = new ArrayList<>();
    private final LatencyLog latency = new LatencyLog();

    public Committers(LoadLoop loop, CommitPlan plan) throws IOException {
        for (int connection = 0; connection < plan.connections(); connection++) {
            int own = connection;
            int[] groups =
                    IntStream.range(0, plan.groups())
                            .filter(group -> group % plan.connections() == own)
                            .toArray();
            CommitConversation conversation = new CommitConversation(plan, groups, latency);
            conversations.add(conversation);
            loop.connect(0, conversation);
        }
    }

    public boolean isDone() {
        for (CommitConversation conversation : conversations) {
            if (!conversation.isDone()) return false;
        }
        return true;
    }

    public LatencyLog latency() {
        return latency;
    }
}
