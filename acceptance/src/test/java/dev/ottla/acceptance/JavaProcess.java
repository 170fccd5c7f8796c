package dev.ottla.acceptance;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// A program on the class path of the tests in a JVM of its own, to be killed. Owned by one test.
final class JavaProcess implements AutoCloseable {
    private final Process process;
    private final Path output;

    private JavaProcess(Process process, Path output) {
        this.process = process;
        this.output = output;
    }

    static JavaProcess start(Path output, String main, String... arguments) {
        List<String> command = new ArrayList<>(command(main));
        command.addAll(Arrays.asList(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.redirectOutput(ProcessBuilder.Redirect.appendTo(output.toFile()));
        try {
            Process process = builder.start();
            Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
            return new JavaProcess(process, output);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// The command of a small JVM with this one's class path.
    static List<String> command(String main) {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                main);
    }

    /// What to show when a condition does not come true.
    String output() {
        try {
            return (process.isAlive() ? "running" : "ended") + ":\n" + Files.readString(output);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// SIGTERM.
    void stop() {
        process.destroy();
        join();
    }

    /// SIGKILL.
    void kill() {
        process.destroyForcibly();
        join();
    }

    private void join() {
        try {
            process.waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }

    @Override
    public void close() {
        kill();
    }
}
