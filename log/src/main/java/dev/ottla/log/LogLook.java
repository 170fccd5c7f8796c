package dev.ottla.log;

import dev.ottla.log.disk.Disk;
import dev.ottla.log.disk.DiskIo;
import dev.ottla.log.epoch.LeaderEpochFile;
import dev.ottla.log.epoch.LeaderEpochs;
import dev.ottla.log.producer.ProducerStates;
import dev.ottla.log.segment.DamagedLogException;
import dev.ottla.log.segment.LogIo;
import dev.ottla.log.segment.Segment;
import dev.ottla.log.segment.SegmentName;
import dev.ottla.wire.Uuid;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Opens a log that is as it was closed, on a thread that others wait for: it reads little, writes
/// nothing and syncs nothing. Throws on whatever it did not expect; what is behind that,
/// [LogLoader] finds out, which may read all of the log and repairs it. Used once.
final class LogLook {
    /// Twice what is usual where batches are as large as the defaults allow.
    static final int MAX_BYTES = 4 << 20;

    private final LogIo io;
    private final Disk disk;
    private final Path directory;
    private final RestingLog.Facts facts;
    private final LogLoader.Start start;
    private final List<Segment> segments = new ArrayList<>();
    private long bytesLeft = MAX_BYTES;

    LogLook(LogIo io, Path directory, RestingLog.Facts facts, LogLoader.Start start) {
        this.io = io;
        this.disk = io.disk();
        this.directory = directory;
        this.facts = facts;
        this.start = start;
    }

    /// @param config of the log
    LogLoader.Loaded look(LogConfig config) throws IOException {
        try {
            verifyIdentity();
            List<String> names = disk.list(directory);
            findSegments(names);
            LeaderEpochs epochs =
                    names.contains(LeaderEpochFile.NAME) ? readEpochs() : new LeaderEpochs();
            findEnd(config);
            ProducerStates producers =
                    readProducers(names, start.nowMs() - config.producerIdExpirationMs());
            epochs.truncateFromEnd(facts.endOffset());
            epochs.truncateFromStart(facts.startOffset());
            return LogLoader.Loaded.level(
                    segments, epochs, producers, facts.startOffset(), facts.endOffset());
        } finally {
            segments.forEach(segment -> segment.detach(io));
        }
    }

    private DamagedLogException unexpected(String what) {
        return new DamagedLogException(what + " in " + directory);
    }

    /// @param what is to be read
    private void willRead(long bytes, String what) throws DamagedLogException {
        bytesLeft -= bytes;
        if (bytesLeft < 0) {
            throw unexpected("there is much to read for " + what);
        }
    }

    private void verifyIdentity() throws IOException {
        Optional<Uuid> named =
                DiskIo.readText(disk, directory.resolve(PartitionMetadataFile.NAME))
                        .flatMap(PartitionMetadataFile::parse);
        if (!named.equals(Optional.of(facts.topicId()))) {
            throw unexpected("there is another topic");
        }
    }

    private void findSegments(List<String> names) throws IOException {
        Set<Long> bases = new HashSet<>();
        for (String name : names) {
            SegmentName.parse(name, SegmentName.LOG).ifPresent(bases::add);
        }
        for (String name : names) {
            if (LogLoader.isLeftover(name, bases)) {
                throw unexpected("a leftover, " + name + ", is");
            }
        }
        long bytes = 0;
        List<Long> ascending = new ArrayList<>(bases);
        ascending.sort(null);
        for (long base : ascending) {
            Segment segment = Segment.open(io, new SegmentName(directory, base));
            segments.add(segment);
            bytes += segment.sizeBytes();
        }
        if (segments.size() != facts.segments() || bytes != facts.bytes()) {
            throw unexpected("there are more or less records");
        }
    }

    private long firstOffset() {
        return segments.isEmpty() ? facts.startOffset() : segments.getFirst().baseOffset();
    }

    private LeaderEpochs readEpochs() throws IOException {
        Path file = directory.resolve(LeaderEpochFile.NAME);
        return DiskIo.readText(disk, file)
                .flatMap(LeaderEpochFile::parse)
                .orElseThrow(() -> unexpected("the leader epochs are damaged"));
    }

    private void findEnd(LogConfig config) throws IOException {
        for (Segment segment : segments) {
            if (!segment.openIndexes(io)) {
                throw unexpected("an index is missing or damaged");
            }
        }
        long startOffset = start.logStartOffset();
        long endOffset = startOffset;
        if (!segments.isEmpty()) {
            startOffset = Math.max(startOffset, segments.getFirst().baseOffset());
            willRead(segments.getLast().unindexedBytes(io), "the log's end");
            endOffset = segments.getLast().openCleanEnd(io, config.indexIntervalBytes());
        }
        if (startOffset != facts.startOffset() || endOffset != facts.endOffset()) {
            throw unexpected("there are other records");
        }
    }

    /// There is a snapshot at the end, or the log is small and has none at all.
    private ProducerStates readProducers(List<String> names, long expiredBeforeMs)
            throws IOException {
        ProducerStates producers = new ProducerStates();
        long end = facts.endOffset();
        List<Long> snapshots = ProducerReplay.snapshotOffsets(names);
        ProducerReplay replay =
                new ProducerReplay(io, directory, snapshots, producers, expiredBeforeMs);
        if (snapshots.isEmpty()) {
            willRead(facts.bytes(), "the producers");
            replay.rebuild(segments, facts.startOffset(), end, end, Long.MAX_VALUE);
            return producers;
        }
        Path newest = new SegmentName(directory, end).file(SegmentName.SNAPSHOT);
        if (snapshots.getLast() != end || snapshots.getFirst() < firstOffset()) {
            throw unexpected("the producer snapshots are not those of the end");
        }
        willRead(disk.sizeBytes(newest), "the producers");
        Optional<ByteBuffer> content = DiskIo.read(disk, newest);
        if (content.isEmpty() || !producers.restore(content.get(), expiredBeforeMs)) {
            throw unexpected("the producer snapshot of the end is damaged");
        }
        return producers;
    }
}
