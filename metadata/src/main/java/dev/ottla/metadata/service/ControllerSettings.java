package dev.ottla.metadata.service;

import dev.ottla.metadata.controller.Machine;
import dev.ottla.wire.Uuid;
import java.util.Map;
import java.util.function.Supplier;

/// What a node needs in order to be the controller when it leads.
///
/// @param fileSettings broker settings of this node's own file
/// @param machine what this process has
/// @param newClusterId the id that the cluster gets if there is none yet
/// @param ids gives fresh random ids
/// @param maxQueuedCommands commands that may wait; more are refused
public record ControllerSettings(
        Map<String, String> fileSettings,
        Machine machine,
        Uuid newClusterId,
        Supplier<Uuid> ids,
        int maxQueuedCommands) {
    public ControllerSettings {
        fileSettings = Map.copyOf(fileSettings);
        if (maxQueuedCommands < 1) {
            throw new IllegalArgumentException(
                    "queued commands %d must be at least 1".formatted(maxQueuedCommands));
        }
    }
}
