package dev.ottla.broker.handler.data;

import dev.ottla.broker.partition.PartitionKey;
import dev.ottla.metadata.image.ClusterImage;
import dev.ottla.metadata.image.TopicState;
import dev.ottla.wire.Uuid;
import java.util.Optional;

/// A topic that a request names, and what the image of that moment knows of it. Immutable.
final class NamedTopic {
    private final Optional<TopicState> state;

    NamedTopic(ClusterImage image, String name) {
        state = image.topic(name);
    }

    /// For a topic that is unknown, a key that no partition has.
    PartitionKey key(int partition) {
        return new PartitionKey(state.map(TopicState::id).orElse(Uuid.ZERO), partition);
    }

    boolean has(int partition) {
        return state.flatMap(known -> known.partition(partition)).isPresent();
    }
}
