/// The clients of a run: writers, readers, members of groups, and whoever asks for offsets. All are
/// Kafka's own, and write into the history what they do and what they are told.
///
/// Main type: [Load]. Each client has a thread of its own.
@NullMarked
package dev.ottla.chaos.load;

import org.jspecify.annotations.NullMarked;
