package dev.ottla.broker.partition;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Appends of one partition that wait for an offset to pass, in the order of their ends; almost
/// always they come in that order. Links the appends themselves. Owned by the shard thread.
final class AppendQueue {
    private @Nullable PendingAppend first;
    private @Nullable PendingAppend last;

    /// A duplicate waits for its original, which may lie before appends that are queued already:
    /// then it is sorted in.
    void add(PendingAppend append) {
        PendingAppend tail = last;
        if (tail == null) {
            first = append;
            last = append;
        } else if (tail.endOffset <= append.endOffset) {
            tail.next = append;
            last = append;
        } else {
            insert(append);
        }
    }

    private void insert(PendingAppend append) {
        PendingAppend before = null;
        PendingAppend at = first;
        while (at != null && at.endOffset <= append.endOffset) {
            before = at;
            at = at.next;
        }
        append.next = at;
        if (before == null) {
            first = append;
        } else {
            before.next = append;
        }
    }

    /// Takes out the front if it ends at or below `offset`.
    @Nullable PendingAppend poll(long offset) {
        PendingAppend front = first;
        if (front == null || front.endOffset > offset) {
            return null;
        }
        first = front.next;
        if (first == null) {
            last = null;
        }
        front.next = null;
        return front;
    }

    /// Takes out everything that ends behind `offset`.
    void removeBehind(long offset, Consumer<PendingAppend> removed) {
        PendingAppend at = first;
        PendingAppend kept = null;
        while (at != null && at.endOffset <= offset) {
            kept = at;
            at = at.next;
        }
        if (kept == null) {
            first = null;
        } else {
            kept.next = null;
        }
        last = kept;
        while (at != null) {
            PendingAppend following = at.next;
            at.next = null;
            removed.accept(at);
            at = following;
        }
    }

    /// Looks at each append, which stays.
    void forEach(Consumer<PendingAppend> action) {
        PendingAppend at = first;
        while (at != null) {
            PendingAppend following = at.next;
            action.accept(at);
            at = following;
        }
    }

    boolean isEmpty() {
        return first == null;
    }
}
