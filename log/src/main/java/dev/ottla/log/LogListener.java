package dev.ottla.log;

/// Told of what happens to a log. Called on the owner's thread, never from inside a call of the log
/// but at the end of a turn or as a message of its own; it may call the log.
public interface LogListener {
    /// Records below the end offset are in the file: their buffers are free.
    default void onWritten(PartitionLog log, long writtenEndOffset) {}

    /// Records below the end offset survive a power loss.
    default void onFlushed(PartitionLog log, long flushedEndOffset) {}

    /// Records from the offset on had got their place but the disk has no room for them: they are
    /// not in the log, their offsets will be given again. To be answered as retriable.
    default void onDropped(PartitionLog log, long fromOffset) {}

    /// The log cannot be used any more; nothing that is waiting may be acknowledged.
    default void onOffline(PartitionLog log, String reason) {}
}
