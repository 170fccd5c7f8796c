package dev.ottla.testkit;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The classes that a node of a cluster loads, kept in one file for all nodes that a test starts,
/// as `./ottla start` does. A node without it takes seconds of a CPU to start.
final class ClassCache {
    private static final String MAIN = "dev.ottla.cli.Main";
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private ClassCache() {}

    /// The jars of the directory `lib` in an order that is always the same, for a cache belongs to
    /// one class path.
    static String classPath(Path lib) {
        return jars(lib).stream()
                .map(Path::toString)
                .collect(Collectors.joining(File.pathSeparator));
    }

    /// Options of a JVM that is to use the cache, which is made first where it is missing or older
    /// than the jars in `lib`. None when it cannot be made, for nodes run without it too.
    ///
    /// @param java the JVM and its options, which have to be those of the nodes
    static List<String> options(Path lib, List<String> java) {
        Path cache = lib.resolveSibling("testkit.aot");
        if (!isNewer(cache, lib) && !make(cache, lib, java)) return List.of();
        return List.of("-XX:AOTCache=" + cache, "-Xlog:aot=off", "-Xlog:aot*=off", "-Xlog:cds=off");
    }

    private static boolean isNewer(Path cache, Path lib) {
        try {
            if (!Files.exists(cache)) return false;
            FileTime made = Files.getLastModifiedTime(cache);
            for (Path jar : jars(lib)) {
                if (Files.getLastModifiedTime(jar).compareTo(made) > 0) return false;
            }
            return true;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Others may make it at the same time: each renames a whole one.
    private static boolean make(Path cache, Path lib, List<String> java) {
        try {
            Path directory = Files.createTempDirectory(lib.getParent(), "training");
            Path made = directory.resolve("made.aot");
            List<String> command = new ArrayList<>(java);
            command.addAll(List.of("-XX:+UnlockDiagnosticVMOptions", "-XX:-AOTRecordTraining"));
            command.addAll(List.of("-XX:AOTCacheOutput=" + made, "-cp", classPath(lib), MAIN));
            command.addAll(List.of("train-cluster", directory.resolve("nodes").toString()));
            command.addAll(List.of("--config", "/dev/null", "--set", "metrics.port=0"));
            command.addAll(List.of("--set", "listeners=PLAINTEXT://127.0.0.1:0"));
            ChildProcess.Result result =
                    ChildProcess.run(directory, Map.of(), PATIENCE, command.toArray(String[]::new));
            boolean succeeded = result.exitCode() == 0 && Files.exists(made);
            if (succeeded) {
                Files.move(made, cache, StandardCopyOption.ATOMIC_MOVE);
            } else {
                System.err.println("No class cache was made, nodes start slowly: " + result);
            }
            BrokerProcess.deleteRecursively(directory);
            return succeeded;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<Path> jars(Path lib) {
        try (Stream<Path> files = Files.list(lib)) {
            return files.filter(file -> file.toString().endsWith(".jar")).sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
