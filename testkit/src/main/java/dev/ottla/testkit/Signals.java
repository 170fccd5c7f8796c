package dev.ottla.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;

/// Signals for processes, as `kill` sends them.
public final class Signals {
    private Signals() {}

    /// Sends one; throws [AssertionError] when there is no such process.
    ///
    /// @param name such as `STOP`
    public static void send(String name, long pid) {
        try {
            int exit =
                    new ProcessBuilder("kill", "-" + name, String.valueOf(pid)).start().waitFor();
            if (exit != 0) {
                throw new AssertionError("no " + name + " for " + pid);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }
}
