package dev.ottla.quorum.local;

import org.junit.jupiter.api.Test;

/// Power losses at random moments, each followed by a start: nothing that was answered is lost, and
/// no epoch comes twice. `-Dottla.seed=N` repeats a run, `-Dottla.long=true` runs on and on.
class LocalMetadataLogCrashTest {
    private static final int RUNS = 80;
    private static final int CRASHES = 8;

    @Test
    void nothingThatWasAnsweredIsLostInAPowerLoss() {
        String given = System.getProperty("ottla.seed", "");
        long first = given.isEmpty() ? System.nanoTime() : Long.parseLong(given);
        long runs = Boolean.getBoolean("ottla.long") ? Long.MAX_VALUE : RUNS;
        for (long i = 0; i < (given.isEmpty() ? runs : 1); i++) {
            long seed = first + i;
            try {
                new CrashRun(seed).run(CRASHES);
            } catch (Throwable e) {
                throw new AssertionError(
                        "LocalMetadataLogCrashTest fails with -Dottla.seed=" + seed, e);
            }
        }
    }
}
