package dev.ottla.log.segment;

import static dev.ottla.wire.Check.check;

import dev.ottla.log.disk.Disk;
import dev.ottla.log.disk.DiskFile;
import dev.ottla.log.disk.ShortageException;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Arrays;

/// A file of fixed-size entries in ascending order, and the newest of them that are not written
/// yet. Entries are written when many have come together, when the segment is rolled and at a
/// checkpoint; what is lost in a crash is rebuilt from the segment. The file is open only while it
/// is read or written. Owned by the thread that owns the segment.
abstract sealed class SparseIndex permits OffsetIndex, TimeIndex {
    private static final VarHandle INTS =
            MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle LONGS =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
    private static final byte[] NONE = {};

    /// So many entries wait in memory, more only when there is no room on the disk or no free
    /// descriptor.
    private static final int MAX_PENDING = 512;

    private final SegmentName name;
    private final String suffix;
    private final int entryBytes;

    private int stored; // Entries in the file.
    private byte[] pending = NONE; // Entries behind them.
    private int pendingCount;
    private long id; // In the page cache of the owning thread; 0 when it has none yet.

    SparseIndex(SegmentName name, String suffix, int entryBytes) {
        this.name = name;
        this.suffix = suffix;
        this.entryBytes = entryBytes;
    }

    final SegmentName name() {
        return name;
    }

    final Path path() {
        return name.file(suffix);
    }

    final int entryBytes() {
        return entryBytes;
    }

    final int entriesPerPage() {
        return IndexPages.PAGE_BYTES / entryBytes;
    }

    /// Written and waiting entries together.
    final int entryCount() {
        return stored + pendingCount;
    }

    /// What was found on disk.
    enum Stored {
        MISSING,
        /// Ends inside an entry.
        TORN,
        WHOLE
    }

    /// Takes the whole entries of the file as they are.
    final Stored openStored(Disk disk) throws IOException {
        pendingCount = 0;
        stored = 0;
        if (!disk.exists(path())) {
            return Stored.MISSING;
        }
        long size = disk.sizeBytes(path());
        stored = (int) (size / entryBytes);
        return size % entryBytes == 0 ? Stored.WHOLE : Stored.TORN;
    }

    final int intAt(LogIo io, int entry, int at) throws IOException {
        if (entry >= stored) {
            return (int) INTS.get(pending, (entry - stored) * entryBytes + at);
        }
        return (int) INTS.get(pageOf(io, entry), entry % entriesPerPage() * entryBytes + at);
    }

    final long longAt(LogIo io, int entry, int at) throws IOException {
        if (entry >= stored) {
            return (long) LONGS.get(pending, (entry - stored) * entryBytes + at);
        }
        return (long) LONGS.get(pageOf(io, entry), entry % entriesPerPage() * entryBytes + at);
    }

    /// A question about one entry.
    interface EntryTest {
        boolean holds(int entry) throws IOException;
    }

    /// Number of entries for which `test` holds: it must hold for the first ones and for none after
    /// them.
    final int countLeading(EntryTest test) throws IOException {
        int low = 0;
        int high = entryCount();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (test.holds(middle)) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    private byte[] pageOf(LogIo io, int entry) throws IOException {
        int page = entry / entriesPerPage();
        int entries = Math.min(entriesPerPage(), stored - page * entriesPerPage());
        return io.indexPages().page(this, page, entries * entryBytes);
    }

    /// Room for one more entry in memory: its index in the array of waiting bytes.
    private int reserve(LogIo io) throws IOException {
        if (pendingCount >= MAX_PENDING && pendingCount % MAX_PENDING == 0) {
            try {
                write(io);
            } catch (ShortageException _) {
                // They wait on in memory; the append that brings the entry may still find room.
            }
        }
        int at = pendingCount * entryBytes;
        if (at == pending.length) {
            pending = Arrays.copyOf(pending, Math.max(8 * entryBytes, 2 * at));
        }
        pendingCount++;
        return at;
    }

    final void append(LogIo io, int first, int second) throws IOException {
        int at = reserve(io);
        INTS.set(pending, at, first);
        INTS.set(pending, at + Integer.BYTES, second);
    }

    final void append(LogIo io, long first, int second) throws IOException {
        int at = reserve(io);
        LONGS.set(pending, at, first);
        INTS.set(pending, at + Long.BYTES, second);
    }

    /// Writes the waiting entries; does not sync. Makes the file even when there is nothing to
    /// write.
    final void write(LogIo io) throws IOException {
        try (DiskFile file = io.disk().open(path(), Disk.OpenMode.CREATE)) {
            if (pendingCount > 0) {
                file.write(
                        ByteBuffer.wrap(pending, 0, pendingCount * entryBytes),
                        (long) stored * entryBytes);
            }
        }
        io.indexPages().forget(this, stored / entriesPerPage());
        stored += pendingCount;
        pendingCount = 0;
        pending = NONE;
    }

    /// Keeps the first `count` entries.
    final void truncateEntries(LogIo io, int count) throws IOException {
        check(
                count >= 0 && count <= entryCount(),
                "%s: keep %d of %d entries",
                path(),
                count,
                entryCount());
        if (count >= stored) {
            pendingCount = count - stored;
            return;
        }
        pendingCount = 0;
        stored = count;
        try (DiskFile file = io.disk().open(path(), Disk.OpenMode.CREATE)) {
            file.truncate((long) count * entryBytes);
        }
        // New identity: pages that are cut off may still be cached.
        id = io.indexPages().newIndexId();
    }

    /// Identity in a page cache, given at the first use.
    final long id(IndexPages pages) {
        if (id == 0) {
            id = pages.newIndexId();
        }
        return id;
    }

    /// For the change of the owning thread, whose page cache is another one.
    final void detach() {
        id = 0;
    }
}
