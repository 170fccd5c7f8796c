package dev.ottla.quorum.raft;

/// Limits and times of the engine.
///
/// @param electionTimeoutMs a voter that hears nothing of the leader for this time, and up to twice
///   as long, asks for votes
/// @param maxBatchBytes largest batch; a larger command becomes a transaction of several
/// @param segmentBytes largest file of the engine's log, which is dropped as a whole
/// @param snapshotEntries a snapshot is due after so many entries of the engine's log, so that the
///   next start has no more than these to read again
/// @param idleMs the leader writes an empty entry when nothing else was written for so long: a
///   voter that came back hears of what is committed by the next entry
/// @param bindHost where to listen for other voters; empty for every interface
public record RaftOptions(
        int electionTimeoutMs,
        int maxBatchBytes,
        int segmentBytes,
        int snapshotEntries,
        long idleMs,
        String bindHost) {
    /// Entries beyond this are refused before the engine sees them: it would step down over one.
    static final int MAX_ENTRY_BYTES = 4 << 20;

    public static final RaftOptions DEFAULTS =
            new RaftOptions(1000, 1 << 20, 8 << 20, 10_000, 10_000, "");

    public RaftOptions {
        if (electionTimeoutMs < 50
                || maxBatchBytes < 1024
                || maxBatchBytes > MAX_ENTRY_BYTES / 2
                || snapshotEntries < 1) {
            throw new IllegalArgumentException(
                    "election after %d ms, batches of %d bytes, a snapshot after %d entries"
                            .formatted(electionTimeoutMs, maxBatchBytes, snapshotEntries));
        }
    }
}
