/// Immutable sets of topic partitions, as members of a group own them: [PartitionSet] of one topic,
/// [Assignment] over topics, [OwnedPartitions] with the epoch at which each came to its owner. May
/// be shared between threads. Knows nothing about groups or members.
@NullMarked
package dev.ottla.group.partition;

import org.jspecify.annotations.NullMarked;
