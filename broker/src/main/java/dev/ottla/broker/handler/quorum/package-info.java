/// The APIs by which nodes copy the metadata log from the active controller. Handlers run on a
/// network loop and ask [dev.ottla.broker.quorum.MetadataServer], whose answers come on the
/// metadata thread.
@NullMarked
package dev.ottla.broker.handler.quorum;

import org.jspecify.annotations.NullMarked;
