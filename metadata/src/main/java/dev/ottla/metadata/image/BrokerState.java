package dev.ottla.metadata.image;

import dev.ottla.metadata.BrokerEndpoint;
import dev.ottla.metadata.Directories;
import dev.ottla.metadata.MetadataRecord;
import dev.ottla.metadata.VersionRange;
import dev.ottla.wire.Uuid;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A registered broker. Immutable.
///
/// @param epoch given at registration; fences earlier incarnations
/// @param directories ids of the log directories that are online
/// @param cordonedDirectories those of them that get no new replicas
/// @param fullDirectories those that have no room for records
public record BrokerState(
        int id,
        long epoch,
        Uuid incarnationId,
        List<BrokerEndpoint> endpoints,
        Map<String, VersionRange> features,
        Optional<String> rack,
        boolean fenced,
        boolean inControlledShutdown,
        List<Uuid> directories,
        List<Uuid> cordonedDirectories,
        List<Uuid> fullDirectories) {
    public BrokerState {
        endpoints = List.copyOf(endpoints);
        features = Map.copyOf(features);
        directories = List.copyOf(directories);
        cordonedDirectories = List.copyOf(cordonedDirectories);
        fullDirectories = List.copyOf(fullDirectories);
    }

    /// Whether it may lead partitions and be in their ISR.
    public boolean isActive() {
        return !fenced && !inControlledShutdown;
    }

    /// Whether a replica assigned to `directory` can be served by this broker.
    public boolean hasOnline(Uuid directory) {
        return Directories.isOnline(directory, directories);
    }

    /// Whether a replica assigned to `directory` can take records, as far as the disk goes. Of one
    /// whose directory is not known it cannot be said, so it can.
    public boolean hasRoom(Uuid directory) {
        return !fullDirectories.contains(directory);
    }

    /// Online directories that new replicas may go to: those with room, as long as there are any.
    public List<Uuid> openDirectories() {
        if (cordonedDirectories.isEmpty() && fullDirectories.isEmpty()) return directories;
        List<Uuid> open =
                directories.stream().filter(id -> !cordonedDirectories.contains(id)).toList();
        List<Uuid> roomy = open.stream().filter(this::hasRoom).toList();
        return roomy.isEmpty() ? open : roomy;
    }

    /// Whether one of the directories that new replicas may go to has room.
    public boolean hasRoomForReplicas() {
        return openDirectories().stream().anyMatch(this::hasRoom);
    }

    public Optional<BrokerEndpoint> endpoint(String listener) {
        return endpoints.stream().filter(e -> e.listener().equals(listener)).findFirst();
    }

    static BrokerState from(MetadataRecord.RegisterBroker record) {
        return new BrokerState(
                record.brokerId(),
                record.brokerEpoch(),
                record.incarnationId(),
                record.endpoints(),
                record.features(),
                record.rack(),
                record.fenced(),
                record.inControlledShutdown(),
                record.directories(),
                record.cordonedDirectories(),
                List.of());
    }

    BrokerState with(MetadataRecord.BrokerChange change) {
        return new BrokerState(
                id,
                epoch,
                incarnationId,
                endpoints,
                features,
                rack,
                change.fenced().orElse(fenced),
                inControlledShutdown || change.inControlledShutdown(),
                change.directories().orElse(directories),
                change.cordonedDirectories().orElse(cordonedDirectories),
                fullDirectories);
    }

    BrokerState withFull(List<Uuid> full) {
        return new BrokerState(
                id,
                epoch,
                incarnationId,
                endpoints,
                features,
                rack,
                fenced,
                inControlledShutdown,
                directories,
                cordonedDirectories,
                full);
    }

    /// What makes it, in order.
    List<MetadataRecord> toRecords() {
        MetadataRecord registration =
                new MetadataRecord.RegisterBroker(
                        id,
                        incarnationId,
                        epoch,
                        endpoints,
                        features,
                        rack,
                        fenced,
                        inControlledShutdown,
                        directories,
                        cordonedDirectories);
        return fullDirectories.isEmpty()
                ? List.of(registration)
                : List.of(
                        registration,
                        new MetadataRecord.FullDirectories(id, epoch, fullDirectories));
    }
}
