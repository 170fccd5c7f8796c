package dev.ottla.metadata.controller;

import java.util.List;

/// What the leader of a partition wants its ISR to be.
///
/// @param leaderEpoch under which it leads
/// @param partitionEpoch of the state that it knows
/// @param recovering whether it still recovers from an unclean election
public record AlterPartition(
        PartitionId partition,
        int leaderEpoch,
        int partitionEpoch,
        List<IsrMember> isr,
        boolean recovering) {
    public AlterPartition {
        isr = List.copyOf(isr);
    }
}
