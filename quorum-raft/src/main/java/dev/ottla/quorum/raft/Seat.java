package dev.ottla.quorum.raft;

import dev.ottla.metadata.QuorumVoter;
import dev.ottla.wire.Uuid;
import java.nio.file.Files;
import java.nio.file.Path;

/// A voter's place in the quorum of one cluster.
///
/// @param directory that Ratis has for itself
public record Seat(Uuid clusterId, QuorumVoter voter, Path directory) {
    /// Whether this node had the seat before.
    public boolean isTaken() {
        return Files.isDirectory(groupDirectory());
    }

    Path groupDirectory() {
        return directory.resolve(Peers.group(clusterId).getUuid().toString());
    }
}
