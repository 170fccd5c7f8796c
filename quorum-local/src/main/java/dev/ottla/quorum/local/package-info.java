/// The metadata log of a cluster of one node: [dev.ottla.quorum.local.LocalMetadataLog] appends and
/// syncs records in `__cluster_metadata-0` of a data directory, in Kafka's format, with snapshots
/// beside it. Owned by the metadata thread; snapshots are written on the directory's lane. Makes no
/// thread and reads no clock of its own; imports `metadata`, `log` and `record`.
@NullMarked
package dev.ottla.quorum.local;

import org.jspecify.annotations.NullMarked;
