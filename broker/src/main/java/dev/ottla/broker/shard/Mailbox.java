package dev.ottla.broker.shard;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/// The queue in front of a shard: anyone pushes, the shard takes everything at once. A stack of the messages
/// themselves, turned round when taken, so that messages of one poster run in the order in which it posted them.
///
///     posters → head → m3 → m2 → m1        takeAll → m1 → m2 → m3
///
/// Thread-safe: one compare-and-set to push, one exchange to take. It refuses nothing, for most messages end something
/// that somebody waits for; instead each kind of poster is bounded, even while the shard stands still:
///
/// | who posts | how much | what bounds it |
/// |---|---|---|
/// | network loops | a message for each shard and request; for requests about many groups, 64 under way | a loop looks at `depth` before each frame and reads none above `queued.max.requests`, so each loop is one request late at most |
/// | requests in work: other shards of a fetch, background threads, the controller | one message for each step | requests in work hold memory, which `queued.max.request.bytes` bounds |
/// | data directories: opened, synced, deleted, offline | one for each log | a log has one operation of a kind under way |
/// | coordinators: steps of loading, patterns | one for each coordinator | the next step begins when the last has run |
/// | the metadata thread | one for each image | commands come from requests, and those of the controller are bounded |
/// | upkeep | one for each task | a task that has not run is not posted again |
///
/// Timers are no messages: they fire in the shard's turn.
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
