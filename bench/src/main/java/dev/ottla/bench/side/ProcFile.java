package dev.ottla.bench.side;

import java.util.OptionalLong;

/// Reads the text of files under `/proc/PID`. Source: proc(5).
final class ProcFile {
    /// The unit of times in `stat`, which Linux keeps at a hundredth of a second for user programs.
    private static final double TICKS_PER_SECOND = 100;

    private ProcFile() {}

    /// User and system seconds of a process out of its `stat`.
    static double cpuSeconds(String stat) {
        // The second field is the command in parentheses and may hold blanks: count from its end.
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
        return (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) / TICKS_PER_SECOND;
    }

    /// A size out of `status`, such as `VmRSS`, in KiB.
    static OptionalLong kib(String status, String field) {
        return status.lines()
                .filter(line -> line.startsWith(field + ":"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")))
                .findFirst();
    }
}
