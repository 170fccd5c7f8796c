package dev.ottla.log;

import dev.ottla.wire.Uuid;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// The content of `meta.properties`: whose data a directory holds. Kafka's format, version 1, so
/// that its tools read our directories and we read its. Immutable.
public record MetaProperties(String clusterId, int nodeId, Uuid directoryId) {
    static final String NAME = "meta.properties";

    String format() {
        return "#\n#Whose data this directory holds. Do not edit.\nversion=1\ncluster.id="
                + clusterId
                + "\nnode.id="
                + nodeId
                + "\ndirectory.id="
                + directoryId
                + "\n";
    }

    /// Empty when a field is missing or wrong. A directory without an id, as old versions of Kafka
    /// make them, gets `newDirectoryId`.
    static Optional<MetaProperties> parse(String text, Uuid newDirectoryId) {
        Map<String, String> fields = new HashMap<>();
        for (String line : text.lines().toList()) {
            int equals = line.indexOf('=');
            if (!line.startsWith("#") && equals > 0) {
                fields.put(line.substring(0, equals).strip(), line.substring(equals + 1).strip());
            }
        }
        String clusterId = fields.getOrDefault("cluster.id", "");
        String nodeId = fields.getOrDefault("node.id", fields.getOrDefault("broker.id", ""));
        String directoryId = fields.getOrDefault("directory.id", "");
        if (clusterId.isEmpty() || nodeId.isEmpty()) {
            return Optional.empty();
        }
        try {
            Uuid id = directoryId.isEmpty() ? newDirectoryId : Uuid.parse(directoryId);
            return Optional.of(new MetaProperties(clusterId, Integer.parseInt(nodeId), id));
        } catch (IllegalArgumentException _) {
            return Optional.empty();
        }
    }
}
