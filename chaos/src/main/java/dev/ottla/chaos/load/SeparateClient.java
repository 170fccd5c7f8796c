package dev.ottla.chaos.load;

import dev.ottla.chaos.history.Event;
import dev.ottla.chaos.history.EventLog;
import dev.ottla.chaos.history.Lines;
import dev.ottla.testkit.Signals;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// A client in a process of its own ([ClientProcess]), so that it can be killed in the middle of
/// what it does, and stand still without anybody speaking for it. Each process has a writer's
/// number and names of its own. Owned by the run's main thread; what the process tells comes on
/// another one.
public final class SeparateClient {
    private static final Duration KILL = Duration.ofSeconds(10);

    /// What SIGTERM leaves behind.
    private static final int TERMINATED = 143;

    private final String bootstrap;
    private final int firstWriter;
    private final int recordsPerSecond;
    private final GroupManners manners;
    private final EventLog history;

    /// Of members that are there: group and partitions. Written by the thread that listens.
    private final Map<String, Owner> owners = new ConcurrentHashMap<>();

    private int number;
    private @Nullable Process process;
    private @Nullable Thread listener;

    private record Owner(String group, Set<String> partitions) {}

    SeparateClient(
            String bootstrap,
            int firstWriter,
            int recordsPerSecond,
            GroupManners manners,
            EventLog history) {
        this.bootstrap = bootstrap;
        this.firstWriter = firstWriter;
        this.recordsPerSecond = recordsPerSecond;
        this.manners = manners;
        this.history = history;
    }

    /// Starts another process when none runs.
    public void ensureRunning() {
        if (process != null && process.isAlive()) {
            return;
        }
        if (process != null) {
            String text = "a client ended by itself with exit code " + process.exitValue();
            history.add(new Event.Stuck(text));
            kill();
        }
        number++;
        List<String> command =
                List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx128m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        ClientProcess.class.getName(),
                        bootstrap,
                        String.valueOf(number),
                        String.valueOf(firstWriter + number),
                        String.valueOf(recordsPerSecond),
                        String.valueOf(manners.sessionMs()),
                        manners.protocol());
        try {
            Process started =
                    new ProcessBuilder(command)
                            .redirectError(ProcessBuilder.Redirect.INHERIT)
                            .start();
            process = started;
            listener = new Thread(() -> listen(started), "separate-client");
            listener.setDaemon(true);
            listener.start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void listen(Process from) {
        try (BufferedReader lines =
                        new BufferedReader(
                                new InputStreamReader(
                                        from.getInputStream(), StandardCharsets.UTF_8));
                OutputStream echo = from.getOutputStream()) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (!line.endsWith("}}")) {
                    return; // It was killed in the middle of a line.
                }
                note(Lines.read(0, line).event());
                echo.write('+');
                echo.flush();
            }
        } catch (IOException e) {
            // It was killed: nothing of what it has told is lost.
        }
    }

    private void note(Event event) {
        history.add(event);
        switch (event) {
            case Event.Owned owned ->
                    owners.computeIfAbsent(
                                    owned.member(),
                                    _ -> new Owner(owned.group(), ConcurrentHashMap.newKeySet()))
                            .partitions()
                            .addAll(owned.partitions());
            case Event.Released released -> {
                Owner owner = owners.get(released.member());
                if (owner != null) {
                    owner.partitions().removeAll(released.partitions());
                }
            }
            default -> {}
        }
    }

    /// SIGKILL: what it had sent may be stored or not, and nobody leaves a group.
    public void kill() {
        if (process != null) {
            // By its handle: the process itself would close the pipe, with what is in there.
            process.toHandle().destroyForcibly();
            end(process, KILL);
        }
    }

    /// It waits for its answers and leaves its groups. Returns whether it did, in time.
    boolean stop(Duration deadline) {
        if (process == null) {
            return true;
        }
        process.toHandle().destroy();
        boolean done = await(process, deadline) && process.exitValue() == TERMINATED;
        kill();
        return done;
    }

    private void end(Process ending, Duration deadline) {
        await(ending, deadline);
        if (listener != null) {
            try {
                listener.join(deadline);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        process = null;
        owners.forEach((member, owner) -> {
            if (!owner.partitions().isEmpty()) {
                List<String> partitions = new ArrayList<>(owner.partitions());
                history.add(new Event.Released(owner.group(), member, partitions));
            }
        });
        owners.clear();
    }

    private static boolean await(Process ending, Duration deadline) {
        try {
            return ending.waitFor(deadline.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /// Throws [IllegalStateException] when it has ended by itself.
    public void freeze() {
        signal("STOP");
    }

    public void thaw() {
        signal("CONT");
    }

    private void signal(String name) {
        if (process == null || !process.isAlive()) {
            throw new IllegalStateException("the separate client is gone");
        }
        Signals.send(name, process.pid());
    }

    /// After so long its sessions are over, where the client decides how long they are.
    public Duration longerThanSessions() {
        return Duration.ofMillis(manners.sessionMs() * 3L / 2);
    }

    /// Whether a member in it owns a partition.
    public boolean ownsAny() {
        return owners.values().stream().anyMatch(owner -> !owner.partitions().isEmpty());
    }
}
