package dev.ottla.metadata;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/// The port to the engine that orders metadata records and makes them durable. One log per cluster;
/// the engine says who may append.
///
/// All methods are called by the metadata thread, and the engine calls the [Listener] on that
/// thread, never from within [#append]. Offsets count records; an engine may use some for itself,
/// so they have gaps, but they never go back.
public interface MetadataLog extends AutoCloseable {
    /// Brings the listener up to what is committed (the newest snapshot, then batches), and from
    /// then on reports everything that happens. Called once; fails with [MetadataLogException] when
    /// the log cannot be read.
    void start(Listener listener);

    /// The offset that the next append gets.
    long nextOffset();

    /// Appends all of the records or none, as one batch, and returns the offset of the first.
    /// Appends are pipelined: they are committed in their order, and [Listener#onCommitted] says
    /// when. Fails with [NotControllerException] when `epoch` is not that of the present
    /// leadership.
    ///
    /// @param records at most [#maxBatchBytes] when encoded
    long append(List<MetadataRecord> records, int epoch);

    /// The largest batch, in bytes of its encoded records.
    int maxBatchBytes();

    /// Writes a snapshot, after which the log before it may go. Returns at once; a request made
    /// while another snapshot is written is ignored.
    ///
    /// @param lastOffset of the last record that the snapshot contains
    /// @param epoch of that record
    /// @param image records that make the image; iterated once, on a thread of the engine
    void snapshot(long lastOffset, int epoch, Iterable<MetadataRecord> image);

    /// The state of the quorum as this node sees it.
    QuorumState quorum();

    /// While this node leads: completes with whether it did so for certain at some moment after
    /// this was asked. A leader that stood still or is cut off may have been replaced and not know
    /// it. Never fails; completes on any thread.
    default CompletableFuture<Boolean> confirmLead() {
        return CompletableFuture.completedFuture(true);
    }

    /// The process of the node that leads has ended for certain: whoever may vote need not wait
    /// until it was silent for long. Does nothing when another one leads by now.
    default void leaderIsGone(int nodeId) {}

    /// To be called every few seconds, for what an engine does from time to time.
    default void sweep() {}

    /// Why this log takes nothing more until the next start, a disk that failed for example; empty
    /// as long as it may go on.
    default Optional<String> failure() {
        return Optional.empty();
    }

    /// Stops; what was appended but not reported as committed may or may not survive.
    @Override
    void close();

    /// The same; `done` runs on the metadata thread when nothing of the log is in use any more.
    default void close(Runnable done) {
        close();
        done.run();
    }

    /// Hears what becomes of the log, on the metadata thread.
    interface Listener {
        /// Everything before is replaced by the image that these records make.
        void onSnapshot(long lastOffset, int epoch, Iterable<MetadataRecord> image);

        /// A batch is committed. In offset order, each exactly once after the last snapshot.
        void onCommitted(MetadataBatch batch);

        /// It is time for a snapshot: to be answered with [MetadataLog#snapshot], at once or, when
        /// the image is not complete, not at all; the engine asks again.
        void onSnapshotDue();

        /// This node leads from now on, and everything committed under earlier leaders has been
        /// reported.
        void onLeader(int epoch);

        /// Whether more is committed than this node can take, for want of room: what it last
        /// reported may be outdated for long. May be said again.
        default void onBlind(boolean is) {}

        /// This node leads no longer. Appends that were not reported as committed may be lost.
        void onResigned();
    }
}
