package dev.ottla.chaos.cluster;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// What a run treats badly: a cluster of its own, or one that was there before. What cannot be done
/// throws [IllegalStateException]. Owned by the run's main thread.
public interface Cluster extends AutoCloseable {
    /// What faults need.
    enum Means {
        /// Nodes can be killed and started.
        KILL,

        /// Nodes can stand still and go on.
        PAUSE,

        /// What one node sends to another one can be lost.
        CUT,

        /// Partitions can be moved: there is more than one node.
        MOVE,

        /// Disks, clocks, files and directories of nodes, and more nodes.
        OWN
    }

    /// What there is of it now.
    Set<Means> means();

    /// Brokers by their ids, whether they run or not.
    List<Integer> ids();

    String bootstrap();

    InetSocketAddress address(int id);

    /// How many vote on the metadata when all is well, and no fewer than it needs.
    int voters();

    /// SIGKILL.
    void kill(int id);

    /// Starts a node that was killed, without waiting for it.
    void launch(int id);

    void freeze(int id);

    void thaw(int id);

    /// What one node sends to the other is lost from now on.
    void cut(int from, int to);

    /// Everything passes again.
    void joinNetworks();

    /// Whether the node answers.
    boolean isReady(int id);

    /// Whether it was started and not stopped since, as far as the run knows.
    boolean isRunning(int id);

    /// Undoes what a fault that failed has left behind; returns why something is left, if it is.
    List<String> mend();

    /// When it was started for this run: whatever can be done to processes of one's own.
    Optional<OwnCluster> own();

    @Override
    void close();
}
