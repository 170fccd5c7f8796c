package dev.ottla.log;

import dev.ottla.log.disk.Disk;
import dev.ottla.log.disk.DiskIo;
import dev.ottla.log.disk.SharedFile;
import dev.ottla.log.epoch.LeaderEpochFile;
import dev.ottla.log.epoch.LeaderEpochs;
import dev.ottla.log.producer.ProducerStates;
import dev.ottla.log.segment.BatchScan;
import dev.ottla.log.segment.DamagedLogException;
import dev.ottla.log.segment.LogIo;
import dev.ottla.log.segment.Segment;
import dev.ottla.log.segment.SegmentName;
import dev.ottla.log.segment.SegmentRecovery;
import dev.ottla.record.RecordBatch;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Opens the log in one partition's directory. After a clean stop only the end is looked at;
/// otherwise everything behind the recovery point is read again, what is no whole batch is cut off,
/// and indexes, epochs and producer state are made to fit. On return all of it is durable, or,
/// where that is left to the log and nothing had to be repaired, it stands behind the recovery
/// point still: thousands of logs then share a sync. Runs on an I/O lane; used once.
final class LogLoader {
    private static final Logger LOG = LoggerFactory.getLogger(LogLoader.class);

    private final LogIo io;
    private final Disk disk;
    private final Path directory;
    private final LogConfig config;
    private final Start start;
    private final SegmentTally tally;
    private final RecoveryProgress progress;

    private final List<Segment> segments = new ArrayList<>();
    private final ProducerStates producers = new ProducerStates();
    private LeaderEpochs epochs = new LeaderEpochs();
    private boolean epochsDamaged;
    private long logStartOffset;
    private long logEndOffset;
    private long rereadFrom = Long.MAX_VALUE; // Offset from which on the log was read again.
    private final List<Segment> reread = new ArrayList<>();
    private boolean directoryChanged;
    private boolean namesSynced;
    private final List<String> repairs = new ArrayList<>();

    /// What is known about the log before it is opened.
    ///
    /// @param recoveryPoint everything before it is durable, with indexes, epochs and a producer
    ///   snapshot
    /// @param logStartOffset 0 when nothing was deleted by offset
    /// @param identified whether the directory is known to be of this topic
    record Start(
            PartitionId id,
            long recoveryPoint,
            long logStartOffset,
            LastUse lastUse,
            boolean identified,
            Syncs syncs,
            long nowMs) {}

    /// How the log was left.
    enum LastUse {
        CLOSED,
        KILLED,

        /// And nothing of it can have been durable.
        KILLED_BEFORE_ITS_FIRST_SYNC
    }

    /// What happens to records that are found behind the recovery point.
    enum Syncs {
        /// They are durable in the end.
        NOW,

        /// The log itself can make them durable.
        LEFT_TO_THE_LOG
    }

    /// A log ready to be owned by a shard. `repairs` tell in words what was cut off or rebuilt.
    ///
    /// @param recoveryPoint everything before it is durable, with all that is derived from it
    /// @param unsynced segments with records behind it
    /// @param namesUnsynced whether a file of the directory may have a name in memory only
    record Loaded(
            List<Segment> segments,
            LeaderEpochs epochs,
            ProducerStates producers,
            long logStartOffset,
            long logEndOffset,
            long recoveryPoint,
            List<Segment> unsynced,
            boolean namesUnsynced,
            List<String> repairs) {
        /// All of it is durable, and nothing was repaired.
        static Loaded level(
                List<Segment> segments,
                LeaderEpochs epochs,
                ProducerStates producers,
                long logStartOffset,
                long logEndOffset) {
            return new Loaded(
                    segments,
                    epochs,
                    producers,
                    logStartOffset,
                    logEndOffset,
                    logEndOffset,
                    List.of(),
                    false,
                    List.of());
        }

        /// No records are known.
        static Loaded empty(long startOffset, long endOffset) {
            return level(
                    List.of(), new LeaderEpochs(), new ProducerStates(), startOffset, endOffset);
        }
    }

    LogLoader(
            LogIo io,
            Path directory,
            LogConfig config,
            Start start,
            SegmentTally tally,
            RecoveryProgress progress) {
        this.io = io;
        this.disk = io.disk();
        this.directory = directory;
        this.config = config;
        this.start = start;
        this.tally = tally;
        this.progress = progress;
    }

    Loaded load() throws IOException {
        boolean identified =
                start.identified()
                        || new PartitionIdentity(disk, directory, start.id())
                                .verify(start.lastUse() == LastUse.KILLED_BEFORE_ITS_FIRST_SYNC);
        List<String> names = disk.list(directory);
        findSegments(names);
        tally.verify(start.id().topicPartition(), directory, segments);
        if (!identified) {
            DiskIo.replaceText(
                    disk,
                    directory.resolve(PartitionMetadataFile.NAME),
                    PartitionMetadataFile.format(start.id().topicId()));
        }
        if (names.contains(LeaderEpochFile.NAME)) {
            readEpochs();
        }
        boolean opened = start.lastUse() == LastUse.CLOSED && openClean();
        if (!opened) {
            recover();
        }
        finishOffsets();
        boolean recovered = !opened;
        rebuildEpochsIfDamaged();
        epochs.truncateFromEnd(logEndOffset);
        epochs.truncateFromStart(logStartOffset);
        long maxSnapshotOffset =
                recovered
                        ? Math.min(start.recoveryPoint(), Math.min(rereadFrom, logEndOffset))
                        : logEndOffset;
        ProducerReplay replay =
                new ProducerReplay(
                        io,
                        directory,
                        ProducerReplay.snapshotOffsets(names),
                        producers,
                        start.nowMs() - config.producerIdExpirationMs());
        directoryChanged |=
                replay.rebuild(
                        segments, logStartOffset, logEndOffset, maxSnapshotOffset, rereadFrom);
        long recoveryPoint = logEndOffset;
        if (recovered && mayLeaveSyncs(identified)) {
            recoveryPoint = start.recoveryPoint();
        } else if (recovered || epochsDamaged) {
            makeDurable();
        } else if (directoryChanged) {
            disk.syncDirectory(directory);
        }
        for (Segment segment : segments) {
            segment.detach(io);
        }
        return new Loaded(
                segments,
                epochs,
                producers,
                logStartOffset,
                logEndOffset,
                recoveryPoint,
                recoveryPoint == logEndOffset ? List.of() : List.copyOf(reread),
                recovered && !namesSynced,
                List.copyOf(repairs));
    }

    /// What was repaired must be on disk before anything is written behind it, and the log can
    /// write the indexes of its active segment only.
    private boolean mayLeaveSyncs(boolean identified) {
        return start.syncs() == Syncs.LEFT_TO_THE_LOG
                && identified
                && repairs.isEmpty()
                && !epochsDamaged
                && reread.equals(lastSegment())
                && start.recoveryPoint() < logEndOffset;
    }

    // --- files

    private void findSegments(List<String> names) throws IOException {
        Set<Long> bases = new HashSet<>();
        for (String name : names) {
            SegmentName.parse(name, SegmentName.LOG).ifPresent(bases::add);
        }
        for (String name : names) {
            if (isLeftover(name, bases)) {
                disk.delete(directory.resolve(name));
                directoryChanged = true;
            }
        }
        List<Long> ascending = new ArrayList<>(bases);
        ascending.sort(null);
        for (int i = 0; i < ascending.size(); i++) {
            SegmentName name = new SegmentName(directory, ascending.get(i));
            if (i + 1 < ascending.size() && ascending.get(i + 1) <= start.logStartOffset()) {
                // Its deletion had been decided before the stop.
                Segment.deleteFiles(disk, name);
                directoryChanged = true;
            } else {
                segments.add(Segment.open(io, name));
            }
        }
    }

    /// Whether a file is of no use any more.
    ///
    /// @param bases of the segments that are there
    static boolean isLeftover(String name, Set<Long> bases) {
        Optional<String> suffix = SegmentName.suffixOf(name);
        boolean leftover =
                name.endsWith(".tmp") || name.endsWith(".deleted") || name.endsWith(".cleaned");
        if (suffix.isPresent()) {
            leftover |=
                    switch (suffix.get()) {
                        case SegmentName.OFFSET_INDEX,
                                SegmentName.TIME_INDEX,
                                SegmentName.TRANSACTION_INDEX ->
                                !bases.contains(
                                        SegmentName.parse(name, suffix.get()).orElseThrow());
                        default -> false;
                    };
        }
        return leftover;
    }

    // --- leader epochs

    private void readEpochs() throws IOException {
        Optional<String> text = DiskIo.readText(disk, directory.resolve(LeaderEpochFile.NAME));
        if (text.isEmpty()) {
            return;
        }
        Optional<LeaderEpochs> parsed = LeaderEpochFile.parse(text.get());
        epochsDamaged = parsed.isEmpty();
        epochs = parsed.orElseGet(LeaderEpochs::new);
    }

    private void rebuildEpochsIfDamaged() throws IOException {
        if (!epochsDamaged) {
            return;
        }
        repairs.add(LeaderEpochFile.NAME + " was damaged and is rebuilt from the batches");
        epochs = new LeaderEpochs();
        for (Segment segment : segments) {
            SharedFile file = io.openFiles().use(segment);
            BatchScan scan = io.scan().start(file.file(), 0, segment.sizeBytes());
            while (scan.next()) {
                epochs.assign(scan.leaderEpoch(), scan.baseOffset());
            }
        }
    }

    // --- after a clean stop

    /// False when something does not fit, and the log must be read again.
    private boolean openClean() throws IOException {
        try {
            for (Segment segment : segments) {
                if (!segment.openIndexes(io)) {
                    throw new DamagedLogException(
                            "an index of " + segment + " is missing or damaged");
                }
            }
            if (!segments.isEmpty()) {
                logEndOffset = segments.getLast().openCleanEnd(io, config.indexIntervalBytes());
            }
            return true;
        } catch (DamagedLogException e) {
            repairs.add("the log was stopped cleanly but is read again, because " + e.getMessage());
            return false;
        }
    }

    // --- after an unclean stop

    private void recover() throws IOException {
        epochs.truncateFromEnd(start.recoveryPoint());
        SegmentRecovery recovery = new SegmentRecovery(io, config.indexIntervalBytes());
        int index = 0;
        while (index < segments.size()) {
            Segment segment = segments.get(index);
            boolean last = index + 1 == segments.size();
            boolean trusted =
                    !last && segments.get(index + 1).baseOffset() <= start.recoveryPoint();
            if (!trusted || !segment.openIndexes(io)) {
                long from =
                        trusted
                                ? segment.baseOffset()
                                : Math.max(segment.baseOffset(), start.recoveryPoint());
                rereadFrom = Math.min(rereadFrom, from);
                reread.add(segment);
                SegmentRecovery.Result result = recovery.recover(segment, from, this::noteEpoch);
                progress.onBytesScanned(result.scannedBytes());
                logEndOffset = result.nextOffset();
                Optional<String> fault =
                        result.fault().or(() -> holeBehind(segment, result.nextOffset()));
                if (fault.isPresent()) {
                    cutBehind(segment, result, fault.get());
                }
            }
            index++;
        }
    }

    /// The epochs of records before the recovery point are known already.
    private void noteEpoch(RecordBatch batch) {
        if (batch.baseOffset() >= start.recoveryPoint()) {
            epochs.assign(batch.leaderEpoch(), batch.baseOffset());
        }
    }

    /// A segment that ends before the next one begins has lost its end: what follows was never
    /// acknowledged.
    private Optional<String> holeBehind(Segment segment, long nextOffset) {
        int next = segments.indexOf(segment) + 1;
        if (config.compacts()
                || next == segments.size()
                || segments.get(next).baseOffset() == nextOffset) {
            return Optional.empty();
        }
        return Optional.of(
                "the next segment starts at offset %d instead of %d"
                        .formatted(segments.get(next).baseOffset(), nextOffset));
    }

    private void cutBehind(Segment segment, SegmentRecovery.Result result, String fault)
            throws IOException {
        if (result.nextOffset() < start.recoveryPoint()) {
            throw new DamagedLogException(
                    "%s is damaged at offset %d, before the recovery point %d: %s; records that were on disk are lost"
                            .formatted(segment, result.nextOffset(), start.recoveryPoint(), fault));
        }
        List<Segment> behind = segments.subList(segments.indexOf(segment) + 1, segments.size());
        long cutBytes = result.badBytes();
        for (Segment lost : behind) {
            cutBytes += lost.sizeBytes();
            io.openFiles().close(lost);
            Segment.deleteFiles(disk, lost.name());
            directoryChanged = true;
        }
        behind.clear();
        segment.cutFile(io);
        repairs.add(
                "%d bytes behind offset %d were cut off, because %s"
                        .formatted(cutBytes, result.nextOffset(), fault));
    }

    private void finishOffsets() throws IOException {
        if (segments.isEmpty()) {
            logStartOffset = start.logStartOffset();
            logEndOffset = logStartOffset;
        } else {
            logStartOffset = Math.max(start.logStartOffset(), segments.getFirst().baseOffset());
        }
        if (logEndOffset < start.recoveryPoint()) {
            throw new DamagedLogException(
                    "%s ends at offset %d, before its recovery point %d: records that were on disk are lost"
                            .formatted(directory, logEndOffset, start.recoveryPoint()));
        }
        if (logStartOffset > logEndOffset) {
            throw new DamagedLogException(
                    "%s ends at offset %d, before its start offset %d"
                            .formatted(directory, logEndOffset, logStartOffset));
        }
    }

    private List<Segment> lastSegment() {
        return segments.isEmpty() ? List.of() : List.of(segments.getLast());
    }

    private void makeDurable() throws IOException {
        if (reread.equals(lastSegment())
                && logEndOffset == start.recoveryPoint()
                && repairs.isEmpty()
                && !directoryChanged
                && !epochs.isChanged(logEndOffset)) {
            return; // The checkpoint that made the recovery point covers all of it.
        }
        if (start.recoveryPoint() == 0) {
            // The process may have ended before its first sync, and the power stayed on.
            DiskIo.syncIfPresent(disk, directory.resolve(PartitionMetadataFile.NAME));
            disk.syncDirectory(DiskIo.parent(directory));
        }
        for (Segment segment : reread) {
            io.openFiles().use(segment).file().sync();
            if (!segment.needsNoIndexFiles()) {
                segment.writeIndexes(io);
            }
            for (Path path : segment.indexPaths()) {
                DiskIo.syncIfPresent(disk, path);
            }
        }
        Path snapshot = new SegmentName(directory, logEndOffset).file(SegmentName.SNAPSHOT);
        DiskIo.replace(disk, snapshot, producers.snapshot(), false);
        if (epochs.isChanged(logEndOffset) || epochsDamaged) {
            DiskIo.replaceText(
                    disk,
                    directory.resolve(LeaderEpochFile.NAME),
                    LeaderEpochFile.format(epochs, logEndOffset));
            epochs.markWritten(logEndOffset);
        }
        disk.syncDirectory(directory);
        namesSynced = true;
        for (String repair : repairs) {
            LOG.warn("Log {}: {}.", directory, repair);
        }
    }
}
