package dev.ottla.bench.side;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/// A broker process and what the operating system says about it. Owned by the main thread; the
/// figures may be read from any.
public final class RunningBroker implements Brokers, AutoCloseable {
    private static final Duration STOP_LIMIT = Duration.ofMinutes(10);

    private static final int LOWEST_PORT = 15_000;
    private static final int HIGHEST_PORT = 32_000;

    private final Side side;
    private final Process process;
    private final int port;
    private final long execNs;

    private RunningBroker(Side side, Process process, int port, long execNs) {
        this.side = side;
        this.process = process;
        this.port = port;
        this.execNs = execNs;
    }

    /// Executes the broker and returns at once. `dataDir` has been prepared; what the process
    /// prints goes to a file beside it.
    public static RunningBroker exec(Side side, Path dataDir, Member member) throws IOException {
        Path log = dataDir.resolveSibling(dataDir.getFileName() + ".log");
        ProcessBuilder builder =
                new ProcessBuilder(side.command(dataDir, member))
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        long execNs = System.nanoTime();
        return new RunningBroker(side, builder.start(), member.port(), execNs);
    }

    /// A loopback port that is free, as is the next one, which Kafka's controller takes. Below the
    /// ports that the system hands out: a client that tries too early cannot meet itself there.
    public static int freePort() throws IOException {
        while (true) {
            int port = ThreadLocalRandom.current().nextInt(LOWEST_PORT, HIGHEST_PORT);
            try (ServerSocket _ = new ServerSocket(port);
                    ServerSocket _ = new ServerSocket(port + 1)) {
                return port;
            } catch (BindException e) {
                // One of them is taken: try another pair.
            }
        }
    }

    @Override
    public Side side() {
        return side;
    }

    @Override
    public InetSocketAddress address() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    /// Reading of the monotonic clock just before the exec.
    public long execNs() {
        return execNs;
    }

    @Override
    public int size() {
        return 1;
    }

    long pid() {
        return process.pid();
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    @Override
    public double cpuSeconds() {
        return ProcFile.cpuSeconds(read("stat"));
    }

    /// Resident memory in MiB.
    public double residentMiB() {
        return mib("VmRSS");
    }

    /// The most resident memory so far, in MiB.
    public double peakResidentMiB() {
        return mib("VmHWM");
    }

    public int threadCount() {
        return count("task");
    }

    /// Open file descriptors, sockets included.
    public int fileHandleCount() {
        return count("fd");
    }

    /// Memory maps; Linux allows `vm.max_map_count` of them.
    public int memoryMapCount() {
        return (int) read("maps").lines().count();
    }

    /// Asks the process to end, waits for it, and gives the seconds that took.
    public double stop() throws IOException, InterruptedException {
        long beganNs = System.nanoTime();
        process.destroy();
        if (!process.waitFor(STOP_LIMIT.toSeconds(), TimeUnit.SECONDS)) {
            kill();
            throw new IOException(side.name() + " did not stop within " + STOP_LIMIT);
        }
        return (System.nanoTime() - beganNs) / 1e9;
    }

    /// Ends the process as `kill -9` does.
    public void kill() throws InterruptedException {
        process.destroyForcibly();
        process.waitFor();
    }

    /// Ends a process that is still there. Its data is about to be deleted, so nothing is lost by
    /// not waiting for a clean stop.
    @Override
    public void close() {
        process.destroyForcibly();
        try {
            process.waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private double mib(String field) {
        return ProcFile.kib(read("status"), field)
                        .orElseThrow(() -> new IllegalStateException("no " + field + " line"))
                / 1024.0;
    }

    private String read(String file) {
        try {
            return Files.readString(directory().resolve(file));
        } catch (IOException e) {
            throw new UncheckedIOException(side.name() + " is gone; see its log", e);
        }
    }

    private int count(String subdirectory) {
        try (Stream<Path> entries = Files.list(directory().resolve(subdirectory))) {
            return (int) entries.count();
        } catch (IOException e) {
            throw new UncheckedIOException(side.name() + " is gone; see its log", e);
        }
    }

    private Path directory() {
        return Path.of("/proc", Long.toString(process.pid()));
    }
}
