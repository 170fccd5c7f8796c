package dev.ottla.log.producer;

/// Who appends, which decides what is checked.
public enum AppendOrigin {
    /// A producer: sequences and epochs are checked.
    CLIENT,
    /// A coordinator of this cluster: epochs are checked.
    COORDINATOR,
    /// The cluster's own metadata: nothing is checked, and it is taken even when producers are
    /// refused for want of room, because deletions begin with a record of it.
    METADATA,
    /// Copied from the leader, or read again from disk: taken as it is.
    REPLICATION
}
