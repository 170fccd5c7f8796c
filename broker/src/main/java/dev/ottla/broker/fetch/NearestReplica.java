package dev.ottla.broker.fetch;

import dev.ottla.broker.partition.HostedPartition;
import dev.ottla.metadata.image.BrokerState;
import dev.ottla.metadata.image.ClusterImage;
import java.util.Optional;

/// Finds an in-sync replica in a consumer's own rack (KIP-392). No state.
final class NearestReplica {
    private NearestReplica() {}

    /// Another broker that the consumer shall read from: in its rack, in service, and known to hold
    /// the record that is asked for; of several the one that has come furthest. Empty when the
    /// leader, which is `self`, is as near or there is none.
    static Optional<Integer> find(
            HostedPartition partition, ClusterImage image, int self, String rack, long offset) {
        Optional<Integer> nearest = Optional.empty();
        long furthest = -1;
        for (int id : partition.isr()) {
            Optional<BrokerState> broker = image.broker(id);
            boolean near =
                    broker.isPresent()
                            && broker.get().isActive()
                            && broker.get().rack().filter(rack::equals).isPresent();
            if (near && id == self) {
                return Optional.empty();
            }
            if (near) {
                long end = partition.flushedEndOffsetOf(id);
                if (end >= offset && end > furthest) {
                    nearest = Optional.of(id);
                    furthest = end;
                }
            }
        }
        return nearest;
    }
}
