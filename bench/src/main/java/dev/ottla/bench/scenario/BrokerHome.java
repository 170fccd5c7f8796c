package dev.ottla.bench.scenario;

import dev.ottla.bench.side.Member;
import dev.ottla.bench.side.RunningBroker;
import dev.ottla.bench.side.RunningCluster;
import dev.ottla.bench.side.Side;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

/// A temporary directory and the brokers that run on it; all go when it is closed. Owned by the
/// main thread; when the harness is ended from outside, a hook of the JVM closes it.
final class BrokerHome implements AutoCloseable {
    private final Side side;
    private final Path directory;
    private final List<Integer> ports = new ArrayList<>();
    private final Thread hook = new Thread(this::closeAtExit);

    /// All that were started. Written by the main thread, read by the hook too, which comes after
    /// all it needs to see.
    private final List<RunningBroker> started = new CopyOnWriteArrayList<>();

    /// An empty directory for each of `brokers`, formatted where the side asks for it.
    BrokerHome(Side side, Path parent, int brokers) throws IOException, InterruptedException {
        this.side = side;
        Files.createDirectories(parent);
        this.directory = Files.createTempDirectory(parent, "ottla-bench-");
        while (ports.size() < brokers) {
            int port = RunningBroker.freePort();
            if (ports.stream().allMatch(other -> Math.abs(other - port) > 1)) ports.add(port);
        }
        Runtime.getRuntime().addShutdownHook(hook);
        for (int id = 1; id <= brokers; id++) side.prepare(dataDir(id), member(id));
    }

    /// Of the first broker.
    Path dataDir() {
        return dataDir(1);
    }

    private Path dataDir(int id) {
        return directory.resolve("data-" + id);
    }

    private Member member(int id) {
        return new Member(id, ports);
    }

    /// Starts the first broker.
    RunningBroker exec() throws IOException {
        return exec(1);
    }

    RunningBroker exec(int id) throws IOException {
        RunningBroker broker = RunningBroker.exec(side, dataDir(id), member(id));
        started.add(broker);
        return broker;
    }

    /// Starts all brokers.
    RunningCluster execAll() throws IOException {
        List<RunningBroker> brokers = new ArrayList<>();
        for (int id = 1; id <= ports.size(); id++) brokers.add(exec(id));
        return new RunningCluster(brokers);
    }

    /// The one that was started last.
    RunningBroker broker() {
        if (started.isEmpty()) throw new IllegalStateException("no broker was started");
        return started.getLast();
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
        started.forEach(RunningBroker::close);
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }
}
