package dev.ottla.metadata.controller;

import dev.ottla.metadata.MetadataRecord.PartitionChange;
import dev.ottla.metadata.image.ClusterImage;
import dev.ottla.metadata.image.PartitionState;
import dev.ottla.wire.Uuid;
import java.util.List;
import java.util.Optional;

/// Sends the partitions of one command to other replicas, with a directory for each new one. Used
/// for one command.
final class Reassigner {
    private final PartitionSweep sweep;
    private final Placement placement;
    private int turn;

    Reassigner(Context context) {
        ClusterImage image = context.image();
        this.sweep = new PartitionSweep(context, image);
        this.placement = new Placement(image);
    }

    PartitionSweep sweep() {
        return sweep;
    }

    /// The change, or nothing when the partition is there already. Brokers that had no replica must
    /// take new ones.
    Optional<PartitionChange> reassign(
            PartitionSweep.TopicView topic, int partition, Assignment next) {
        PartitionState state = topic.topic().partitions().get(partition);
        return topic.update(partition, state, false).assignment(next, this::directoryOn).build();
    }

    private Uuid directoryOn(int brokerId) {
        return placement.directories(List.of(brokerId), turn++).getFirst();
    }
}
