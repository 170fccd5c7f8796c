package dev.ottla.broker.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ReadAheadTest {
    private static final int MIB = 1 << 20;

    @Test
    void aReaderThatGoesOnHasEachByteAskedForOnceAndInTime() {
        ReadAhead first = ReadAhead.of(3 * MIB + 17, MIB, true);
        assertThat(first.from()).isEqualTo(3 * MIB + 17);
        long asked = first.until();
        long position = 3 * MIB + 17 + MIB;
        for (int i = 0; i < 1000; i++) {
            int sizeBytes = i % 7 == 0 ? 5 * MIB : 100_000 + 997 * i;
            assertThat(asked - position)
                    .isGreaterThan((ReadAhead.STEPS - 1) * ReadAhead.STEP_BYTES);
            ReadAhead next = ReadAhead.of(position, sizeBytes, false);
            if (!next.isEmpty()) {
                assertThat(next.from()).isEqualTo(asked);
                asked = next.until();
            }
            position += sizeBytes;
        }
    }

    @Test
    void whatIsColdIsAskedForItself() {
        ReadAhead ahead = ReadAhead.of(100, MIB, true);

        assertThat(ahead).isEqualTo(new ReadAhead(100, ReadAhead.STEPS * ReadAhead.STEP_BYTES));
    }
}
