/// The cluster that a run treats badly: its processes, its small disks, what its clients can see of
/// it, and the files that it leaves; or one that was there before, and the user's program that does
/// to its nodes what is asked for.
///
/// Main types: [Cluster], [OwnCluster], [GivenCluster]. Owned by the run's main thread; it may use
/// the test kit and Kafka's admin client, and reads logs with the `record` module.
@NullMarked
package dev.ottla.chaos.cluster;

import org.jspecify.annotations.NullMarked;
