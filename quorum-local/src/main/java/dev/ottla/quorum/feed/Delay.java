package dev.ottla.quorum.feed;

/// Runs tasks on the metadata thread after a while.
@FunctionalInterface
public interface Delay {
    void after(long delayMs, Runnable task);
}
