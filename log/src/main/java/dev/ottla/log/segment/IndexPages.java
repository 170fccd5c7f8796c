package dev.ottla.log.segment;

import dev.ottla.log.disk.Disk;
import dev.ottla.log.disk.DiskFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/// Cache of index pages: a fixed number of them, in sets of four, where the least recently used of
/// a set gives way. Takes the place of one memory map per index. Owned by one thread.
final class IndexPages {
    /// Holds 512 offset entries, or 341 time entries and four unused bytes.
    static final int PAGE_BYTES = 4096;

    private static final int WAYS = 4;
    private static final int PAGE_BITS = 24;

    private final Disk disk;
    private final int sets;
    private final long[] tags;
    private final long[] lastUse;
    private final byte[][] pages;
    private long useCount;
    private long nextIndexId = 1;

    IndexPages(Disk disk, int maxPages) {
        this.disk = disk;
        sets = Integer.highestOneBit(Math.max(1, maxPages / WAYS));
        tags = new long[sets * WAYS];
        lastUse = new long[sets * WAYS];
        pages = new byte[sets * WAYS][];
    }

    /// A number for an index that no other index of this cache has or had.
    long newIndexId() {
        return nextIndexId++;
    }

    /// The bytes of one page, of which the first `validBytes` are read from the index's file.
    byte[] page(SparseIndex index, int page, int validBytes) throws IOException {
        long tag = tag(index.id(this), page);
        int first = firstSlot(tag);
        int victim = first;
        for (int slot = first; slot < first + WAYS; slot++) {
            if (tags[slot] == tag) {
                lastUse[slot] = ++useCount;
                return pages[slot];
            }
            if (lastUse[slot] < lastUse[victim]) {
                victim = slot;
            }
        }
        byte[] content = pages[victim];
        if (content == null) {
            content = new byte[PAGE_BYTES];
            pages[victim] = content;
        }
        tags[victim] = 0; // Not valid while it is being read.
        try (DiskFile file = disk.open(index.path(), Disk.OpenMode.READ)) {
            long position = (long) page * index.entriesPerPage() * index.entryBytes();
            int read = file.read(ByteBuffer.wrap(content, 0, validBytes), position);
            if (read < validBytes) {
                throw new DamagedLogException(
                        "%s ends at byte %d, expected %d"
                                .formatted(index.path(), position + read, position + validBytes));
            }
        }
        tags[victim] = tag;
        lastUse[victim] = ++useCount;
        return content;
    }

    /// Drops a page whose content on disk changes.
    void forget(SparseIndex index, int page) {
        long tag = tag(index.id(this), page);
        int first = firstSlot(tag);
        for (int slot = first; slot < first + WAYS; slot++) {
            if (tags[slot] == tag) {
                tags[slot] = 0;
                lastUse[slot] = 0;
            }
        }
    }

    /// Drops everything.
    void clear() {
        Arrays.fill(tags, 0);
        Arrays.fill(lastUse, 0);
    }

    private static long tag(long indexId, int page) {
        return indexId << PAGE_BITS | page;
    }

    private int firstSlot(long tag) {
        long hash = tag * 0x9E3779B97F4A7C15L;
        return (int) (hash >>> 40) % sets * WAYS;
    }
}
