package dev.ottla.quorum.raft;

import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The term that a voter knows and whom it voted for in it, as Ratis keeps them. On a disk without
/// room Ratis leaves an empty file behind, with which it does not start again.
final class VoteFile {
    private static final Logger LOG = LoggerFactory.getLogger(VoteFile.class);

    /// More terms than any quorum has seen since it wrote its last entry.
    private static final long UNKNOWN_TERMS = 1_000_000;

    private VoteFile() {}

    /// Writes a file whose content is lost anew, with a term in which this voter cannot have voted
    /// yet: it may have voted in any up to now, and must not do so twice.
    ///
    /// @param groupDirectory that Ratis has for one group
    /// @param latestEpoch of the metadata log, which no term of its entries is above
    static void mend(Path groupDirectory, int latestEpoch) throws IOException {
        Path file = file(groupDirectory);
        long term = latestEpoch + UNKNOWN_TERMS;
        LOG.warn(
                "{} has lost its content, probably for want of room on the disk: this voter goes on in term {}, in which it has not voted.",
                file,
                term);
        write(groupDirectory, term, "");
    }

    /// @param votedFor nobody else gets a vote in that term
    static void write(Path groupDirectory, long term, String votedFor) throws IOException {
        QuorumFiles.replace(
                file(groupDirectory), "term=%d%nvotedFor=%s%n".formatted(term, votedFor));
    }

    private static Path file(Path groupDirectory) {
        return groupDirectory.resolve("current").resolve("raft-meta");
    }

    /// Whether there is anything to read in it, or no such file yet.
    static boolean isWhole(Path groupDirectory) throws IOException {
        Path file = file(groupDirectory);
        if (!Files.exists(file)) return true;
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
            properties.load(reader);
            return Long.parseLong(properties.getProperty("term", "")) >= 0
                    && properties.containsKey("votedFor");
        } catch (IllegalArgumentException e) {
            return false; // No number, or not even properties.
        }
    }
}
