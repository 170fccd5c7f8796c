package dev.ottla.broker.partition;

import static dev.ottla.wire.Check.check;

import org.jspecify.annotations.Nullable;

/// Readers of one partition in the order of the offsets they wait for, so that those whose time has
/// come are at the front. Nearly all wait for the present end and go to the back. Owned by the
/// shard thread.
final class ReaderQueue {
    private @Nullable Reader first;
    private @Nullable Reader last;

    void add(Reader reader, long awaitedOffset) {
        check(reader.queue == null, "a reader waits twice");
        reader.queue = this;
        reader.awaitedOffset = awaitedOffset;
        Reader before = last;
        while (before != null && before.awaitedOffset > awaitedOffset) {
            before = before.previous;
        }
        reader.previous = before;
        reader.next = before == null ? first : before.next;
        if (reader.previous == null) {
            first = reader;
        } else {
            reader.previous.next = reader;
        }
        if (reader.next == null) {
            last = reader;
        } else {
            reader.next.previous = reader;
        }
    }

    void remove(Reader reader) {
        check(reader.queue == this, "a reader waits elsewhere");
        if (reader.previous == null) {
            first = reader.next;
        } else {
            reader.previous.next = reader.next;
        }
        if (reader.next == null) {
            last = reader.previous;
        } else {
            reader.next.previous = reader.previous;
        }
        reader.queue = null;
        reader.previous = null;
        reader.next = null;
    }

    /// Takes out the front if `readableEndOffset` is past what it waits for.
    @Nullable Reader poll(long readableEndOffset) {
        Reader front = first;
        if (front == null || front.awaitedOffset >= readableEndOffset) {
            return null;
        }
        remove(front);
        return front;
    }

    /// Wakes all whose offset `endOffset` has passed.
    void wake(HostedPartition partition, long endOffset) {
        for (Reader reader = poll(endOffset); reader != null; reader = poll(endOffset)) {
            reader.tellReadable(partition);
        }
    }

    /// Everybody hears that there may be news, and waits on.
    void tellNews(HostedPartition partition) {
        Reader reader = first;
        while (reader != null) {
            Reader following = reader.next;
            reader.tellNews(partition);
            reader = following;
        }
    }

    boolean isEmpty() {
        return first == null;
    }
}
