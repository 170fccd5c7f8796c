package dev.ottla.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class SpreadTest {
    @Test
    void medianIsTheMiddleOrTheMeanOfTheTwoInTheMiddle() {
        assertThat(Spread.of(List.of(9.0, 1.0, 2.0))).isEqualTo(new Spread(2, 1, 9));
        assertThat(Spread.of(List.of(4.0, 1.0, 2.0, 9.0))).isEqualTo(new Spread(3, 1, 9));
    }

    @Test
    void aRatioReachesAsFarAsTheRunsAllow() {
        Spread ratio = new Spread(2, 1, 4).over(new Spread(4, 2, 8));

        assertThat(ratio).isEqualTo(new Spread(0.5, 0.125, 2));
    }

    @Test
    void numbersKeepThreeDigitsThatCount() {
        assertThat(new Spread(0.4321, 12.345, 12_345.6)).hasToString("0.432 (12.3–12346)");
    }
}
