package dev.ottla.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class LongRingTest {
    @Test
    void keepsOrderWhileItGrowsAndWraps() {
        LongRing ring = new LongRing();
        long in = 0;
        long out = 0;

        for (int round = 0; round < 50; round++) {
            for (int i = 0; i < 7; i++) ring.add(in++);
            for (int i = 0; i < 5; i++) assertThat(ring.remove()).isEqualTo(out++);
        }

        assertThat(ring.size()).isEqualTo(100);
    }
}
