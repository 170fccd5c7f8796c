package dev.ottla.log.producer;

/// Who writes records, here or on the leader that they are copied from. It decides what is checked
/// before they are appended, and who is refused first when a disk runs full.
public enum AppendOrigin {
    /// A producer: sequences and epochs are checked.
    CLIENT,
    /// A coordinator of this cluster: epochs are checked.
    COORDINATOR,
    /// The cluster's own metadata: nothing is checked, and it is taken even when producers are
    /// refused for want of room, because deletions begin with a record of it.
    METADATA
}
