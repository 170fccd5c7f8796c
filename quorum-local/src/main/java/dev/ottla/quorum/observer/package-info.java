/// The metadata log of a node that is no voter: [dev.ottla.quorum.observer.ObserverMetadataLog]
/// copies what the active controller has committed, whatever engine that runs, and never leads.
/// Owned by the metadata thread. Opens no sockets: it asks a `MetadataSource`. Makes no thread and
/// reads no clock of its own; imports `metadata`, `quorum.store` and `quorum.feed`.
@NullMarked
package dev.ottla.quorum.observer;

import org.jspecify.annotations.NullMarked;
