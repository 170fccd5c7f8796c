/// Handlers of this broker's data directories: what is in them, and moves between them.
///
/// Main types: [DescribeLogDirsHandler], [AlterReplicaLogDirsHandler]. Run on network loops and do
/// not wait: shards answer for the logs, and file systems are asked in the background.
@NullMarked
package dev.ottla.broker.handler.directory;

import org.jspecify.annotations.NullMarked;
