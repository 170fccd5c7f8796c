package dev.ottla.bench.scenario;

import java.util.Locale;

/// Scenarios that belong together: one file of raw data and one picture each.
public enum Family {
    START,
    THROUGHPUT,
    TAILS,
    FSYNC,
    GROWTH,
    GROUPS,
    COLD,
    PARTITIONS,
    CLUSTER,
    FAILOVER;

    /// As it stands on the command line and in file names.
    public String title() {
        return name().toLowerCase(Locale.ROOT);
    }
}
