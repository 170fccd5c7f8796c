/// Which nodes vote on the metadata: [dev.ottla.broker.voting.VoterChanges] is the active
/// controller's side, [dev.ottla.broker.voting.Candidacy] that of a node that wants to vote. Owned
/// by the metadata thread. Makes no thread and reads no clock; knows nothing of the quorum's engine
/// but [dev.ottla.quorum.engine.QuorumEngine].
@NullMarked
package dev.ottla.broker.voting;

import org.jspecify.annotations.NullMarked;
