package dev.ottla.broker.controlling;

import dev.ottla.metadata.liveness.BrokerIncarnation;
import dev.ottla.wire.Uuid;
import java.util.List;
import java.util.Optional;

/// What a broker says of itself in a heartbeat.
///
/// @param metadataOffset of the last record that its requests work with
/// @param wantsFence whether it cannot serve yet
/// @param wantsShutdown whether it is about to stop
/// @param offlineDirectories those of its registration that have failed
/// @param fullDirectories those that have no room for records
/// @param cordonedDirectories those that get no new replicas; empty when nothing is said of it
public record SignOfLife(
        BrokerIncarnation broker,
        long metadataOffset,
        boolean wantsFence,
        boolean wantsShutdown,
        List<Uuid> offlineDirectories,
        List<Uuid> fullDirectories,
        Optional<List<Uuid>> cordonedDirectories) {
    public SignOfLife {
        offlineDirectories = List.copyOf(offlineDirectories);
        fullDirectories = List.copyOf(fullDirectories);
        cordonedDirectories = cordonedDirectories.map(List::copyOf);
    }
}
