package dev.ottla.chaos.cluster;

import dev.ottla.testkit.ChildProcess;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// A program of the user's that does to nodes what only he can do. It is called with a verb and
/// nodes, ends with 0 when that is done and with 3 when it is not supported. Immutable.
final class Hook {
    private static final int NOT_SUPPORTED = 3;

    private final Path program;
    private final Duration limit;

    /// @param limit when a call takes longer, the program is killed with all that it has started
    Hook(Path program, Duration limit) {
        this.program = program.toAbsolutePath();
        this.limit = limit;
    }

    /// What became of a call.
    enum Outcome {
        DONE,
        NOT_SUPPORTED,
        FAILED
    }

    /// @param text why it was not done
    record Answer(Outcome outcome, String text) {}

    Answer call(String... words) {
        String asked = String.join(" ", words);
        List<String> command = new ArrayList<>(List.of(program.toString()));
        command.addAll(List.of(words));
        ChildProcess.Result result;
        try {
            result =
                    ChildProcess.run(
                            Path.of("").toAbsolutePath(),
                            Map.of(),
                            limit,
                            command.toArray(String[]::new));
        } catch (IllegalStateException | UncheckedIOException e) {
            return new Answer(Outcome.FAILED, "the hook cannot be run: " + e.getMessage());
        }
        return switch (result.exitCode()) {
            case 0 -> new Answer(Outcome.DONE, "");
            case NOT_SUPPORTED ->
                    new Answer(
                            Outcome.NOT_SUPPORTED, "the hook does not support '" + words[0] + "'");
            case -1 ->
                    new Answer(
                            Outcome.FAILED,
                            "the hook took longer than %d ms for '%s' and was killed"
                                    .formatted(limit.toMillis(), asked));
            default ->
                    new Answer(
                            Outcome.FAILED,
                            "the hook's '%s' ended with exit code %d%s"
                                    .formatted(asked, result.exitCode(), lastWords(result)));
        };
    }

    private static String lastWords(ChildProcess.Result result) {
        String said = result.err().isBlank() ? result.out().strip() : result.err().strip();
        return said.isEmpty() ? "" : ": " + said.substring(said.lastIndexOf('\n') + 1);
    }
}
