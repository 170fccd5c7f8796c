package dev.ottla.quorum.feed;

import dev.ottla.quorum.store.SnapshotId;
import java.util.function.Consumer;

/// Where an observer gets the metadata log from. Each question has exactly one answer, which comes
/// on the metadata thread, never from within the question.
public interface MetadataSource {
    /// Asks for batches.
    void fetch(BatchQuestion question, Consumer<BatchAnswer> answer);

    /// Asks for a part of a snapshot.
    void fetchSnapshot(SnapshotQuestion question, Consumer<SnapshotAnswer> answer);

    /// A part of a snapshot.
    ///
    /// @param nodeId of the asking node
    /// @param position in bytes
    record SnapshotQuestion(int nodeId, SnapshotId id, long position) {}
}
