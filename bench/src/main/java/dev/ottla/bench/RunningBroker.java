package dev.ottla.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// A broker process and what the operating system says about it.
final class RunningBroker implements AutoCloseable {
    private static final double TICKS_PER_SECOND = 100;
    private static final int STOP_SECONDS = 120;

    private final Process process;
    private final int port;

    private RunningBroker(Process process, int port) {
        this.process = process;
        this.port = port;
    }

    static RunningBroker start(Side side, Path dataDir, int port) throws IOException {
        Process process =
                new ProcessBuilder(side.command(dataDir, port))
                        .redirectErrorStream(true)
                        .redirectOutput(
                                dataDir.resolveSibling(dataDir.getFileName() + ".log").toFile())
                        .start();
        return new RunningBroker(process, port);
    }

    String bootstrap() {
        return "127.0.0.1:" + port;
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /// User and system seconds since the start of the process.
    double cpuSeconds() {
        // The second field is the command in parentheses and may hold blanks: count from its end.
        String stat = proc("stat");
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
        return (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) / TICKS_PER_SECOND;
    }

    /// Resident memory in MiB.
    double residentMiB() {
        for (String line : proc("status").lines().toList()) {
            if (line.startsWith("VmRSS:")) {
                return Long.parseLong(line.replaceAll("[^0-9]", "")) / 1024.0;
            }
        }
        throw new IllegalStateException("no VmRSS line for process " + process.pid());
    }

    int threadCount() {
        try (var tasks = Files.list(Path.of("/proc", Long.toString(process.pid()), "task"))) {
            return (int) tasks.count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) process.destroyForcibly();
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    private String proc(String file) {
        try {
            return Files.readString(Path.of("/proc", Long.toString(process.pid()), file));
        } catch (IOException e) {
            throw new UncheckedIOException("process " + process.pid() + " is gone", e);
        }
    }

    /// Runs a load tool to its end and fails with its output when it fails.
    static String runTool(Path java, Path libs, List<String> arguments)
            throws IOException, InterruptedException {
        List<String> command =
                new ArrayList<>(
                        List.of(
                                java.toString(),
                                "-Xmx512m",
                                "-XX:+UseSerialGC",
                                "-cp",
                                libs + "/*"));
        command.addAll(arguments);
        Process tool = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(tool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (tool.waitFor() != 0) {
            throw new IOException(
                    "load tool failed: " + String.join(" ", arguments) + "\n" + output);
        }
        return output;
    }
}
