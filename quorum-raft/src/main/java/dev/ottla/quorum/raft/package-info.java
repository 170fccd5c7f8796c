/// The metadata log of several controllers: [dev.ottla.quorum.raft.RaftMetadataLog] puts batches of
/// records into one order with Apache Ratis, and keeps what is committed in the same
/// `__cluster_metadata-0` copy as the other engines. Owned by the metadata thread; Ratis has
/// threads of its own, which hand over to it. The only package that sees Ratis; imports `metadata`,
/// the store of `quorum-local`, `log` and `record`.
@NullMarked
package dev.ottla.quorum.raft;

import org.jspecify.annotations.NullMarked;
