package dev.ottla.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

final class LatencyLogTest {
    private static final long SECOND = 1_000_000_000L;

    @Test
    void leavesOutTheWarmUpAndKeepsTheWorstOfEachSecond() {
        LatencyLog log = new LatencyLog();
        log.measureFrom(10 * SECOND);

        log.record(9 * SECOND, 12 * SECOND);
        log.record(10 * SECOND, 10 * SECOND + 2_000_000);
        log.record(10 * SECOND + 5, 10 * SECOND + 4_000_005);
        log.record(12 * SECOND, 12 * SECOND + 1_000_000);

        assertThat(log.count()).isEqualTo(3);
        assertThat(log.maxMs()).isCloseTo(4, within(0.01));
        assertThat(log.maxMsBySecond()).containsExactly(4.0, 0.0, 1.0);
    }
}
