package dev.ottla.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ottla.bench.scenario.Catalog;
import dev.ottla.bench.scenario.Scale;
import dev.ottla.bench.scenario.Scenario;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A run that should have been refused would measure for hours.
@Timeout(60)
final class BenchCommandTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @Test
    void wordThatCannotBePlacedIsNamedAndTheHelpPointedTo() throws Exception {
        misused("unknown option --quik, did you mean --quick?", "compare", "--quik");
        misused("unknown option -quick, did you mean --quick?", "compare", "-quick");
        misused("unknown option -include, did you mean --include?", "micro", "-include", "x");
        misused("the word -- belongs to no option", "micro", "--", "--quick");
        misused("the word full-1k belongs to no option", "compare", "full-1k");
        misused("--scenario needs a value: --scenario NAME", "compare", "--scenario");
        misused("no scenario or family nope; --list names them", "compare", "--scenario=nope");
        misused("--rounds takes a number from 1 on and got 0", "compare", "--rounds=0");
        misused("--rounds takes a number from 1 on and got x", "compare", "--rounds", "x");
        misused("--side takes ottla, kafka or both and got us", "compare", "--side", "us");
        misused("unknown command compar", "compar");
        misused("Usage: ./ottla bench COMMAND");
    }

    @Test
    void helpNamesEveryOption() throws Exception {
        assertThat(run("compare", "--help")).isEqualTo(BenchCommand.DONE);
        assertThat(run("micro", "-h")).isEqualTo(BenchCommand.DONE);
        assertThat(run("--help")).isEqualTo(BenchCommand.DONE);

        assertThat(out.toString(StandardCharsets.UTF_8))
                .contains(
                        "--scenario NAME",
                        "--list ",
                        "--rounds COUNT",
                        "--side NAME",
                        "--page FILE",
                        "--work-dir DIR",
                        "--include REGEX",
                        "  compare ",
                        "  micro ");
        assertThat(err.size()).isZero();
    }

    @Test
    void listNamesEveryScenario() throws Exception {
        assertThat(run("compare", "--list")).isEqualTo(BenchCommand.DONE);

        assertThat(out.toString(StandardCharsets.UTF_8))
                .contains(Catalog.all().stream().map(Scenario::name).toList());
    }

    @Test
    void comparisonIsWhatTheOptionsSay() {
        CompareOptions plain = CompareOptions.parse(List.of());
        assertThat(plain.scenarios()).hasSameSizeAs(Catalog.all());
        assertThat(plain.rounds()).isEqualTo(Scale.FULL.rounds());
        assertThat(plain.sides()).containsExactlyInAnyOrder("Ottla", "Kafka");
        assertThat(plain.page()).isEmpty();

        CompareOptions told =
                CompareOptions.parse(
                        List.of(
                                "--quick",
                                "--scenario",
                                "full-1k",
                                "--side=ottla",
                                "--page=p.md",
                                "--work-dir=w"));
        assertThat(told.sides()).containsExactly("Ottla");
        assertThat(told.scenarios()).extracting(Scenario::name).containsExactly("full-1k");
        assertThat(told.scale()).isEqualTo(Scale.QUICK);
        assertThat(told.rounds()).isEqualTo(Scale.QUICK.rounds());
        assertThat(told.page()).contains(Path.of("p.md"));
        assertThat(told.workDir()).isEqualTo(Path.of("w"));

        assertThat(MicroCommand.parse(List.of("--include=Frame")))
                .isEqualTo(new MicroCommand("Frame", false));
    }

    private void misused(String reason, String... words) throws Exception {
        err.reset();
        assertThat(run(words)).isEqualTo(BenchCommand.USAGE);
        assertThat(err.toString(StandardCharsets.UTF_8)).startsWith(reason).contains("--help");
    }

    private int run(String... words) throws Exception {
        return new BenchCommand(
                        new PrintStream(out, true, StandardCharsets.UTF_8),
                        new PrintStream(err, true, StandardCharsets.UTF_8))
                .run(List.of(words));
    }
}
