package dev.ottla.broker.server;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// How the descriptors that the process may have are shared: some for the broker itself, and of the
/// rest one half at most for the files of logs, the other for connections, so that no client can
/// take those that logs need. Immutable.
///
/// @param max descriptors the process may have; [Integer#MAX_VALUE] when that is not known
/// @param shards number of threads that keep files open
record OpenFileLimit(int max, int shards) {
    private static final Logger LOG = LoggerFactory.getLogger(OpenFileLimit.class);
    private static final Path SOURCE = Path.of("/proc/self/limits");
    private static final String LINE = "Max open files";

    /// For the program, listeners, the metadata log, locks, recovery and small files.
    private static final int OWN = 96;

    /// With these and more nothing is kept back.
    private static final int EXPECTED = 20_000;

    private static final int MOST_FILES_OF_A_SHARD = 4096;
    private static final int LEAST = 8;

    /// A file that had to make room may be in the hands of a sync or an answer still.
    private static final int DESCRIPTORS_A_FILE = 2;

    /// Of this process.
    static OpenFileLimit ofProcess(int shards) {
        return new OpenFileLimit(read().orElse(Integer.MAX_VALUE), shards);
    }

    private static Optional<Integer> read() {
        try {
            return parse(Files.readString(SOURCE, StandardCharsets.US_ASCII));
        } catch (IOException _) {
            return Optional.empty(); // No Linux.
        }
    }

    /// The soft limit, which the JVM has raised to the hard one by now; empty without one.
    static Optional<Integer> parse(String limits) {
        return limits.lines()
                .filter(line -> line.startsWith(LINE))
                .map(line -> line.substring(LINE.length()).strip().split(" +", 2)[0])
                .filter(soft -> soft.matches("\\d{1,9}"))
                .map(Integer::valueOf)
                .findFirst();
    }

    private int shared() {
        return Math.max(0, max - OWN);
    }

    /// Files that one shard keeps open between two uses.
    int filesOfAShard() {
        int share = shared() / 2 / DESCRIPTORS_A_FILE / Math.max(1, shards);
        return Math.clamp(share, LEAST, MOST_FILES_OF_A_SHARD);
    }

    /// Connections that leave enough for the logs.
    int connections() {
        if (max == Integer.MAX_VALUE) {
            return max;
        }
        return Math.max(LEAST, shared() - DESCRIPTORS_A_FILE * shards * filesOfAShard());
    }

    /// Tells the operator when there is little.
    void warnIfLow() {
        if (max < EXPECTED) {
            LOG.warn(
                    "The process may have {} files open, {} are expected: at most {} connections are taken and {} log files kept open. Raise the limit (ulimit -n, or LimitNOFILE of the service).",
                    max,
                    EXPECTED,
                    connections(),
                    shards * filesOfAShard());
        }
    }
}
