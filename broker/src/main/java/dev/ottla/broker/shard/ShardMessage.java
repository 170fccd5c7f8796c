package dev.ottla.broker.shard;

import org.jspecify.annotations.Nullable;

/// Something for a shard to do. The mailbox links the messages themselves, so posting allocates
/// nothing; a message must therefore not be posted again before it has run.
public abstract class ShardMessage {
    @Nullable ShardMessage next;

    /// How many messages wait, this one included; written by the poster before it publishes the
    /// message.
    int depth;

    /// Called once, on the shard's thread.
    protected abstract void run();

    /// Called when `run` threw. Returns when the failure concerns nobody but this message, and the
    /// shard goes on with the next one; by itself it ends the broker.
    protected void onFailure(RuntimeException failure) {
        throw failure;
    }
}
