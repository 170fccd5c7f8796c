/// Committed offsets of the groups of one coordinator: [OffsetStore] keeps them and answers
/// commits, fetches and deletions once the group let the request pass. Owned by the shard thread of
/// the coordinator. May not import a group protocol.
@NullMarked
package dev.ottla.group.offset;

import org.jspecify.annotations.NullMarked;
