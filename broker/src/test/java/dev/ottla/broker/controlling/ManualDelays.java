package dev.ottla.broker.controlling;

import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.concurrent.TimeUnit;

/// Time that passes when a test says so.
final class ManualDelays implements Delays {
    private final PriorityQueue<Task> tasks =
            new PriorityQueue<>(
                    Comparator.comparingLong(Task::dueMs).thenComparingLong(Task::number));
    private long nowMs = 5_000_000;
    private long count;

    private record Task(long dueMs, long number, Runnable task) {}

    long nowNs() {
        return TimeUnit.MILLISECONDS.toNanos(nowMs);
    }

    @Override
    public void after(long delayMs, Runnable task) {
        tasks.add(new Task(nowMs + delayMs, count++, task));
    }

    void pass(long ms) {
        long endMs = nowMs + ms;
        for (Task next = tasks.peek(); next != null && next.dueMs() <= endMs; next = tasks.peek()) {
            tasks.remove();
            nowMs = next.dueMs();
            next.task().run();
        }
        nowMs = endMs;
    }
}
