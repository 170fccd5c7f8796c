package dev.ottla.group.shell;

import dev.ottla.wire.Uuid;
import java.util.Optional;

/// The topics of the cluster as of one image, by name and by id. Immutable; the shell gives the
/// coordinator a new one when topics change.
public interface TopicsView {
    Optional<Topic> byName(String name);

    Optional<Topic> byId(Uuid id);

    /// Goes up with every change of the topics.
    long version();

    record Topic(String name, Uuid id, int partitionCount) {}

    /// No topics at all.
    TopicsView EMPTY =
            new TopicsView() {
                @Override
                public Optional<Topic> byName(String name) {
                    return Optional.empty();
                }

                @Override
                public Optional<Topic> byId(Uuid id) {
                    return Optional.empty();
                }

                @Override
                public long version() {
                    return -1;
                }
            };
}
