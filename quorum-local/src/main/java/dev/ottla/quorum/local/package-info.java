/// The metadata log of a cluster of one node: [dev.ottla.quorum.local.LocalMetadataLog] appends
/// records to its [dev.ottla.quorum.store.MetadataStore], and they are committed when they are on
/// disk. Owned by the metadata thread. Makes no thread and reads no clock of its own; imports
/// `metadata` and `quorum.store`.
@NullMarked
package dev.ottla.quorum.local;

import org.jspecify.annotations.NullMarked;
