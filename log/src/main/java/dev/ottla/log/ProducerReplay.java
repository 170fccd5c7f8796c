package dev.ottla.log;

import dev.ottla.log.disk.DiskIo;
import dev.ottla.log.disk.SharedFile;
import dev.ottla.log.producer.CompletedTransaction;
import dev.ottla.log.producer.ProducerStates;
import dev.ottla.log.segment.AbortedTransaction;
import dev.ottla.log.segment.BatchScan;
import dev.ottla.log.segment.LogIo;
import dev.ottla.log.segment.Segment;
import dev.ottla.log.segment.SegmentName;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Brings a log's producer state to the log's end: takes the newest snapshot that can be trusted
/// and reads the batch headers behind it. Used at opening and after a truncation, by the thread
/// that owns the log then.
final class ProducerReplay {
    private static final Logger LOG = LoggerFactory.getLogger(ProducerReplay.class);

    private static final int ATTRIBUTE_TRANSACTIONAL = 0x10;
    private static final int ATTRIBUTE_CONTROL = 0x20;

    private final LogIo io;
    private final Path directory;
    private final List<Long> snapshots;
    private final ProducerStates producers;
    private final long expiredBeforeMs;

    /// @param snapshots offsets of the snapshots in the directory, ascending
    ProducerReplay(
            LogIo io,
            Path directory,
            List<Long> snapshots,
            ProducerStates producers,
            long expiredBeforeMs) {
        this.io = io;
        this.directory = directory;
        this.snapshots = new ArrayList<>(snapshots);
        this.producers = producers;
        this.expiredBeforeMs = expiredBeforeMs;
    }

    /// Rebuilds the state at `logEndOffset`. Snapshots for offsets above `maxSnapshotOffset` are
    /// removed first: they tell of records that are gone or not known to be durable. Aborted
    /// transactions whose marker is at `indexFrom` or behind it are added to their segment's index.
    /// True when the names in the directory have changed.
    boolean rebuild(
            List<Segment> segments,
            long logStartOffset,
            long logEndOffset,
            long maxSnapshotOffset,
            long indexFrom)
            throws IOException {
        long firstOffset = segments.isEmpty() ? logStartOffset : segments.getFirst().baseOffset();
        boolean changed = removeSnapshotsOutside(firstOffset, maxSnapshotOffset);
        long from = restoreNewest(logEndOffset).orElse(logStartOffset);
        for (int i = 0; i < segments.size(); i++) {
            long end = i + 1 < segments.size() ? segments.get(i + 1).baseOffset() : logEndOffset;
            if (end > from) {
                replay(segments.get(i), from, indexFrom);
            }
        }
        return changed;
    }

    /// What an older snapshot tells may have been ended by records that are deleted.
    private boolean removeSnapshotsOutside(long firstOffset, long maxOffset) throws IOException {
        List<Long> outside =
                snapshots.stream()
                        .filter(snapshot -> snapshot < firstOffset || snapshot > maxOffset)
                        .toList();
        for (long snapshot : outside) {
            io.disk().delete(path(snapshot));
        }
        return snapshots.removeAll(outside);
    }

    /// Offset of the snapshot that was taken; empty when there is none and the log must be read
    /// from its start.
    private OptionalLong restoreNewest(long logEndOffset) throws IOException {
        for (int i = snapshots.size() - 1; i >= 0; i--) {
            long offset = snapshots.get(i);
            if (offset > logEndOffset) {
                continue;
            }
            Optional<ByteBuffer> content = DiskIo.read(io.disk(), path(offset));
            if (content.isPresent() && producers.restore(content.get(), expiredBeforeMs)) {
                return OptionalLong.of(offset);
            }
            LOG.warn(
                    "The producer snapshot {} is damaged; the log is read from an earlier one.",
                    path(offset));
            io.disk().delete(path(offset));
        }
        producers.clear();
        return OptionalLong.empty();
    }

    /// Of which offsets there are snapshots among the files of a directory, ascending.
    static List<Long> snapshotOffsets(List<String> names) {
        List<Long> offsets = new ArrayList<>();
        for (String name : names) {
            SegmentName.parse(name, SegmentName.SNAPSHOT).ifPresent(offsets::add);
        }
        offsets.sort(null);
        return offsets;
    }

    private Path path(long offset) {
        return new SegmentName(directory, offset).file(SegmentName.SNAPSHOT);
    }

    private void replay(Segment segment, long fromOffset, long indexFrom) throws IOException {
        if (segment.sizeBytes() == 0) {
            return;
        }
        long start = Math.max(0, segment.positionOf(io, fromOffset, segment.sizeBytes()));
        SharedFile file = io.openFiles().use(segment).retain();
        try {
            BatchScan scan = io.scan().start(file.file(), start, segment.sizeBytes());
            while (scan.next()) {
                if (scan.producerId() >= 0 && scan.lastOffset() >= fromOffset) {
                    replay(scan, segment, indexFrom);
                }
            }
        } finally {
            file.release();
        }
    }

    private void replay(BatchScan scan, Segment segment, long indexFrom) throws IOException {
        int attributes = scan.attributes();
        if ((attributes & ATTRIBUTE_CONTROL) == 0) {
            int delta = scan.lastOffsetDelta();
            int lastSequence = (int) ((scan.baseSequence() + (long) delta) & Integer.MAX_VALUE);
            producers.onData(
                    scan.producerId(),
                    scan.producerEpoch(),
                    lastSequence,
                    scan.lastOffset(),
                    delta,
                    scan.maxTimestamp(),
                    (attributes & ATTRIBUTE_TRANSACTIONAL) != 0);
            return;
        }
        Optional<CompletedTransaction> completed = producers.update(scan.readBatch());
        if (completed.isPresent()
                && completed.get().aborted()
                && completed.get().lastOffset() >= indexFrom) {
            segment.onAborted(io, aborted(completed.get()));
        }
    }

    static AbortedTransaction aborted(CompletedTransaction transaction) {
        return new AbortedTransaction(
                transaction.producerId(),
                transaction.firstOffset(),
                transaction.lastOffset(),
                transaction.lastStableOffset());
    }
}
