package dev.ottla.bench.load;

import dev.ottla.bench.client.Topic;

/// Groups that commit their offset in partition 0 of a topic, again and again: 1, 2, 3 and so on.
///
/// @param window commits in flight on each connection, at most
/// @param rounds commits of each group
public record CommitPlan(Topic topic, int groups, int connections, int window, int rounds) {
    public String group(int index) {
        return "committing-" + index;
    }

    public long commitCount() {
        return (long) groups * rounds;
    }
}
