package dev.ottla.log;

/// When records count as kept.
public enum FlushPolicy {
    /// When they are on disk: every append is followed by a sync.
    FSYNC,
    /// When they are in the operating system's page cache, as in Kafka.
    PAGE_CACHE
}
