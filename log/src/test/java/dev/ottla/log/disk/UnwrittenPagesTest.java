package dev.ottla.log.disk;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class UnwrittenPagesTest {
    private static final String TEXT =
            """
            MemTotal:       24105000 kB
            SwapFree:              0 kB
            Dirty:              1234 kB
            Writeback:            56 kB
            WritebackTmp:          7 kB
            """;

    @Test
    void readsItsLines() {
        assertThat(UnwrittenPages.bytes(TEXT, "Dirty:")).isEqualTo(1234 * 1024);
        assertThat(UnwrittenPages.bytes(TEXT, "Writeback:")).isEqualTo(56 * 1024);
    }

    @Test
    void aMissingOrStrangeLineCountsNothing() {
        assertThat(UnwrittenPages.bytes("", "Dirty:")).isZero();
        assertThat(UnwrittenPages.bytes("\nDirty:", "Dirty:")).isZero();
        assertThat(UnwrittenPages.bytes("\nDirty: much", "Dirty:")).isZero();
    }

    @Test
    void thisSystemCanBeAsked() {
        assertThat(UnwrittenPages.bytes()).isNotNegative();
    }
}
