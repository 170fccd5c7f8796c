package dev.ottla.testkit;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A broker as its users start it: a process of its own, on a free port and its own data directory.
/// It can be stopped, killed and started again on the same directory and port. Owned by one test.
public final class BrokerProcess implements AutoCloseable {
    private static final Duration START_DEADLINE = Duration.ofSeconds(60);
    private static final Duration STOP_DEADLINE = Duration.ofSeconds(30);
    private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(1);

    // Below the range from which the system picks ports for clients, so that no connecting client
    // takes the port of a
    // broker that is down for a moment.
    private static final int FIRST_PORT = 20_000;
    private static final int LAST_PORT = 32_000;

    private final Options options;
    private final Path home;
    private final int port;
    private @Nullable Process process;

    private BrokerProcess(Options options, Path home, int port) {
        this.options = options;
        this.home = home;
        this.port = port;
    }

    /// Where a process runs.
    ///
    /// @param host under which it is reached
    /// @param prefix the words before its command
    public record Place(String host, List<String> prefix) {
        public static final Place HERE = new Place("localhost", List.of());

        public Place {
            prefix = List.copyOf(prefix);
        }
    }

    /// What a test may choose: the settings (`key=value`), the options of the JVM, the data
    /// directory and the home when they are not to be fresh ones, where it runs, and where it
    /// begins.
    public record Options(
            List<String> settings,
            List<String> jvm,
            Optional<Path> dataDir,
            Place place,
            Optional<Path> home,
            BrokerCommand.Entry entry) {
        public Options {
            settings = List.copyOf(settings);
            jvm = List.copyOf(jvm);
        }

        public static Options of(String... settings) {
            return new Options(
                    List.of(settings),
                    List.of(),
                    Optional.empty(),
                    Place.HERE,
                    Optional.empty(),
                    BrokerCommand.Entry.OTTLA);
        }

        public Options withJvm(String... jvmOptions) {
            return new Options(settings, List.of(jvmOptions), dataDir, place, home, entry);
        }

        public Options withDataDir(Path directory) {
            return new Options(settings, jvm, Optional.of(directory), place, home, entry);
        }

        public Options at(Place elsewhere) {
            return new Options(settings, jvm, dataDir, elsewhere, home, entry);
        }

        /// Beside which its output goes, and in which its data is; the caller deletes what is left.
        public Options withHome(Path directory) {
            return new Options(settings, jvm, dataDir, place, Optional.of(directory), entry);
        }

        /// Begins in another main class.
        public Options through(BrokerCommand.Entry otherEntry) {
            return new Options(settings, jvm, dataDir, place, home, otherEntry);
        }
    }

    /// Starts a broker and returns when it serves.
    public static BrokerProcess start(Options options) {
        BrokerProcess broker = launch(options);
        broker.awaitReady();
        return broker;
    }

    /// Starts a broker without waiting for it.
    public static BrokerProcess launch(Options options) {
        BrokerProcess broker = on(freePort(), options);
        broker.launch();
        return broker;
    }

    /// A broker that is not started yet.
    public static BrokerProcess on(int port, Options options) {
        return new BrokerProcess(options, options.home().orElseGet(BrokerProcess::newHome), port);
    }

    /// Starts the process again on the same port and directory.
    public void start() {
        launch();
        awaitReady();
    }

    /// Starts the process without waiting for it.
    public void launch() {
        launch(List.of());
    }

    /// Starts the process, with more settings for this time, without waiting for it.
    public void launch(List<String> more) {
        List<String> settings = new ArrayList<>(options.settings());
        settings.addAll(more);
        if (!options.place().equals(Place.HERE)) {
            settings.add("advertised.listeners=PLAINTEXT://" + bootstrap());
        }
        List<String> command = new ArrayList<>(options.place().prefix());
        command.addAll(
                BrokerCommand.start(port, dataDir(), settings, options.jvm(), options.entry()));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.redirectErrorStream(true);
        builder.redirectOutput(ProcessBuilder.Redirect.appendTo(outputFile().toFile()));
        try {
            Files.createDirectories(home);
            Process started = builder.start();
            process = started;
            Runtime.getRuntime().addShutdownHook(new Thread(started::destroyForcibly));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public void awaitReady() {
        Await.until(
                "the broker on port " + port + " serves",
                START_DEADLINE,
                () -> {
                    if (!isAlive()) {
                        throw new AssertionError("the broker ended while it started:\n" + output());
                    }
                    return answers();
                },
                this::output);
    }

    /// Whether it answers now, or within a second when it is busy.
    public boolean isReady() {
        return isAlive() && answers();
    }

    /// Whether something on the port answers a request of the protocol.
    private boolean answers() {
        try (RawConnection connection = RawConnection.open(address(), ANSWER_TIMEOUT)) {
            return connection.apiVersions().data().errorCode() == 0;
        } catch (IOException e) {
            return false;
        }
    }

    public boolean isAlive() {
        return process().isAlive();
    }

    public long pid() {
        return process().pid();
    }

    public int port() {
        return port;
    }

    public String bootstrap() {
        return options.place().host() + ":" + port;
    }

    public InetSocketAddress address() {
        return options.place().equals(Place.HERE)
                ? new InetSocketAddress(InetAddress.getLoopbackAddress(), port)
                : new InetSocketAddress(options.place().host(), port);
    }

    /// Where it keeps its data, unless its settings name `log.dirs`.
    public Path dataDir() {
        return options.dataDir().orElse(home.resolve("data"));
    }

    /// Everything the process printed so far.
    public String output() {
        try {
            return Files.exists(outputFile()) ? Files.readString(outputFile()) : "";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// SIGTERM, and waits for the end; returns the exit code.
    public int stop() {
        process().destroy();
        return awaitExit(STOP_DEADLINE);
    }

    /// A line on its standard input, for whoever waits for one there.
    public void tell(String line) {
        try {
            OutputStream in = process().getOutputStream();
            in.write((line + "\n").getBytes(StandardCharsets.UTF_8));
            in.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// SIGKILL, and waits for the end.
    public void kill() {
        process().destroyForcibly();
        awaitExit(STOP_DEADLINE);
    }

    /// Stops the process in the middle of what it does (SIGSTOP), until [#thaw].
    public void freeze() {
        Signals.send("STOP", pid());
    }

    public void thaw() {
        Signals.send("CONT", pid());
    }

    /// As if its disk were replaced by an empty one. The process must not run.
    public void deleteData() {
        deleteRecursively(dataDir());
    }

    public int awaitExit(Duration deadline) {
        try {
            if (!process().waitFor(deadline.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new AssertionError(
                        "the broker did not end within %d s:%n%s"
                                .formatted(deadline.toSeconds(), output()));
            }
            return process().exitValue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }

    /// Resident memory of the process as the kernel counts it.
    public long residentBytes() {
        try (Stream<String> lines = Files.lines(Path.of("/proc/" + pid() + "/status"))) {
            String line = lines.filter(l -> l.startsWith("VmRSS:")).findFirst().orElseThrow();
            return Long.parseLong(line.replaceAll("[^0-9]", "")) * 1024;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        if (process != null && process.isAlive()) {
            kill();
        }
        if (options.home().isPresent()) {
            return;
        }
        deleteRecursively(dataDir());
        if (options.dataDir().isEmpty()) {
            deleteRecursively(home);
        }
    }

    /// Where what the process prints goes.
    public Path outputFile() {
        return home.resolveSibling(home.getFileName() + ".out");
    }

    private Process process() {
        if (process == null) {
            throw new IllegalStateException("the broker was not started");
        }
        return process;
    }

    private static Path newHome() {
        try {
            Path brokers = Files.createDirectories(Path.of("target", "brokers").toAbsolutePath());
            return Files.createTempDirectory(brokers, "broker-");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static int freePort() {
        for (int attempt = 0; attempt < 1_000; attempt++) {
            // Even ones: whoever wants a second port of its own takes the next.
            int candidate = ThreadLocalRandom.current().nextInt(FIRST_PORT, LAST_PORT) & ~1;
            if (isFree(candidate) && isFree(candidate + 1)) {
                return candidate;
            }
        }
        throw new IllegalStateException("no free port between " + FIRST_PORT + " and " + LAST_PORT);
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket(port)) {
            return socket.isBound();
        } catch (IOException e) {
            return false;
        }
    }

    static void deleteRecursively(Path directory) {
        if (!Files.exists(directory)) {
            return;
        }
        try (Stream<Path> tree = Files.walk(directory)) {
            List<Path> paths = new ArrayList<>(tree.toList());
            for (Path path : paths.reversed()) {
                Files.deleteIfExists(path);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
