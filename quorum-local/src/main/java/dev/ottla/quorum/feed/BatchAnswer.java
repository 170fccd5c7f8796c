package dev.ottla.quorum.feed;

import dev.ottla.quorum.store.SnapshotId;
import java.nio.ByteBuffer;

/// What becomes of a [BatchQuestion].
public sealed interface BatchAnswer {
    /// Whole committed batches that follow on the copy; none when nothing new came in time.
    ///
    /// @param committedEnd exclusive end of what is committed
    record Batches(ActiveController controller, long committedEnd, ByteBuffer bytes)
            implements BatchAnswer {}

    /// What follows on the copy is only in a snapshot any more.
    record InSnapshot(ActiveController controller, SnapshotId id) implements BatchAnswer {}

    /// The source has less than the copy, which may change.
    record Less(ActiveController controller) implements BatchAnswer {}

    /// The copy has records that the source's history does not have.
    ///
    /// @param epoch the newest that both know
    /// @param endOffset where that ends at the source, exclusive
    record Diverging(ActiveController controller, int epoch, long endOffset)
            implements BatchAnswer {}

    /// The node that was asked is not the active controller.
    record NotController(ActiveController controller) implements BatchAnswer {}

    /// The source belongs to another cluster than this node.
    record OtherCluster(String message) implements BatchAnswer {}

    /// Nobody answered, or not with an answer.
    record Failed(String reason) implements BatchAnswer {}
}
