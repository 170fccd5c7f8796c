package dev.ottla.quorum.feed;

import java.nio.ByteBuffer;

/// What becomes of a question for a part of a snapshot.
public sealed interface SnapshotAnswer {
    /// A part, from the position on that was asked for.
    ///
    /// @param sizeBytes of the whole snapshot
    record Part(long sizeBytes, ByteBuffer bytes) implements SnapshotAnswer {}

    /// The source does not have it any more, or is not the active controller: ask for batches
    /// again.
    record Gone() implements SnapshotAnswer {}

    /// Nobody answered, or not with an answer.
    record Failed(String reason) implements SnapshotAnswer {}
}
