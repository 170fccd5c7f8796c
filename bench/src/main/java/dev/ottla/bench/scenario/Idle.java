package dev.ottla.bench.scenario;

import dev.ottla.bench.side.RunningBroker;
import java.time.Duration;

/// What a broker needs while nobody asks it for anything.
///
/// @param cpuPercent of one core
record Idle(double cpuPercent) {
    static final String CPU = "idle CPU, % of a core";
    private static final Duration SETTLE = Duration.ofSeconds(2);

    /// Lets the broker come to rest, then watches it for a while.
    static Idle watch(RunningBroker broker, Duration time) throws InterruptedException {
        Thread.sleep(SETTLE);
        double cpuBefore = broker.cpuSeconds();
        long beganNs = System.nanoTime();
        Thread.sleep(time);
        double seconds = (System.nanoTime() - beganNs) / 1e9;
        return new Idle((broker.cpuSeconds() - cpuBefore) / seconds * 100);
    }
}
