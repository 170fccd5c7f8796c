package dev.ottla.metadata.controller;

import dev.ottla.metadata.BrokerIds;
import dev.ottla.metadata.image.PartitionState;

/// Where the replicas of a partition are and where they are to be (KIP-455). Immutable.
///
///     replicas 1,2,3, wanted 3,4   →   replicas 3,4,1,2   adding 4   removing 1,2   →   replicas 3,4
///
/// @param replicas all there are now, in order of preference; those wanted come first
/// @param adding those of them that were not there before and have to catch up
/// @param removing those of them that go when the reassignment is complete
record Assignment(BrokerIds replicas, BrokerIds adding, BrokerIds removing) {
    static Assignment of(PartitionState state) {
        return new Assignment(state.replicas(), state.addingReplicas(), state.removingReplicas());
    }

    boolean isOngoing() {
        return !adding.isEmpty() || !removing.isEmpty();
    }

    /// What was there before the reassignment; not always in the order of then.
    BrokerIds origin() {
        return replicas.withoutAll(adding);
    }

    BrokerIds target() {
        return replicas.withoutAll(removing);
    }

    /// On the way to `wanted`. What an earlier reassignment brought and nobody wants any more is
    /// gone at once, for the partition never counted on it.
    Assignment towards(BrokerIds wanted) {
        BrokerIds origin = origin();
        return new Assignment(
                wanted.withAll(origin), wanted.withoutAll(origin), origin.withoutAll(wanted));
    }

    /// At the end of the way.
    Assignment completed() {
        return new Assignment(target(), BrokerIds.NONE, BrokerIds.NONE);
    }

    /// Back where it came from.
    Assignment cancelled() {
        return new Assignment(origin(), BrokerIds.NONE, BrokerIds.NONE);
    }

    /// As [PartitionState#replicationFactor].
    int replicationFactor() {
        return replicas.size() - Math.max(adding.size(), removing.size());
    }
}
