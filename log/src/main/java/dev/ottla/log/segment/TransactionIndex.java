package dev.ottla.log.segment;

import dev.ottla.log.disk.Disk;
import dev.ottla.log.disk.DiskFile;
import dev.ottla.log.disk.DiskIo;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// The transactions whose abort marker lies in one segment, in the order of the markers. No file without an entry.
/// Rebuilt from the segment after an unclean stop.
///
///     | version int16 (0) | producer id int64 | first offset int64 | last offset int64 | last stable offset int64 |
///     34 bytes an entry, big-endian
///
/// Source: Kafka's `.txnindex` as its tool kafka-dump-log prints it.
final class TransactionIndex {
    private static final int ENTRY_BYTES = 34;
    private static final short VERSION = 0;

    private final Path path;
    private final List<AbortedTransaction> entries = new ArrayList<>();
    private int stored;

    private TransactionIndex(Path path) {
        this.path = path;
    }

    /// What the file holds, nothing when there is none.
    static TransactionIndex open(Disk disk, Path path) throws IOException {
        TransactionIndex index = new TransactionIndex(path);
        if (!index.read(disk)) {
            throw new DamagedLogException(
                    path + " is no list of aborted transactions of version " + VERSION);
        }
        return index;
    }

    /// The entries at the beginning of the file that belong to markers below `offset`; the rest is
    /// cut off.
    static TransactionIndex openBelow(Disk disk, Path path, long offset) throws IOException {
        TransactionIndex index = new TransactionIndex(path);
        if (!index.read(disk)) {
            index.stored++; // Something behind the entries is to be cut off in any case.
        }
        index.truncateTo(disk, offset);
        return index;
    }

    /// False when something stands behind the entries that is none.
    private boolean read(Disk disk) throws IOException {
        ByteBuffer content = DiskIo.read(disk, path).orElse(ByteBuffer.allocate(0));
        boolean whole = true;
        while (whole && content.remaining() >= ENTRY_BYTES) {
            whole = content.getShort() == VERSION;
            entries.add(
                    new AbortedTransaction(
                            content.getLong(),
                            content.getLong(),
                            content.getLong(),
                            content.getLong()));
        }
        if (!whole) {
            entries.removeLast();
        }
        stored = entries.size();
        return whole && !content.hasRemaining();
    }

    List<AbortedTransaction> entries() {
        return entries;
    }

    void append(AbortedTransaction aborted) {
        entries.add(aborted);
    }

    boolean isWritten() {
        return stored == entries.size();
    }

    /// Writes the entries that are new; does not sync.
    void write(Disk disk) throws IOException {
        if (isWritten()) {
            return;
        }
        ByteBuffer bytes = ByteBuffer.allocate((entries.size() - stored) * ENTRY_BYTES);
        for (AbortedTransaction aborted : entries.subList(stored, entries.size())) {
            bytes.putShort(VERSION)
                    .putLong(aborted.producerId())
                    .putLong(aborted.firstOffset())
                    .putLong(aborted.lastOffset())
                    .putLong(aborted.lastStableOffset());
        }
        try (DiskFile file = disk.open(path, Disk.OpenMode.CREATE)) {
            file.write(bytes.flip(), (long) stored * ENTRY_BYTES);
        }
        stored = entries.size();
    }

    /// Drops the entries whose marker is at `offset` or behind it.
    void truncateTo(Disk disk, long offset) throws IOException {
        entries.removeIf(aborted -> aborted.lastOffset() >= offset);
        if (stored > entries.size()) {
            stored = entries.size();
            try (DiskFile file = disk.open(path, Disk.OpenMode.CREATE)) {
                file.truncate((long) stored * ENTRY_BYTES);
            }
        }
    }
}
