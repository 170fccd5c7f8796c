package dev.ottla.log.producer;

/// Who appends, which decides what is checked.
public enum AppendOrigin {
    /// A producer: sequences and epochs are checked.
    CLIENT,
    /// A coordinator of this cluster: epochs are checked.
    COORDINATOR,
    /// Copied from the leader, or read again from disk: taken as it is.
    REPLICATION
}
