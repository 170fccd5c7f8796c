package dev.ottla.group;

import dev.ottla.group.shell.TopicsView.Topic;
import java.util.List;
import java.util.Set;

/// What is different between two views of the topics.
///
/// @param changed names of topics that were created, deleted or got more partitions
/// @param created whether there are topics that were not there before
/// @param deleted topics that are gone
public record TopicChanges(Set<String> changed, boolean created, List<Topic> deleted) {
    public TopicChanges {
        changed = Set.copyOf(changed);
        deleted = List.copyOf(deleted);
    }
}
