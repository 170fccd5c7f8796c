package dev.ottla.log;

import dev.ottla.log.disk.Disk;
import dev.ottla.log.segment.LogIo;
import java.io.IOException;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/// Opens the files of the logs in one directory, by what the directory knows of them. Thread-safe,
/// as its parts are.
final class LogLoads {
    private static final int OPEN_FILES = 8;
    private static final int INDEX_PAGES = 64;

    private final Path root;
    private final boolean clean;
    private final Manifest manifest;
    private final SegmentTally tally;
    private final RecoveryProgress progress = new RecoveryProgress();

    private final Means means;
    private final Means meansOfLanes;

    /// @param patientDisk for lanes
    /// @param clean whether the directory was closed in order
    LogLoads(
            Disk disk,
            Disk patientDisk,
            Path root,
            boolean clean,
            Manifest manifest,
            SegmentTally tally) {
        means = new Means(disk);
        meansOfLanes = new Means(patientDisk);
        this.root = root;
        this.clean = clean;
        this.manifest = manifest;
        this.tally = tally;
    }

    RecoveryProgress progress() {
        return progress;
    }

    /// Quick, and without effect when it fails: see [LogLook].
    LogLoader.Loaded look(PartitionId id, LogConfig config, RestingLog.Facts facts, long nowMs)
            throws IOException {
        LogLoader.Start start = startOf(id, nowMs, false, LogLoader.Syncs.NOW);
        LogIo io = means.take();
        LogLoader.Loaded loaded =
                new LogLook(io, root.resolve(id.directoryName()), facts, start).look(config);
        means.giveBack(io);
        tally.onOpened(id.topicPartition());
        return loaded;
    }

    /// Whatever it takes.
    ///
    /// @param identified whether the log's directory is known to be of this topic
    LogLoader.Loaded recover(
            PartitionId id, LogConfig config, long nowMs, boolean identified, LogLoader.Syncs syncs)
            throws IOException {
        boolean onLane = syncs != LogLoader.Syncs.NOW;
        return recover(id, config, startOf(id, nowMs, identified, syncs), onLane);
    }

    /// The same on a lane.
    LogLoader.Loaded repair(PartitionId id, LogConfig config, long nowMs) throws IOException {
        return recover(id, config, startOf(id, nowMs, false, LogLoader.Syncs.NOW), true);
    }

    private LogLoader.Loaded recover(
            PartitionId id, LogConfig config, LogLoader.Start start, boolean onLane)
            throws IOException {
        Means ofThread = onLane ? meansOfLanes : means;
        LogIo io = ofThread.take();
        LogLoader.Loaded loaded =
                new LogLoader(io, root.resolve(id.directoryName()), config, start, tally, progress)
                        .load();
        ofThread.giveBack(io);
        return loaded;
    }

    private LogLoader.Start startOf(
            PartitionId id, long nowMs, boolean identified, LogLoader.Syncs syncs) {
        TopicPartition partition = id.topicPartition();
        OptionalLong recoveryPoint = manifest.recoveryPoint(partition);
        LogLoader.LastUse lastUse = LogLoader.LastUse.KILLED;
        if (clean && recoveryPoint.isPresent()) {
            lastUse = LogLoader.LastUse.CLOSED;
        } else if (!clean && recoveryPoint.orElse(0) == 0) {
            lastUse = LogLoader.LastUse.KILLED_BEFORE_ITS_FIRST_SYNC;
        }
        return new LogLoader.Start(
                id,
                recoveryPoint.orElse(0),
                manifest.logStartOffset(partition).orElse(0),
                lastUse,
                identified,
                syncs,
                nowMs);
    }

    /// What it takes to read a disk: left by those that have done their work for the next ones, so
    /// as many as ran at once.
    private record Means(Disk disk, Queue<LogIo> idle) {
        Means(Disk disk) {
            this(disk, new ConcurrentLinkedQueue<>());
        }

        LogIo take() {
            LogIo io = idle.poll();
            return io == null ? new LogIo(disk, OPEN_FILES, INDEX_PAGES) : io;
        }

        void giveBack(LogIo io) {
            idle.add(io);
        }
    }
}
