package dev.ottla.quorum.engine;

import dev.ottla.metadata.QuorumVoter;
import dev.ottla.quorum.local.LocalMetadataLog;
import dev.ottla.quorum.raft.Beginning;
import dev.ottla.quorum.raft.RaftMetadataLog;
import dev.ottla.quorum.store.Engine;

/// Makes the engines of one node, all on the same store.
public interface Makers {
    LocalMetadataLog local();

    Engine observer();

    /// That of a voter.
    ///
    /// @param owner hears when that voter cannot go on
    Engine raft(QuorumVoter self, Beginning beginning, RaftMetadataLog.Owner owner);
}
