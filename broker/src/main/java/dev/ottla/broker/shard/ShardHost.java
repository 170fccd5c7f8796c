package dev.ottla.broker.shard;

/// A thread with work of its own on which a shard runs its turns, such as a network loop. What the
/// two say to each other then costs no hand-over between threads.
public interface ShardHost {
    /// The shard, as its host sees it.
    interface Guest {
        /// Any thread: messages that wait for a turn.
        int backlog();

        /// Runs a turn. The host calls it, on its thread, where it would otherwise make the shard
        /// wait longer than it likes; a turn that the shard asked for is not taken back by that. It
        /// throws nothing.
        void turn();
    }

    /// Any thread, once, before anything else.
    void adopt(Guest guest);

    /// Any thread: the shard has a turn soon. After each turn that was asked for the host looks
    /// after its own work before the next one.
    void askForTurn();

    /// Host's thread: runs `task` after `delayNs` at the earliest. Takes the place of what was to
    /// run later than that by an earlier call.
    void executeLater(Runnable task, long delayNs);

    /// Any thread: whether the caller is the host's thread.
    boolean isCurrent();

    /// Host's thread: a turn begins. What the shard says to the host before `turnEnds` is heard
    /// there, so that nothing of the host runs in the middle of a turn.
    void turnBegins();

    /// Host's thread. What it throws means that the host is not what it should be any more, and
    /// breaks the shard.
    void turnEnds();
}
