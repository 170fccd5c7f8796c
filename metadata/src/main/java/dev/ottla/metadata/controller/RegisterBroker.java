package dev.ottla.metadata.controller;

import dev.ottla.metadata.BrokerEndpoint;
import dev.ottla.metadata.VersionRange;
import dev.ottla.wire.Uuid;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A broker that starts asks to become part of the cluster.
///
/// @param incarnationId fresh at each start of the process
/// @param directories ids of its log directories that are online
/// @param cordonedDirectories those that shall get no new replicas
/// @param stoppedCleanly whether its last incarnation wrote everything to disk
/// @param active whether it may lead at once, being the broker of the controller's own process;
///   otherwise it is fenced until it says that it follows the metadata
public record RegisterBroker(
        int brokerId,
        Uuid incarnationId,
        List<BrokerEndpoint> endpoints,
        Map<String, VersionRange> features,
        Optional<String> rack,
        List<Uuid> directories,
        List<Uuid> cordonedDirectories,
        boolean stoppedCleanly,
        boolean active) {
    public RegisterBroker {
        endpoints = List.copyOf(endpoints);
        features = Map.copyOf(features);
        directories = List.copyOf(directories);
        cordonedDirectories = List.copyOf(cordonedDirectories);
    }
}
