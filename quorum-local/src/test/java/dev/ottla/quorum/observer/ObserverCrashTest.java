package dev.ottla.quorum.observer;

import dev.ottla.testing.Seeds;
import org.junit.jupiter.api.Test;

/// Power losses of the observer and of the controller at random moments: every batch comes once and
/// in order. `-Dottla.seed=N` repeats a run, `-Dottla.long=true` runs on and on.
class ObserverCrashTest {
    private static final int RUNS = 25;
    private static final int CRASHES = 8;

    @Test
    void noBatchIsDoubledOrMissed() {
        Seeds.run("ObserverCrashTest", RUNS, seed -> new ObserverCrashRun(seed).run(CRASHES));
    }
}
