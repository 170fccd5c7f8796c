package dev.ottla.bench.side;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class ProcFileTest {
    @Test
    void cpuSecondsAreReadBehindACommandWithBlanks() {
        String stat = "42 (java (x) y) S 1 42 42 0 -1 4194560 1 0 0 0 250 125 0 0 20 0 23 0 99 1 2";

        assertThat(ProcFile.cpuSeconds(stat)).isEqualTo(3.75);
    }

    @Test
    void sizesAreReadByTheirName() {
        String status = "Name:\tjava\nVmHWM:\t   2048 kB\nVmRSS:\t   1024 kB\n";

        assertThat(ProcFile.kib(status, "VmRSS")).hasValue(1024);
        assertThat(ProcFile.kib(status, "VmNothing")).isEmpty();
    }
}
