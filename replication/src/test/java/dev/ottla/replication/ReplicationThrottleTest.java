package dev.ottla.replication;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class ReplicationThrottleTest {
    private static final long MS = TimeUnit.MILLISECONDS.toNanos(1);

    private final ReplicationThrottle throttle = new ReplicationThrottle();

    @Test
    void withoutALimitNothingWaits() {
        throttle.taken(1 << 30, 0);

        assertThat(throttle.waitMs(0)).isZero();
    }

    @Test
    void whatWasTakenIsPaidForWithTime() {
        throttle.limit(1_000, 0);
        throttle.taken(2_000, 0);

        assertThat(throttle.waitMs(0)).isEqualTo(2_000);
        assertThat(throttle.waitMs(1_500 * MS)).isEqualTo(500);
        assertThat(throttle.waitMs(2_000 * MS)).isZero();
    }

    @Test
    void timeInWhichNothingWasTakenIsNotSavedUp() {
        throttle.limit(1_000, 0);

        throttle.taken(1_000, 60_000 * MS);

        assertThat(throttle.waitMs(60_000 * MS)).isEqualTo(1_000);
    }

    @Test
    void debtIsPaidAtTheRateOfTheDay() {
        throttle.limit(1_000, 0);
        throttle.taken(10_000, 0);

        throttle.limit(10_000, 0);
        assertThat(throttle.waitMs(0)).isEqualTo(1_000);
        throttle.limit(ReplicationThrottle.UNLIMITED, 0);
        assertThat(throttle.waitMs(0)).isZero();
        throttle.limit(1_000, 0);
        assertThat(throttle.waitMs(0)).isZero();
    }

    @Test
    void limitOfNothingAsksAgainLater() {
        throttle.limit(0, 0);

        assertThat(throttle.waitMs(0)).isPositive();
        assertThat(throttle.waitMs(3_600_000 * MS)).isPositive();
    }

    @Test
    void overTimeAsMuchComesAsTheLimitSays() {
        throttle.limit(1_000_000, 0);
        long taken = 0;
        for (long ms = 0; ms < 60_000; ms += 10) {
            if (throttle.waitMs(ms * MS) > 0) continue;
            throttle.taken(300_000, ms * MS);
            taken += 300_000;
        }

        assertThat(taken).isBetween(59_000_000L, 61_000_000L);
    }
}
