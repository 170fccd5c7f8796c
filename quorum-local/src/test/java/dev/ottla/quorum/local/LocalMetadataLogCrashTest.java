package dev.ottla.quorum.local;

import dev.ottla.testing.Seeds;
import org.junit.jupiter.api.Test;

/// Power losses at random moments, each followed by a start: nothing that was answered is lost, and
/// no epoch comes twice. `-Dottla.seed=N` repeats a run, `-Dottla.long=true` runs on and on.
class LocalMetadataLogCrashTest {
    private static final int RUNS = 80;
    private static final int CRASHES = 8;

    @Test
    void nothingThatWasAnsweredIsLostInAPowerLoss() {
        Seeds.run("LocalMetadataLogCrashTest", RUNS, seed -> new CrashRun(seed).run(CRASHES));
    }
}
