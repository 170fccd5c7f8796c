package dev.ottla.chaos.node;

import java.time.Instant;
import java.time.InstantSource;

/// The time of day, but for a step. Thread-safe.
final class SteppedClock implements InstantSource {
    private final InstantSource real;

    // Written by the thread that takes orders, read by all: whoever asks next sees the step.
    private volatile long stepMs;

    SteppedClock(InstantSource real) {
        this.real = real;
    }

    /// It is so much ahead from now on; behind when negative.
    void step(long ms) {
        stepMs = ms;
    }

    @Override
    public Instant instant() {
        return real.instant().plusMillis(stepMs);
    }

    @Override
    public long millis() {
        return real.millis() + stepMs;
    }
}
