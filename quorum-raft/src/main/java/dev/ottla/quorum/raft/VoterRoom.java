package dev.ottla.quorum.raft;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// Whether the disk has room for what a voter must note down. Ratis finds out by trying: it counts
/// up its term, cannot write it, and is a candidate for ever that asks nobody; or it wins, and its
/// log has failed with the first entry. Immutable; any thread may ask.
///
/// @param directory of the quorum's files
record VoterRoom(Path directory) {
    /// With each term the log begins a new file, which takes this at once.
    static final int LOG_FILE_BYTES = 1 << 20;

    /// For the file with term and vote, a copy of which is written whenever it changes.
    private static final long VOTE_BYTES = 64 << 10;

    private static final long TERM_BYTES = LOG_FILE_BYTES + VOTE_BYTES;

    /// More than it takes to go on, so that nobody comes and goes.
    static final long RETURN_BYTES = 4 << 20;

    /// Whether this voter can note down whom it votes for.
    boolean isThereForAVote() {
        return has(VOTE_BYTES, true);
    }

    /// Whether it could lead.
    boolean isThereForATerm() {
        return has(TERM_BYTES, true);
    }

    /// Whether one that had no room may try again.
    boolean isThereToReturn() {
        return has(RETURN_BYTES, false);
    }

    /// @param otherwise what counts when nobody knows
    private boolean has(long bytes, boolean otherwise) {
        try {
            return Files.getFileStore(directory).getUsableSpace() >= bytes;
        } catch (IOException e) {
            return otherwise;
        }
    }
}
