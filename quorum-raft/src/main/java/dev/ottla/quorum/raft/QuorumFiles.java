package dev.ottla.quorum.raft;

import dev.ottla.metadata.QuorumVoter;
import dev.ottla.wire.Uuid;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.Properties;

/// A voter's files in a data directory.
///
///     quorum/voter      the marker: this node votes, at this address, and the rest counts
///     quorum/<group>    what Ratis keeps
///
/// Without the marker the rest is what is left of an attempt. Owned by the metadata thread.
public final class QuorumFiles {
    private static final String MARKER = "voter";
    private static final String VERSION = "1";

    private final Path directory;
    private final int nodeId;
    private final Uuid directoryId;

    /// @param dataDirectory that holds the metadata log
    /// @param directoryId its id
    public QuorumFiles(Path dataDirectory, int nodeId, Uuid directoryId) {
        this.directory = dataDirectory.resolve("quorum");
        this.nodeId = nodeId;
        this.directoryId = directoryId;
    }

    public Seat seat(Uuid clusterId, QuorumVoter voter) {
        return new Seat(clusterId, voter, directory);
    }

    /// The voter that this node is, if it is one.
    public Optional<QuorumVoter> voter() throws IOException {
        Path marker = directory.resolve(MARKER);
        if (!Files.exists(marker)) return Optional.empty();
        Properties properties = new Properties();
        try (var reader = Files.newBufferedReader(marker)) {
            properties.load(reader);
        }
        if (!VERSION.equals(properties.getProperty("version"))) {
            throw new IOException(marker + " is damaged, or a newer Ottla wrote it");
        }
        return Optional.of(
                new QuorumVoter(
                        nodeId,
                        directoryId,
                        properties.getProperty("host", ""),
                        Integer.parseInt(properties.getProperty("port", "-1"))));
    }

    /// Whether the disk has room for a voter that had none.
    public boolean hasRoom() {
        return new VoterRoom(directory).isThereToReturn();
    }

    /// From now on the files count. Durable before it returns.
    public void mark(QuorumVoter voter) throws IOException {
        String text =
                "version=%s%nhost=%s%nport=%d%n".formatted(VERSION, voter.host(), voter.port());
        replace(directory.resolve(MARKER), text);
        sync(directory.resolve(".."));
    }

    /// Puts `text` in place of what is in the file, all of it or nothing; durable before it
    /// returns.
    static void replace(Path target, String text) throws IOException {
        Path temporary = target.resolveSibling(target.getFileName() + ".new");
        try (FileChannel file =
                FileChannel.open(
                        temporary,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.TRUNCATE_EXISTING,
                        StandardOpenOption.WRITE)) {
            ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
            while (bytes.hasRemaining()) file.write(bytes);
            file.force(true);
        }
        Files.move(temporary, target, StandardCopyOption.ATOMIC_MOVE);
        sync(target.resolveSibling("."));
    }

    private static void sync(Path path) throws IOException {
        try (FileChannel file = FileChannel.open(path, StandardOpenOption.READ)) {
            file.force(true);
        }
    }

    /// Removes all, the marker first.
    public void clear() throws IOException {
        if (!Files.isDirectory(directory)) return;
        if (Files.deleteIfExists(directory.resolve(MARKER))) sync(directory);
        removeContents(directory);
    }

    private static void removeContents(Path path) throws IOException {
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(path)) {
            for (Path entry : entries) {
                if (Files.isDirectory(entry)) removeContents(entry);
                Files.delete(entry);
            }
        }
    }
}
