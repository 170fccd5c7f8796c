/// The copy of the committed metadata log that a node keeps, whatever engine orders the records:
/// [dev.ottla.quorum.store.MetadataStore], `__cluster_metadata-0` of a data directory in Kafka's
/// format, with snapshots beside it. Owned by the metadata thread; snapshots are written on the
/// directory's lane. Makes no thread and reads no clock of its own; imports `metadata`, `log` and
/// `record`, and no engine.
@NullMarked
package dev.ottla.quorum.store;

import org.jspecify.annotations.NullMarked;
