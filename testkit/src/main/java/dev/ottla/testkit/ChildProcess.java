package dev.ottla.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/// A program that runs to its end.
public final class ChildProcess {
    private ChildProcess() {}

    public record Result(int exitCode, String out, String err) {}

    /// Runs with a deadline; throws [IllegalStateException] when the program cannot be started.
    public static Result run(
            Path directory, Map<String, String> environment, Duration deadline, String... command) {
        try {
            Path out = Files.createTempFile("acceptance", ".out");
            Path err = Files.createTempFile("acceptance", ".err");
            try {
                ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile());
                builder.environment().putAll(environment);
                builder.redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()));
                builder.redirectOutput(out.toFile()).redirectError(err.toFile());
                Process process = start(builder);
                boolean ended = process.waitFor(deadline.toMillis(), TimeUnit.MILLISECONDS);
                if (!ended) {
                    process.descendants().forEach(ProcessHandle::destroyForcibly);
                    process.destroyForcibly().waitFor();
                }
                int exitCode = ended ? process.exitValue() : -1;
                return new Result(exitCode, text(out), text(err));
            } finally {
                Files.delete(out);
                Files.delete(err);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }

    private static Process start(ProcessBuilder builder) {
        try {
            return builder.start();
        } catch (IOException e) {
            throw new IllegalStateException("cannot start " + builder.command(), e);
        }
    }

    private static String text(Path file) throws IOException {
        return new String(Files.readAllBytes(file), UTF_8);
    }
}
