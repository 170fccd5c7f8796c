/// The metadata log between nodes: [dev.ottla.broker.quorum.MetadataServer] hands this node's copy
/// to others, [dev.ottla.broker.quorum.PeerMetadataSource] asks another node for its. Both live on
/// the metadata thread, which others reach by posting to it. Knows no engine; what is asked and
/// answered is defined in `quorum.feed`.
@NullMarked
package dev.ottla.broker.quorum;

import org.jspecify.annotations.NullMarked;
