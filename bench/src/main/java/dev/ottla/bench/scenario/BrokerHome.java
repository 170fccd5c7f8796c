package dev.ottla.bench.scenario;

import dev.ottla.bench.side.RunningBroker;
import dev.ottla.bench.side.Side;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;

/// A temporary directory and the broker that runs on it; both go when it is closed. Owned by the
/// main thread; when the harness is ended from outside, a hook of the JVM closes it.
final class BrokerHome implements AutoCloseable {
    private final Side side;
    private final Path directory;
    private final int port;
    private final Thread hook = new Thread(this::closeAtExit);

    /// Written by the main thread, read by the hook too, which comes after all it needs to see.
    private volatile Optional<RunningBroker> broker = Optional.empty();

    /// An empty directory, formatted where the side asks for it.
    BrokerHome(Side side, Path parent) throws IOException, InterruptedException {
        this.side = side;
        Files.createDirectories(parent);
        this.directory = Files.createTempDirectory(parent, "ottla-bench-");
        this.port = RunningBroker.freePort();
        Runtime.getRuntime().addShutdownHook(hook);
        side.prepare(dataDir(), port);
    }

    Path dataDir() {
        return directory.resolve("data");
    }

    RunningBroker exec() throws IOException {
        broker = Optional.of(RunningBroker.exec(side, dataDir(), port));
        return broker.get();
    }

    RunningBroker broker() {
        return broker.orElseThrow(() -> new IllegalStateException("no broker was started"));
    }

    @Override
    public void close() throws IOException {
        Runtime.getRuntime().removeShutdownHook(hook);
        delete();
    }

    private void closeAtExit() {
        try {
            delete();
        } catch (IOException e) {
            System.err.println(directory + " remains: " + e.getMessage());
        }
    }

    private void delete() throws IOException {
        broker.ifPresent(RunningBroker::close);
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }
}
