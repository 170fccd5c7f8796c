package dev.ottla.broker.network;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MemoryBudgetTest {
    private static final int MB = 1 << 20;

    private final MemoryBudget budget = new MemoryBudget(64 * MB);

    @Test
    void largeFramesLeaveHalfOfTheBudgetToOthers() {
        assertThat(budget.tryReserve(20 * MB)).isTrue();
        assertThat(budget.tryReserve(20 * MB)).isFalse();

        assertThat(budget.tryReserve(1_000)).isTrue();
        budget.release(20 * MB);
        assertThat(budget.tryReserve(30 * MB)).isTrue();
    }

    @Test
    void frameLargerThanTheBudgetIsAdmittedAloneAndStopsNoSmallOne() {
        assertThat(budget.tryReserve(90 * MB)).isTrue();
        assertThat(budget.tryReserve(90 * MB)).isFalse();

        assertThat(budget.tryReserve(1_000)).isTrue();
        assertThat(budget.usedBytes()).isEqualTo(90L * MB + 1_000);
    }

    @Test
    void smallFramesAreBoundedToo() {
        int frames = 0;
        while (budget.tryReserve(MemoryBudget.LARGE_FRAME_BYTES)) {
            frames++;
        }

        assertThat(frames).isEqualTo(32 * MB / MemoryBudget.LARGE_FRAME_BYTES);
        assertThat(budget.tryReserve(20 * MB)).isTrue();
    }
}
