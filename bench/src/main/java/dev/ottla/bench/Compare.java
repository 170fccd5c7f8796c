package dev.ottla.bench;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// Runs each scenario on both brokers in turn and prints one table. A run whose records were not
/// all stored once and in order ends the comparison with an error.
@Command(
        name = "compare",
        description = "Measures Ottla and Apache Kafka side by side on this machine.",
        mixinStandardHelpOptions = true)
public final class Compare implements Callable<Integer> {
    @Option(
            names = "--runs",
            description = "Measured runs of each side. Default: ${DEFAULT-VALUE}.")
    int runs = 3;

    @Option(
            names = "--gb",
            description = "GB of records a throughput run sends. Default: ${DEFAULT-VALUE}.")
    double gb = 1;

    @Option(names = "--scenario", description = "start, load or all. Default: ${DEFAULT-VALUE}.")
    String scenario = "all";

    @Option(names = "--output", description = "Also write the table to this file.")
    Path output = Path.of("");

    private final Path root = Path.of(System.getProperty("ottla.root", "."));
    private final Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    private final Path libs = root.resolve("bench/target/bench/lib");
    private final List<Side> sides = List.of(new Side.Ottla(root), new Side.Kafka(java, libs));
    private final Samples samples = new Samples();

    public static void main(String[] arguments) {
        System.exit(
                new CommandLine(new Compare()).setCommandName("./ottla bench").execute(arguments));
    }

    @Override
    public Integer call() throws Exception {
        System.out.println(settings());
        if (scenario.equals("all") || scenario.equals("start")) {
            for (int run = 0; run < runs; run++) for (Side side : sides) start(side);
        }
        if (scenario.equals("all") || scenario.equals("load")) {
            // The first pass of each side warms both compilers and is thrown away by the load
            // itself.
            for (Side side : sides) load(side);
        }
        String table = settings() + "\n\n" + samples.table();
        System.out.println("\n" + table);
        if (!output.toString().isEmpty()) Files.writeString(output, table);
        return 0;
    }

    private String settings() {
        return String.format(
                Locale.ROOT,
                "One broker each, factor 1, same JDK %s, %d processors; %d runs, %.1f GB a throughput run; acks=1, 16 KiB"
                        + " batches, page cache on both sides unless a row says fsync. Kafka: its own JVM options (1 GB heap, G1)."
                        + " Ottla: as `./ottla start` runs it.",
                Runtime.version().feature(),
                Runtime.getRuntime().availableProcessors(),
                runs,
                gb);
    }

    /// Empty directory to first acknowledged record, then memory after a rest.
    private void start(Side side) throws IOException, InterruptedException {
        samples.target("start to first acknowledged record, s", "≤ 0.4");
        samples.target("resident memory idle, MiB", "≤ 0.5");
        Path dir = Files.createTempDirectory("ottla-bench-");
        int port = freePort();
        side.prepare(dir.resolve("data"), port);
        long beganNs = System.nanoTime();
        try (RunningBroker broker = RunningBroker.start(side, dir.resolve("data"), port)) {
            Load.firstAcknowledgedRecord(broker);
            samples.add(
                    "start to first acknowledged record, s",
                    side,
                    (System.nanoTime() - beganNs) / 1e9);
            double cpuBefore = broker.cpuSeconds();
            long idleNs = System.nanoTime();
            Thread.sleep(Duration.ofSeconds(10));
            double idleSeconds = (System.nanoTime() - idleNs) / 1e9;
            samples.add("resident memory idle, MiB", side, broker.residentMiB());
            samples.add("threads idle", side, broker.threadCount());
            samples.add(
                    "idle CPU, % of a core",
                    side, (broker.cpuSeconds() - cpuBefore) / idleSeconds * 100);
        } finally {
            delete(dir);
        }
    }

    private void load(Side side) throws IOException, InterruptedException {
        samples.target("produce 1 KiB, broker CPU s per GB", "≤ 0.7");
        samples.target("consume 1 KiB, broker CPU s per GB", "≤ 0.7");
        Path dir = Files.createTempDirectory("ottla-bench-");
        int port = freePort();
        side.prepare(dir.resolve("data"), port);
        try (RunningBroker broker = RunningBroker.start(side, dir.resolve("data"), port)) {
            Load.firstAcknowledgedRecord(broker);
            Load load = new Load(broker, side, java, libs, samples);
            load.produceAndConsume("warm", 1024, gb, false);
            for (int run = 0; run < runs; run++) load.produceAndConsume("r" + run, 1024, gb, true);
            for (int run = 0; run < runs; run++) load.produceSmall("s" + run, gb / 5);
            samples.add("resident memory after load, MiB", side, broker.residentMiB());
        } finally {
            delete(dir);
        }
    }

    private static int freePort() throws IOException {
        // Kafka's controller takes the next port too.
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort() & ~1;
        }
    }

    private static void delete(Path dir) throws IOException {
        try (Stream<Path> files = Files.walk(dir)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList())
                Files.deleteIfExists(file);
        }
    }
}
