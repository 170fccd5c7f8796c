package dev.ottla.log;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// What must become durable before a log's flushed end offset reaches `endOffset`. Made by the
/// shard thread, carried out by the sync service, given back to the shard thread. Immutable, but
/// for the files, which are let go once.
///
/// @param generation of the log when this was made; a truncation since then voids the end offset
/// @param files segment files
/// @param filesComplete false when some were closed since they were written to: a new descriptor
///   may not hear that writing them back has failed, so only a sync of the file system will do
/// @param paths small files
/// @param syncDirectory whether names in the partition's directory changed
/// @param syncRoot whether the partition's directory itself is new
record SyncRequest(
        PartitionLog log,
        long generation,
        long endOffset,
        UnsyncedFiles files,
        boolean filesComplete,
        List<Path> paths,
        boolean syncDirectory,
        boolean syncRoot,
        Optional<Checkpoint> checkpoint) {

    /// What lets recovery start at the end offset of the request: everything that is derived from
    /// the batches before it.
    ///
    /// @param indexPaths index files to sync, some of which may not exist
    /// @param snapshotPath where the producer snapshot goes
    /// @param snapshot its content; empty for a log that needs none
    /// @param epochs new content of the leader epoch file, if it changed
    record Checkpoint(
            List<Path> indexPaths,
            Path snapshotPath,
            Optional<ByteBuffer> snapshot,
            Optional<String> epochs) {}
}
