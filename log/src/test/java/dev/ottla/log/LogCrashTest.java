package dev.ottla.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/// Power loss, thousands of times. A failure names its seed: repeat it with `./ottla verify
/// --module log --seed N`.
final class LogCrashTest {
    private static final int CRASHES = 10_000;
    private static final int CRASHES_PER_SEED = 10;
    private static final int PLANTED_SEEDS = 200;

    @Test
    void nothingAcknowledgedIsLostInTenThousandCrashes() {
        String given = System.getProperty("ottla.seed", "");
        if (!given.isEmpty()) {
            run(Long.parseLong(given));
            return;
        }
        boolean endless = Boolean.getBoolean("ottla.long");
        long seed = RandomGenerator.getDefault().nextLong() >>> 16;
        System.out.println("LogCrashTest starts at seed " + seed);
        for (int crashes = 0; endless || crashes < CRASHES; crashes += CRASHES_PER_SEED) {
            run(seed++);
        }
    }

    private static void run(long seed) {
        try {
            new CrashSimulation(seed, false).run(CRASHES_PER_SEED);
        } catch (IOException | RuntimeException | AssertionError e) {
            throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
        }
    }

    @Test
    void acknowledgingBeforeTheSyncIsCaught() throws IOException {
        int caught = 0;
        for (int seed = 0; seed < PLANTED_SEEDS; seed++) {
            try {
                new CrashSimulation(seed, true).run(CRASHES_PER_SEED);
            } catch (AssertionError _) {
                caught++;
            }
        }
        assertThat(caught).isGreaterThan(PLANTED_SEEDS / 2);
    }
}
