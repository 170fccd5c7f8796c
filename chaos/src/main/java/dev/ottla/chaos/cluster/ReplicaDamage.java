package dev.ottla.chaos.cluster;

import dev.ottla.record.RecordBatch;
import dev.ottla.record.RecordBatches;
import dev.ottla.record.RecordBatches.Step;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/// Damages replicas in the files of a node that does not run, in ways that a broker promises to
/// notice: a bit that flips in what was checked and synced long ago is none of these, for nobody
/// reads that again. Owned by one thread.
public final class ReplicaDamage {
    private static final String SEGMENT = ".log";
    private static final String INDEX = ".index";
    private static final String IDENTITY = "partition.metadata";
    private static final String RECOVERY_POINTS = "recovery-point-offset-checkpoint";

    private final Path dataDir;
    private final boolean closed;
    private final Random random;

    /// @param closed whether the node was stopped in order; then it has noted what it left
    public ReplicaDamage(Path dataDir, boolean closed, Random random) {
        this.dataDir = dataDir;
        this.closed = closed;
        this.random = random;
    }

    /// Those partitions of some that have records here.
    public List<String> withRecords(List<String> partitions) throws IOException {
        List<String> found = new ArrayList<>();
        for (String partition : partitions) {
            List<Path> segments = segments(partition);
            if (!segments.isEmpty() && Files.size(segments.getLast()) > 0) {
                found.add(partition);
            }
        }
        return found;
    }

    /// A bit flips in records behind the recovery point or in the file that names the topic, or the
    /// end of an index is gone. Returns what was done.
    public String flipBits(String partition) throws IOException {
        Path last = segments(partition).getLast();
        long from = closed ? Files.size(last) : recoveryPosition(partition, last);
        int way = random.nextInt(4);
        if (way == 0) {
            return flip(dataDir.resolve(partition).resolve(IDENTITY), 0);
        }
        if (way == 1 || from == Files.size(last)) {
            return cutIndex(last);
        }
        return flip(last, from);
    }

    private String flip(Path file, long from) throws IOException {
        try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "rw")) {
            long position = random.nextLong(from, open.length());
            open.seek(position);
            int old = open.read();
            open.seek(position);
            open.write(old ^ (1 << random.nextInt(Byte.SIZE)));
            return "a bit of byte %d in %s".formatted(position, nameOf(file));
        }
    }

    private String cutIndex(Path segment) throws IOException {
        String name = String.valueOf(segment.getFileName());
        Path index =
                segment.resolveSibling(name.substring(0, name.length() - SEGMENT.length()) + INDEX);
        if (!Files.exists(index) || Files.size(index) == 0) {
            return flip(segment.resolveSibling(IDENTITY), 0);
        }
        long size = Files.size(index) - 1 - random.nextInt(7);
        return cut(index, Math.max(0, size));
    }

    /// A segment is as it was some time ago: the last one, or any one where the broker knows what
    /// it left. Returns what was done.
    public String rollBack(String partition) throws IOException {
        List<Path> segments = segments(partition);
        Path segment = closed ? segments.get(random.nextInt(segments.size())) : segments.getLast();
        return cut(segment, random.nextLong(Math.max(1, Files.size(segment))));
    }

    private String cut(Path file, long size) throws IOException {
        try (FileChannel open = FileChannel.open(file, StandardOpenOption.WRITE)) {
            String done = "%s from %d to %d bytes".formatted(nameOf(file), open.size(), size);
            open.truncate(size);
            return done;
        }
    }

    /// The partition's directory is gone. Returns what was done.
    public String empty(String partition) throws IOException {
        Path directory = dataDir.resolve(partition);
        try (Stream<Path> tree = Files.walk(directory)) {
            for (Path path : tree.toList().reversed()) {
                Files.delete(path);
            }
        }
        return partition;
    }

    /// Where in the segment the first byte stands that a start after a crash reads again.
    private long recoveryPosition(String partition, Path segment) throws IOException {
        long recoveryPoint = recoveryPoint(partition);
        RecordBatches batches = RecordBatches.in(ByteBuffer.wrap(Files.readAllBytes(segment)));
        long position = 0;
        while (batches.next() instanceof Step.Batch(RecordBatch batch)
                && batch.nextOffset() <= recoveryPoint) {
            position += batch.sizeBytes();
        }
        return position;
    }

    private long recoveryPoint(String partition) throws IOException {
        Path noted = dataDir.resolve(RECOVERY_POINTS);
        if (Files.exists(noted)) {
            for (String line : Files.readAllLines(noted)) {
                String[] words = line.split(" ", -1);
                if (words.length == 3 && partition.equals(words[0] + "-" + words[1])) {
                    return Long.parseLong(words[2]);
                }
            }
        }
        return 0;
    }

    private List<Path> segments(String partition) throws IOException {
        Path directory = dataDir.resolve(partition);
        if (!Files.isDirectory(directory)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.toString().endsWith(SEGMENT)).sorted().toList();
        }
    }

    private String nameOf(Path file) {
        return dataDir.relativize(file).toString();
    }
}
