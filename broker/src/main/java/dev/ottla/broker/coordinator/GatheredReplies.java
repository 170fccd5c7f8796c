package dev.ottla.broker.coordinator;

import dev.ottla.group.shell.Refusal;
import dev.ottla.group.shell.Reply;
import java.util.ArrayList;
import java.util.List;

/// Replies of many coordinators on several shards, made into one. Thread-safe: guarded by its
/// monitor, which is held for a few instructions.
final class GatheredReplies<T> implements Reply<T> {
    private final Reply<GroupCoordinators.All<T>> whole;
    private final List<T> results = new ArrayList<>();
    private final List<Refusal> refusals = new ArrayList<>();

    /// Shards that were not asked yet, and replies that have not come.
    private int missing;

    GatheredReplies(int shards, Reply<GroupCoordinators.All<T>> whole) {
        this.missing = shards;
        this.whole = whole;
    }

    synchronized void expect(int replies) {
        missing += replies;
    }

    @Override
    public void complete(T response) {
        synchronized (this) {
            results.add(response);
        }
        countDown();
    }

    @Override
    public void refuse(Refusal refusal) {
        synchronized (this) {
            refusals.add(refusal);
        }
        countDown();
    }

    void shardAsked() {
        countDown();
    }

    private void countDown() {
        synchronized (this) {
            if (--missing > 0) return;
        }
        whole.complete(new GroupCoordinators.All<>(results, refusals));
    }
}
