package dev.ottla.metadata;

import dev.ottla.wire.Uuid;

/// A node that votes, or is to vote, on what enters the metadata log. It is another one when its
/// directory is another one: a node that lost its disk has forgotten its votes.
///
/// @param directoryId of the directory that holds its metadata log
/// @param host where the other voters reach it
/// @param port of the quorum's own traffic, which is not that of clients
public record QuorumVoter(int nodeId, Uuid directoryId, String host, int port) {
    public QuorumVoter {
        if (nodeId < 0 || host.isEmpty() || port < 0 || port > 65535) {
            throw new IllegalArgumentException(
                    "voter %d at '%s', port %d".formatted(nodeId, host, port));
        }
    }
}
