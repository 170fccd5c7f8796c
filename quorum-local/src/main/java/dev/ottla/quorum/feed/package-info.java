/// How nodes that are no voters get the metadata log: questions and answers, which are those of the
/// Fetch and FetchSnapshot APIs. [dev.ottla.quorum.feed.MetadataSource] is the port that an
/// observer asks, [dev.ottla.quorum.feed.MetadataFeed] what answers at the active controller. Owned
/// by the metadata thread; no threads, no clocks, no sockets.
@NullMarked
package dev.ottla.quorum.feed;

import org.jspecify.annotations.NullMarked;
