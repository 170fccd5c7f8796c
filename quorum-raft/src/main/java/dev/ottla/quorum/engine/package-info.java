/// Which engine keeps the metadata log: [dev.ottla.quorum.engine.QuorumEngine] begins with the one
/// that a node's files ask for and hands over to another while the node runs. Owned by the metadata
/// thread. Loads nothing of the raft engine before it is needed; imports the engines, their store
/// and `metadata`.
@NullMarked
package dev.ottla.quorum.engine;

import org.jspecify.annotations.NullMarked;
