package dev.ottla.group;

import dev.ottla.wire.Uuid;
import java.util.Set;
import java.util.function.BiConsumer;

/// A consumer in the simulation: takes one step of its protocol at a time.
interface SimulatedClient {
    /// Does what comes next: joins, heartbeats, gives up partitions, picks up an answer.
    void step();

    /// Forgets the group, as a process that was killed.
    void kill();

    /// Leaves properly.
    void leave();

    String name();

    /// The topics it subscribes to.
    Set<String> topics();

    /// Names each partition that it would read from now. A client that knows it is out reads
    /// nothing.
    void reads(BiConsumer<Uuid, Integer> partitions);

    /// Whether the coordinator still counts it as a member, so that nobody else may read the same.
    boolean isMember();

    /// From now on nothing of it is lost or late.
    void behave();

    /// Whether it is in the group and has nothing to do but to heartbeat.
    boolean isSettled();
}
