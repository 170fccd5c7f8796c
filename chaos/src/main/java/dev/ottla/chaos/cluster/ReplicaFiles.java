package dev.ottla.chaos.cluster;

import dev.ottla.chaos.history.Event;
import dev.ottla.chaos.history.Event.Batch;
import dev.ottla.chaos.history.RecordValue;
import dev.ottla.chaos.history.Spans;
import dev.ottla.record.RecordBatch;
import dev.ottla.record.RecordBatches;
import dev.ottla.record.RecordCursor;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/// Reads a replica from the files of a node that does not run. A segment is read whole: those of a
/// run are small.
public final class ReplicaFiles {
    private static final String SEGMENT = ".log";
    private static final String LOG_STARTS = "log-start-offset-checkpoint";
    private static final int BATCHES_OF_AN_EVENT = 200;

    private final int node;
    private final String nameInHistory;
    private final Path directory;
    private final List<Path> segments;

    private ReplicaFiles(int node, String nameInHistory, Path directory, List<Path> segments) {
        this.node = node;
        this.nameInHistory = nameInHistory;
        this.directory = directory;
        this.segments = segments;
    }

    /// A replica that may have no files at all, when nothing was ever written to it.
    public static ReplicaFiles of(int node, Path dataDir, String partition, String nameInHistory)
            throws IOException {
        Path directory = dataDir.resolve(partition);
        if (!Files.isDirectory(directory)) {
            return new ReplicaFiles(node, nameInHistory, directory, List.of());
        }
        try (Stream<Path> files = Files.list(directory)) {
            List<Path> segments =
                    files.filter(file -> file.toString().endsWith(SEGMENT)).sorted().toList();
            return new ReplicaFiles(node, nameInHistory, directory, segments);
        }
    }

    /// What it is, with the end of its log.
    public Event.Replica describe(long highWatermark) throws IOException {
        long[] end = {logStart()};
        read(batch -> end[0] = batch.nextOffset());
        return new Event.Replica(
                node, nameInHistory, logStart(), end[0], highWatermark, directory.toString());
    }

    /// Hands over all its batches.
    public void store(Consumer<Event> events) throws IOException {
        List<Batch> batches = new ArrayList<>();
        read(batch -> {
            batches.add(convert(batch));
            if (batches.size() == BATCHES_OF_AN_EVENT) {
                events.accept(new Event.Stored(node, nameInHistory, batches));
                batches.clear();
            }
        });
        if (!batches.isEmpty()) {
            events.accept(new Event.Stored(node, nameInHistory, batches));
        }
    }

    private static Batch convert(RecordBatch batch) {
        Spans values = new Spans();
        List<Integer> at = new ArrayList<>();
        RecordCursor records = batch.uncompressedRecords();
        while (records.next()) {
            ByteBuffer value = records.value();
            RecordValue read = RecordValue.read(value);
            values.add(read.writer(), read.number());
            at.add(records.offsetDelta());
        }
        int offsets = (int) (batch.nextOffset() - batch.baseOffset());
        return new Batch(
                batch.baseOffset(),
                offsets,
                batch.leaderEpoch(),
                Integer.toUnsignedLong(batch.crc()),
                values.take(),
                at.size() == offsets ? List.of() : at);
    }

    private void read(Consumer<RecordBatch> consumer) throws IOException {
        for (Path segment : segments) {
            ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(segment));
            RecordBatches.in(bytes).forEach(consumer);
        }
    }

    private long logStart() throws IOException {
        long start = segments.isEmpty() ? 0 : baseOffset(segments.getFirst());
        Path noted = directory.resolveSibling(LOG_STARTS);
        if (Files.exists(noted)) {
            for (String line : Files.readAllLines(noted)) {
                String[] words = line.split(" ", -1);
                if (words.length == 3 && directory.endsWith(words[0] + "-" + words[1])) {
                    start = Math.max(start, Long.parseLong(words[2]));
                }
            }
        }
        return start;
    }

    private static long baseOffset(Path segment) {
        String name = String.valueOf(segment.getFileName());
        return Long.parseLong(name.substring(0, name.length() - SEGMENT.length()));
    }
}
