package dev.ottla.replication;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/// What a leader wants the in-sync replicas to be. Immutable.
///
/// @param leaderEpoch under which it leads
/// @param partitionEpoch of the partition's state that it knows; the controller takes the proposal
///   only while that is the newest, so of several proposals with one epoch at most one is taken
/// @param members broker id → epoch of the incarnation that was seen fetching, ascending; -1 for
///   one that was not seen yet (KIP-903)
public record IsrProposal(int leaderEpoch, int partitionEpoch, Map<Integer, Long> members) {
    public IsrProposal {
        members = Collections.unmodifiableMap(new TreeMap<>(members));
    }
}
