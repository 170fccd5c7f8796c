package dev.ottla.log;

import dev.ottla.log.disk.DiskIo;
import dev.ottla.log.segment.LogIo;
import dev.ottla.log.segment.Segment;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/// Cuts the end of a log, durably before it returns. On the shard thread; no state.
final class LogTruncation {
    private LogTruncation() {}

    /// Drops all records from `offset` on, which is at the log start or behind it; batches are cut
    /// whole.
    static void cut(PartitionLog log, long offset) throws IOException {
        LogIo io = log.shard().io();
        log.end().beginTruncation();
        int index = log.segments().floor(offset);
        Segment segment = log.segments().at(index);
        long end = segment.endBefore(io, offset);
        if (end < log.logStartOffset()) {
            // The cut batch reaches to the start: nothing that can be read is left.
            startAt(log, log.logStartOffset());
            return;
        }
        log.durability().onCut(end);
        dropSegments(io, log.segments().removeFrom(index + 1));
        segment.truncateTo(io, offset, log.config().indexIntervalBytes());
        io.openFiles().use(segment).file().sync();
        for (Path path : segment.indexPaths()) {
            // Recovery trusts entries before its point, which may move on without a write to them.
            DiskIo.syncIfPresent(io.disk(), path);
        }
        log.epochs().truncateFromEnd(end);
        // A checkpoint that was under way at an earlier cut may have left, or leave, a snapshot of
        // records that are gone. As in recovery, what is up to the recovery point is no such one.
        producerReplay(log, io)
                .rebuild(log.segments().all(), log.logStartOffset(), end, log.recoveryPoint(), end);
        io.disk().syncDirectory(log.path());
        log.end().onCut(segment, end);
        log.touch();
    }

    /// Drops everything and goes on at `offset`. At any moment in between a crash leaves something
    /// that can be opened: a part of the old log, nothing, or the new one.
    static void startAt(PartitionLog log, long offset) throws IOException {
        LogIo io = log.shard().io();
        log.end().beginTruncation();
        log.start().lowerTo(offset);
        log.durability().onCut(0);
        dropSegments(io, log.segments().removeFrom(0));
        log.epochs().clear();
        log.producers().clear();
        log.end().release();
        log.end().createSegment(offset, 0);
        producerReplay(log, io).rebuild(log.segments().all(), offset, offset, -1, offset);
        io.disk().syncDirectory(log.path());
        log.start().moveTo(offset);
        log.end().endAt(offset);
        log.touch();
    }

    private static ProducerReplay producerReplay(PartitionLog log, LogIo io) throws IOException {
        List<Long> snapshots = ProducerReplay.snapshotOffsets(io.disk().list(log.path()));
        return new ProducerReplay(io, log.path(), snapshots, log.producers(), Long.MIN_VALUE);
    }

    private static void dropSegments(LogIo io, List<Segment> dropped) throws IOException {
        for (Segment segment : dropped) {
            io.openFiles().close(segment);
            Segment.deleteFiles(io.disk(), segment.name());
        }
    }
}
