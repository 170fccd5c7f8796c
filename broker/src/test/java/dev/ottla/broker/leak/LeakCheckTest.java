package dev.ottla.broker.leak;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import org.junit.jupiter.api.Test;

class LeakCheckTest {
    @Test
    void forgottenBuffersAreFound() throws InterruptedException {
        forget();

        assertThat(LeakCheck.leaks())
                .hasSize(2)
                .allMatch(leak -> leak.contains("LeakCheckTest.forget"));
    }

    private static void forget() {
        PooledByteBufAllocator.DEFAULT.directBuffer(16, 16);
        UnpooledByteBufAllocator.DEFAULT.directBuffer(16, 16);
    }
}
