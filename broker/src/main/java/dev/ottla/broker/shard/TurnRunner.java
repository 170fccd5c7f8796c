package dev.ottla.broker.shard;

/// What makes the turns of one shard happen: a thread of the shard's own, or a host's. A turn that
/// fails is the last one, and the shard hears of it.
sealed interface TurnRunner permits OwnThread, HostThread {
    /// Once. Turns run from now on.
    void start();

    /// Any thread: the mailbox was empty and got a message.
    void wake();

    /// Any thread: whether the caller is in a turn.
    boolean isOwner();

    /// Waits for the end of the last turn, at most `millis`; returns whether it came.
    boolean awaitStop(long millis) throws InterruptedException;
}
