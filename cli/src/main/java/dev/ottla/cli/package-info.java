/// The `ottla` command: parses arguments, starts the broker and tells where it listens.
///
/// Main type: [OttlaCommand]. Runs on the main thread, which ends when the broker has stopped. It
/// owns no broker state and never touches partitions.
@NullMarked
package dev.ottla.cli;

import org.jspecify.annotations.NullMarked;
