package dev.ottla.broker.coordinator;

import dev.ottla.group.TopicChanges;
import dev.ottla.group.shell.TopicsView;
import dev.ottla.metadata.image.ClusterImage;
import dev.ottla.metadata.image.ImageDelta;
import dev.ottla.metadata.image.TopicDelta;
import dev.ottla.metadata.image.TopicState;
import dev.ottla.wire.Uuid;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// The topics of a cluster image as coordinators see them. Immutable.
final class ImageTopics implements TopicsView {
    private final ClusterImage image;

    ImageTopics(ClusterImage image) {
        this.image = image;
    }

    @Override
    public Optional<Topic> byName(String name) {
        return image.topic(name).map(ImageTopics::describe);
    }

    @Override
    public Optional<Topic> byId(Uuid id) {
        return image.topic(id).map(ImageTopics::describe);
    }

    @Override
    public long version() {
        return image.version().offset();
    }

    /// What a delta means for subscriptions; empty when it means nothing to them.
    static Optional<TopicChanges> changes(ImageDelta delta, ClusterImage image) {
        Set<String> changed = new HashSet<>();
        boolean created = false;
        for (TopicDelta topic : delta.changedTopics().values()) {
            int before = topic.before().map(TopicState::partitionCount).orElse(0);
            int after = image.topic(topic.id()).map(TopicState::partitionCount).orElse(0);
            created |= topic.isCreated();
            if (topic.isCreated() || before != after) changed.add(topic.name());
        }
        List<Topic> deleted =
                delta.deletedTopics().values().stream().map(ImageTopics::describe).toList();
        deleted.forEach(topic -> changed.add(topic.name()));
        return changed.isEmpty()
                ? Optional.empty()
                : Optional.of(new TopicChanges(changed, created, deleted));
    }

    private static Topic describe(TopicState topic) {
        return new Topic(topic.name(), topic.id(), topic.partitionCount());
    }
}
