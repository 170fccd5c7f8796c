package dev.ottla.bench.scenario;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// What Linux lets a process have, where scenarios depend on it.
final class SystemLimits {
    /// Handles and maps that a broker has without partitions, generously.
    private static final int BASE = 2000;

    private static final int MAPS_PER_PARTITION = 2;

    private SystemLimits() {}

    /// Kafka maps two index files of each partition's active segment and keeps the log open.
    static boolean allowKafkaPartitions(int count) throws IOException {
        // Line by line: a file under /proc/sys gives all it has to its first read, and readString
        // begins with a read of one byte.
        long maps =
                Long.parseLong(
                        Files.readAllLines(Path.of("/proc/sys/vm/max_map_count")).getFirst());
        long handles = openFiles(Files.readString(Path.of("/proc/self/limits")));
        return maps >= BASE + (long) MAPS_PER_PARTITION * count && handles >= BASE + count;
    }

    /// The hard limit of open files; every JVM raises its soft one up to it.
    static long openFiles(String limits) {
        return limits.lines()
                .filter(line -> line.startsWith("Max open files"))
                .map(line -> line.trim().split("\\s+", -1)[4])
                .mapToLong(hard -> hard.equals("unlimited") ? Long.MAX_VALUE : Long.parseLong(hard))
                .findFirst()
                .orElse(0);
    }
}
