package dev.ottla.broker.shard;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class TimerWheelTest {
    private static final long TICK_NS = 1L << 22;

    private final List<String> fired = new ArrayList<>();
    private final TimerWheel wheel = new TimerWheel(-50);

    @Test
    void firesNeverEarlyAndAtMostOneTickLate() {
        Probe probe = new Probe("a");
        wheel.schedule(probe, 10 * TICK_NS - 50);

        wheel.advance(10 * TICK_NS - 51);
        assertThat(fired).isEmpty();

        wheel.advance(10 * TICK_NS - 50);
        assertThat(fired).containsExactly("a");
        assertThat(probe.isScheduled()).isFalse();
    }

    @Test
    void deadlineSeveralRoundsAwayWaitsForItsRound() {
        wheel.schedule(new Probe("far"), 5000 * TICK_NS);

        for (int tick = 0; tick < 5000; tick++) {
            wheel.advance(tick * TICK_NS);
        }
        assertThat(fired).isEmpty();

        wheel.advance(5001 * TICK_NS);
        assertThat(fired).containsExactly("far");
    }

    @Test
    void longPauseFiresEverythingThatWasDue() {
        wheel.schedule(new Probe("near"), TICK_NS);
        wheel.schedule(new Probe("far"), 3000 * TICK_NS);
        wheel.schedule(new Probe("later"), 90_000 * TICK_NS);

        wheel.advance(50_000 * TICK_NS);

        assertThat(fired).containsExactlyInAnyOrder("near", "far");
        assertThat(wheel.scheduledCount()).isEqualTo(1);
    }

    @Test
    void cancelledTimerDoesNotFireEvenByAnotherOneOfTheSameTick() {
        Probe[] pair = new Probe[2];
        for (int i = 0; i < 2; i++) {
            int other = 1 - i;
            pair[i] =
                    new Probe("p" + i) {
                        @Override
                        protected void onTimeout() {
                            super.onTimeout();
                            wheel.cancel(pair[other]);
                        }
                    };
            wheel.schedule(pair[i], 5 * TICK_NS);
        }

        wheel.advance(20 * TICK_NS);

        assertThat(fired).hasSize(1);
        assertThat(wheel.scheduledCount()).isZero();
    }

    @Test
    void timerMayScheduleItselfAgain() {
        Probe again =
                new Probe("again") {
                    @Override
                    protected void onTimeout() {
                        super.onTimeout();
                        wheel.schedule(this, 0);
                    }
                };
        wheel.schedule(again, 0);

        wheel.advance(TICK_NS);
        wheel.advance(2 * TICK_NS);

        assertThat(fired).containsExactly("again", "again");
    }

    @Test
    void saysWhenItIsNeededNext() {
        assertThat(wheel.nanosToNext(0)).isEqualTo(Long.MAX_VALUE);
        Probe probe = new Probe("a");
        wheel.schedule(probe, TimeUnit.MILLISECONDS.toNanos(100));

        assertThat(wheel.nanosToNext(0))
                .isBetween(
                        TimeUnit.MILLISECONDS.toNanos(100),
                        TimeUnit.MILLISECONDS.toNanos(100) + TICK_NS);

        wheel.cancel(probe);
        assertThat(wheel.nanosToNext(0)).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void manyTimersOfLaterRoundsAreNeededOnceARoundOnly() {
        long firstTick = 10_240;
        for (int i = 0; i < 1000; i++) {
            wheel.schedule(new Probe("session"), (firstTick + i) * TICK_NS);
        }

        int advances = 0;
        long nowNs = 0;
        while (fired.isEmpty()) {
            nowNs += wheel.nanosToNext(nowNs);
            wheel.advance(nowNs);
            advances++;
        }

        assertThat(advances).isLessThanOrEqualTo(11);
        assertThat(nowNs).isBetween(firstTick * TICK_NS, (firstTick + 1) * TICK_NS);
    }

    @Test
    void longPauseBetweenRoundsLosesNoTimerScheduledDuringIt() {
        wheel.advance(100_000 * TICK_NS);
        // 98 rounds are 100,352 ticks.
        wheel.schedule(new Probe("soon"), 100_001 * TICK_NS - 50);
        wheel.schedule(new Probe("at the next round"), 100_352 * TICK_NS - 50);

        wheel.advance(100_001 * TICK_NS);
        assertThat(fired).containsExactly("soon");

        wheel.advance(100_352 * TICK_NS);
        assertThat(fired).containsExactly("soon", "at the next round");
    }

    @Test
    void agreesWithAPlainListOnRandomSchedules() {
        long seed = Long.getLong("ottla.seed", System.nanoTime());
        SplittableRandom random = new SplittableRandom(seed);
        List<Probe> probes = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            probes.add(new Probe("p" + i));
        }
        long nowNs = 0;
        for (int step = 0; step < 20_000; step++) {
            Probe probe = probes.get(random.nextInt(probes.size()));
            switch (random.nextInt(4)) {
                case 0 -> wheel.cancel(probe);
                case 1, 2 -> {
                    probe.deadlineNs = nowNs + random.nextLong(12_000 * TICK_NS);
                    wheel.schedule(probe, probe.deadlineNs);
                }
                default -> {
                    nowNs += Math.min(random.nextLong(40 * TICK_NS), wheel.nanosToNext(nowNs));
                    wheel.advance(nowNs);
                    for (Probe each : probes) {
                        boolean due = each.deadlineNs + TICK_NS <= nowNs;
                        assertThat(each.isScheduled() && due)
                                .as("%s late, -Dottla.seed=%d", each.name, seed)
                                .isFalse();
                    }
                }
            }
            probe.nowNs = nowNs;
        }
    }

    private class Probe extends Timer {
        private final String name;
        private long deadlineNs;
        private long nowNs;

        Probe(String name) {
            this.name = name;
        }

        @Override
        protected void onTimeout() {
            assertThat(isScheduled()).isFalse();
            assertThat(nowNs).isLessThanOrEqualTo(deadlineNs + 41 * TICK_NS);
            fired.add(name);
        }
    }
}
