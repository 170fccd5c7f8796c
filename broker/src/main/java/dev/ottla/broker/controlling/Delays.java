package dev.ottla.broker.controlling;

/// Runs something later, on a thread that must not be kept: what is to be done is posted to its
/// owner.
@FunctionalInterface
public interface Delays {
    void after(long delayMs, Runnable task);
}
