package dev.ottla.bench.side;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// A process that runs to its end, for its output.
public final class ChildProcess {
    private ChildProcess() {}

    /// Gives what the process wrote to both its outputs; fails with it when the process fails.
    public static String run(List<String> command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        int status = process.waitFor();
        if (status != 0) {
            throw new IOException(
                    "status %d from: %s%n%s".formatted(status, String.join(" ", command), output));
        }
        return output;
    }
}
