package dev.ottla.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PerformancePageTest {
    private static final List<TargetRow> ROWS =
            List.of(
                    TargetRow.sideBySide("work", "full", "CPU, s", new Target.AtMost(0.5)),
                    TargetRow.sideBySide("speed", "full", "MB/s", new Target.AtLeast(1.5)),
                    TargetRow.sideBySide("later", "other", "s", new Target.AtMost(1)),
                    TargetRow.absolute("time", "full", "CPU, s", new Target.AtMost(2)));

    @TempDir Path folder;

    @Test
    void writesVerdictsAndKeepsTheProseAround() throws IOException {
        Path page = folder.resolve("performance.md");
        Files.writeString(
                page, "before\n<!-- figures: begin -->\nold\n<!-- figures: end -->\nafter\n");

        new PerformancePage(page)
                .update("settings", Map.of("family", measured(1, 4)), new Samples(), ROWS);

        String text = Files.readString(page);
        assertThat(text).startsWith("before\n").endsWith("after\n").doesNotContain("old");
        assertThat(text).contains("| work | 0.250 | ≤ 0.5 | met |");
        assertThat(text).contains("| speed | 1.00 | ≥ 1.5 | **missed** |");
        assertThat(text).contains("| later | not measured | ≤ 1.0 | open |");
        assertThat(text).contains("| time | 1.00 | ≤ 2.0 | met |");
        assertThat(folder.resolve("performance/family.svg")).content().contains("full: CPU, s");
    }

    @Test
    void scenariosThatWereNotRunKeepTheirFigures() throws IOException {
        PerformancePage page = new PerformancePage(folder.resolve("performance.md"));
        page.update("settings", Map.of("family", measured(1, 4)), new Samples(), ROWS);
        Samples others = new Samples();
        others.add(new Sample("other", "s", "Ottla", 1, 3));
        others.add(new Sample("other", "s", "Kafka", 1, 2));

        page.update("settings", Map.of("family", others), new Samples(), ROWS);

        assertThat(folder.resolve("performance.md"))
                .content()
                .contains("| work | 0.250 |")
                .contains("| later | 1.50 | ≤ 1.0 | **missed** |");
    }

    @Test
    void sideThatWasNotRunKeepsItsFigures() throws IOException {
        PerformancePage page = new PerformancePage(folder.resolve("performance.md"));
        page.update("settings", Map.of("family", measured(1, 4)), new Samples(), ROWS);
        Samples ottla = new Samples();
        ottla.add(new Sample("full", "CPU, s", "Ottla", 1, 2));

        page.update("settings", Map.of("family", ottla), new Samples(), ROWS);

        assertThat(folder.resolve("performance.md")).content().contains("| work | 0.500 |");
    }

    @Test
    void whatWasTakenEachSecondBecomesAPicture() throws IOException {
        Samples samples = measured(1, 4);
        samples.add(new Series("full", "Ottla", 1, List.of(1.0, 30.0, 2.0)));
        samples.add(new Series("full", "Kafka", 1, List.of(4.0, 500.0)));

        new PerformancePage(folder.resolve("performance.md"))
                .update("settings", Map.of("family", samples), new Samples(), ROWS);

        assertThat(folder.resolve("performance.md"))
                .content()
                .contains("![full over time](performance/full-over-time.svg)");
        assertThat(folder.resolve("performance/full-over-time.svg"))
                .content()
                .contains("<polyline");
        assertThat(folder.resolve("performance/full-over-time.csv"))
                .content()
                .contains("full,Kafka,1,1,500.0");
    }

    @Test
    void rawDataReadsBackAsItWas() {
        Samples samples = measured(1.25, 4);

        assertThat(Csv.read(Csv.write(samples)).all()).isEqualTo(samples.all());
    }

    private static Samples measured(double ottla, double kafka) {
        Samples samples = new Samples();
        samples.add(new Sample("full", "CPU, s", "Ottla", 1, ottla));
        samples.add(new Sample("full", "CPU, s", "Kafka", 1, kafka));
        samples.add(new Sample("full", "MB/s", "Ottla", 1, 100));
        samples.add(new Sample("full", "MB/s", "Kafka", 1, 100));
        return samples;
    }
}
