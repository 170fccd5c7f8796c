package dev.ottla.broker.handler.directory;

import dev.ottla.log.DataDirectory;
import dev.ottla.metadata.image.ClusterImage;
import dev.ottla.wire.Uuid;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;

/// The data directories of this broker, as clients name them. Immutable.
public final class LocalDirectories {
    private final int nodeId;
    private final Map<Uuid, DataDirectory> byId;

    /// @param byId in the order of the configuration
    public LocalDirectories(int nodeId, Map<Uuid, DataDirectory> byId) {
        this.nodeId = nodeId;
        this.byId = byId;
    }

    int nodeId() {
        return nodeId;
    }

    Collection<DataDirectory> all() {
        return byId.values();
    }

    /// The directory with this absolute path.
    Optional<DataDirectory> named(String path) {
        Path wanted;
        try {
            wanted = Path.of(path);
        } catch (InvalidPathException _) {
            return Optional.empty();
        }
        if (!wanted.isAbsolute()) {
            return Optional.empty();
        }
        return all().stream()
                .filter(directory -> absolute(directory).equals(wanted.normalize()))
                .findFirst();
    }

    static Path absolute(DataDirectory directory) {
        return directory.path().toAbsolutePath().normalize();
    }

    /// Whether the directory gets no new partitions.
    boolean isCordoned(DataDirectory directory, ClusterImage image) {
        return image.broker(nodeId)
                .filter(broker -> broker.cordonedDirectories().contains(directory.id()))
                .isPresent();
    }
}
