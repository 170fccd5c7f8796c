package dev.ottla.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ottla.broker.server.Host;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.apache.commons.cli.Option;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A start that should have been refused would run on.
@Timeout(60)
final class OttlaCommandTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @Test
    void helpOfStartNamesEveryOptionWithItsValue() throws InterruptedException {
        assertThat(run("start", "--help")).isEqualTo(OttlaCommand.DONE);

        for (Option option : StartOptions.ALL) {
            assertThat(out.toString(StandardCharsets.UTF_8))
                    .contains("--" + option.getLongOpt() + " " + option.getArgName());
        }
        assertThat(err.size()).isZero();
    }

    @Test
    void versionIsOneLine() throws InterruptedException {
        assertThat(run("--version")).isEqualTo(OttlaCommand.DONE);
        assertThat(run("start", "-V")).isEqualTo(OttlaCommand.DONE);

        assertThat(out.toString(StandardCharsets.UTF_8).lines())
                .containsExactly(Version.line(), Version.line());
    }

    @Test
    void wordThatCannotBePlacedIsNamedAndTheHelpPointedTo() throws InterruptedException {
        misused("unknown option --prot, did you mean --port?", "start", "--prot", "1");
        misused("unknown option --node_id, did you mean --node-id?", "start", "--node_id=1");
        misused("unknown option --dir, did you mean --data-dir?", "start", "--dir", "x");
        misused("unknown option --no, did you mean --node-id?", "start", "--no");
        misused("unknown option -p", "start", "-p", "1");
        misused("the word extra belongs to no option", "start", "--port=0", "extra");
        misused("--port needs a value: --port PORT", "start", "--port");
        misused("--port needs a value: --port PORT", "start", "--port", "--data-dir", "x");
        misused("--port was given twice, with 1 and with 2", "start", "--port=1", "--port=2");
        misused("unknown command strat", "strat");
        misused("Usage: ./ottla COMMAND");
    }

    @Test
    void oneDashIsNotTakenForTwo() throws InterruptedException {
        misused("unknown option -port, did you mean --port?", "start", "-port", "9092");
        misused("unknown option -port, did you mean --port?", "start", "-port=9092");
        misused("unknown option -port9092, did you mean --port?", "start", "-port9092");
        misused("unknown option -data-dir, did you mean --data-dir?", "train", "-data-dir", "x");
        misused("unknown option -hV", "start", "-hV");
        misused("--data-dir needs a value", "start", "--data-dir", "-port", "0");
        misused("--data-dir needs a value", "start", "--data-dir", "-port9092");
        misused("the word -- belongs to no option", "start", "--");
        misused("the word -- belongs to no option", "start", "--", "--port=0");
        misused("the word -- belongs to no option", "start", "--port", "--", "0");
    }

    @Test
    void refusedStartSaysWhyInOneSentence(@TempDir Path directory) throws InterruptedException {
        int code = run("start", "--data-dir=" + directory, "--set=num.partitions=none");

        assertThat(code).isEqualTo(OttlaCommand.REFUSED);
        assertThat(err.toString(StandardCharsets.UTF_8))
                .startsWith("Ottla did not start: the configuration cannot be used.")
                .contains("num.partitions")
                .doesNotContain("\tat ");
    }

    private void misused(String reason, String... words) throws InterruptedException {
        err.reset();
        assertThat(run(words)).isEqualTo(OttlaCommand.USAGE);
        assertThat(err.toString(StandardCharsets.UTF_8)).startsWith(reason).contains("--help");
    }

    private int run(String... words) throws InterruptedException {
        return new OttlaCommand(
                        Host.real(),
                        new PrintStream(out, true, StandardCharsets.UTF_8),
                        new PrintStream(err, true, StandardCharsets.UTF_8))
                .run(List.of(words));
    }
}
