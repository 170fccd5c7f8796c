package dev.ottla.testkit;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// How a broker process is started. The distribution of this build, unless `OTTLA_COMMAND` names
/// another program that takes the same arguments.
public final class BrokerCommand {
    private static final Path ROOT =
            Path.of(System.getProperty("ottla.root", "..")).toAbsolutePath();

    private static final Path LIB = ROOT.resolve("cli/target/ottla/lib");

    /// A directory of classes that stand before the distribution's, for tests of tests: mistakes
    /// that must be noticed.
    private static final String CLASSES =
            System.getProperty("ottla.classes") == null
                    ? ""
                    : System.getProperty("ottla.classes") + File.pathSeparator;

    /// Those of `./ottla start`, but for sizes.
    private static final List<String> JVM_OPTIONS =
            List.of(
                    "-XX:+UseSerialGC",
                    "-XX:+UseCompactObjectHeaders",
                    "-XX:-UsePerfData",
                    "-XX:+ExitOnOutOfMemoryError",
                    "-XX:MaxDirectMemorySize=256m",
                    "--enable-native-access=ALL-UNNAMED",
                    "--sun-misc-unsafe-memory-access=allow",
                    "-Dio.netty.tryReflectionSetAccessible=false",
                    "-Dio.netty.jfr.enabled=false",
                    "-Dio.netty.allocator.type=pooled");

    private BrokerCommand() {}

    /// Where a process begins: the command itself, or another main class that wraps it.
    ///
    /// @param jar that has the main class; empty when the distribution has it
    public record Entry(String mainClass, Optional<Path> jar) {
        public static final Entry OTTLA = new Entry("dev.ottla.cli.Main", Optional.empty());

        private String behindLibraries() {
            return jar.map(path -> File.pathSeparator + path).orElse("");
        }
    }

    public static boolean isOttla() {
        return System.getenv("OTTLA_COMMAND") == null && System.getenv("OTTLA_BOOTSTRAP") == null;
    }

    public static Path root() {
        return ROOT;
    }

    public static List<String> start(
            int port, Path dataDir, List<String> settings, List<String> jvm, Entry entry) {
        List<String> command = new ArrayList<>(program(jvm, entry));
        command.add("start");
        if (settings.stream().noneMatch(s -> s.startsWith("listeners="))) {
            command.addAll(List.of("--port", String.valueOf(port)));
        }
        if (settings.stream().noneMatch(s -> s.startsWith("log.dirs="))) {
            command.addAll(List.of("--data-dir", dataDir.toString()));
        }
        List<String> all = new ArrayList<>(settings);
        if (settings.stream().noneMatch(s -> s.startsWith("metrics.port="))) {
            all.add("metrics.port=0");
        }
        for (String setting : all) {
            command.add("--set");
            command.add(setting);
        }
        return command;
    }

    /// Another command of Ottla, as its users give it.
    public static ChildProcess.Result run(String... words) {
        List<String> command = new ArrayList<>(program(List.of("-Xmx128m"), Entry.OTTLA));
        command.addAll(List.of(words));
        return ChildProcess.run(
                ROOT, Map.of(), Duration.ofMinutes(2), command.toArray(String[]::new));
    }

    private static List<String> program(List<String> jvm, Entry entry) {
        String other = System.getenv("OTTLA_COMMAND");
        if (other != null) {
            return List.of(other);
        }
        if (!Files.isDirectory(LIB)) {
            throw new IllegalStateException(
                    "no distribution in " + LIB + ": build it with ./ottla verify --module cli");
        }
        List<String> command = new ArrayList<>(java());
        command.addAll(jvm);
        // A cache belongs to what a class path begins with.
        if (CLASSES.isEmpty()) command.addAll(Cached.OPTIONS);
        String path = CLASSES + ClassCache.classPath(LIB) + entry.behindLibraries();
        command.addAll(List.of("-cp", path, entry.mainClass()));
        return command;
    }

    private static List<String> java() {
        List<String> java = new ArrayList<>();
        java.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        java.addAll(JVM_OPTIONS);
        return java;
    }

    /// Looked for, and made where it is missing, when the first node is started.
    private static final class Cached {
        static final List<String> OPTIONS = ClassCache.options(LIB, java());
    }
}
