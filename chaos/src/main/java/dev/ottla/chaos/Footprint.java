package dev.ottla.chaos;

import dev.ottla.chaos.cluster.ClusterState;
import dev.ottla.chaos.load.Load;
import dev.ottla.chaos.load.TopicShape;
import dev.ottla.chaos.load.Topics;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.clients.admin.NewTopic;

/// What a run leaves in a cluster that was there before: topics and groups of its own, and nothing
/// else. Owned by the run's main thread.
final class Footprint {
    /// Of a member that was killed brokers think well for a while.
    private static final Duration DELETION = Duration.ofSeconds(90);

    private final ClusterState state;

    Footprint(ClusterState state) {
        this.state = state;
    }

    /// Throws [IllegalStateException] when something is there already that a run would call its
    /// own.
    void refuseIfThere() {
        Set<String> there = new TreeSet<>(topics());
        there.addAll(groups());
        if (!there.isEmpty()) {
            throw new IllegalStateException(
                    "The cluster has topics or groups already that a run would make: %s. Delete them first, when an earlier run has left them."
                            .formatted(String.join(", ", there)));
        }
    }

    /// What is to be created. Throws [IllegalStateException] when the cluster would not.
    List<NewTopic> wanted(TopicShape shape) {
        List<NewTopic> usual = Topics.wanted(shape);
        if (state.refusal(usual).isEmpty()) {
            return usual;
        }
        List<NewTopic> plain = Topics.withoutFlushPolicy(Topics.wanted(shape));
        Optional<String> refusal = state.refusal(plain);
        if (refusal.isPresent()) {
            throw new IllegalStateException(
                    "The cluster does not create the topics of a run: " + refusal.get());
        }
        return plain;
    }

    /// Returns what could not be deleted.
    Set<String> delete() {
        Aftermath.isTrueWithin(
                DELETION,
                () -> {
                    Set<String> groups = groups();
                    return groups.isEmpty() || state.deleteGroups(groups);
                });
        for (String topic : topics()) {
            Aftermath.isTrueWithin(DELETION, () -> state.delete(topic));
        }
        Set<String> left = new TreeSet<>(topics());
        left.addAll(groups());
        return left;
    }

    private Set<String> topics() {
        Set<String> topics = new HashSet<>(state.topicNames());
        topics.removeIf(name -> !Topics.isOurs(name));
        return topics;
    }

    private Set<String> groups() {
        Set<String> groups = new HashSet<>(state.groupNames());
        groups.retainAll(Load.groups());
        return groups;
    }
}
