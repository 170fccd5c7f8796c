package dev.ottla.broker.shard;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/// The queue in front of a shard: anyone pushes, the shard takes everything at once. A stack of the messages
/// themselves, turned round when taken, so that messages of one poster run in the order in which it posted them.
///
///     posters → head → m3 → m2 → m1        takeAll → m1 → m2 → m3
///
/// Thread-safe: one compare-and-set to push, one exchange to take. It refuses nothing; its bound is kept by the
/// posters. Network loops look at `depth` and stop reading from sockets above a limit, and everything else that posts
/// has few messages under way (one per sync of a directory, one per metadata change).
final class Mailbox {
    private static final VarHandle HEAD;

    static {
        try {
            HEAD = MethodHandles.lookup().findVarHandle(Mailbox.class, "head", ShardMessage.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /// Written by every poster and the shard through `HEAD`; the compare-and-set publishes the
    /// message behind it.
    @SuppressWarnings("unused")
    private volatile @Nullable ShardMessage head;

    /// Returns whether the mailbox was empty, so that the shard may have to be woken.
    boolean push(ShardMessage message) {
        while (true) {
            ShardMessage top = head;
            message.next = top;
            message.depth = top == null ? 1 : top.depth + 1;
            if (HEAD.compareAndSet(this, top, message)) {
                return top == null;
            }
        }
    }

    /// Everything pushed so far, oldest first, linked by `next`.
    @Nullable ShardMessage takeAll() {
        ShardMessage message = (ShardMessage) HEAD.getAndSet(this, null);
        ShardMessage oldest = null;
        while (message != null) {
            ShardMessage below = message.next;
            message.next = oldest;
            oldest = message;
            message = below;
        }
        return oldest;
    }

    boolean isEmpty() {
        return head == null;
    }

    /// Messages that wait for the shard's next turn.
    int depth() {
        ShardMessage top = head;
        return top == null ? 0 : top.depth;
    }
}
