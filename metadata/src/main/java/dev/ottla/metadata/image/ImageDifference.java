package dev.ottla.metadata.image;

import dev.ottla.metadata.ConfigResource;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;

/// Finds what differs between any two images, for listeners of an image that did not come by
/// replaying: the first one, and a snapshot that skips ahead. Walks over everything.
final class ImageDifference {
    private ImageDifference() {}

    static void collect(ClusterImage before, ClusterImage after, ImageDelta into) {
        for (TopicState topic : before.topics()) {
            if (after.topic(topic.id()).isEmpty()) into.deleted(topic);
        }
        for (TopicState topic : after.topics()) {
            TopicState earlier = before.topic(topic.id()).orElse(null);
            if (earlier == null) {
                into.created(topic);
            } else if (!earlier.equals(topic)) {
                into.changed(earlier, topic);
            }
        }
        Set<Integer> brokers = new HashSet<>(before.brokers().keySet());
        brokers.addAll(after.brokers().keySet());
        brokers.removeIf(id -> Objects.equals(before.brokers.get(id), after.brokers.get(id)));
        Set<ConfigResource> configs = new HashSet<>(before.configs.keySet());
        configs.addAll(after.configs.keySet());
        configs.removeIf(key -> Objects.equals(before.configs.get(key), after.configs.get(key)));
        into.rest(after, brokers, configs);
    }
}
