package dev.ottla.metadata.controller;

import dev.ottla.metadata.ConfigResource;
import java.util.Map;
import java.util.Optional;

/// The whole new configuration of one resource: what it does not name is removed.
public record ReplaceConfigs(ConfigResource resource, Map<String, Optional<String>> configs) {
    public ReplaceConfigs {
        configs = Map.copyOf(configs);
    }
}
