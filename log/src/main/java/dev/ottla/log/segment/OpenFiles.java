package dev.ottla.log.segment;

import dev.ottla.log.disk.Disk;
import dev.ottla.log.disk.SharedFile;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The segments whose file is open, the least recently used last; at most `max`, the rest is opened
/// when used. Closing here drops this holder's reference only: a file in the hands of a sync or an
/// answer stays open until they are done. A file may be closed with bytes that wait for a sync; the
/// segment remembers it, or keeps the file until then, beyond `max`; the owner asks for syncs when
/// such files become many. A file is not closed while bytes wait to be written to it: they need no
/// descriptor any more. Owned by one thread.
public final class OpenFiles {
    private final Disk disk;
    private final int max;
    private @Nullable Segment newest;
    private @Nullable Segment oldest;
    private int count;
    private int heldCount;
    private int keptCount;

    OpenFiles(Disk disk, int max) {
        this.disk = disk;
        this.max = Math.max(1, max);
    }

    /// The file of a segment, opened if it is not. Valid until the next call here; retain it to
    /// keep it longer.
    public SharedFile use(Segment segment) throws IOException {
        SharedFile open = segment.openFile;
        if (open == null) {
            open = takeKept(segment);
            if (open == null) {
                open = new SharedFile(disk.open(segment.logPath(), Disk.OpenMode.WRITE));
            }
            adopt(segment, open);
        } else if (newest != segment) {
            unlink(segment);
            linkFirst(segment);
        }
        return open;
    }

    /// The file of a segment if it is open; valid like that of [#use].
    public Optional<SharedFile> ifOpen(Segment segment) {
        return Optional.ofNullable(segment.openFile);
    }

    /// Makes the file of a new segment.
    SharedFile create(Segment segment) throws IOException {
        SharedFile created = new SharedFile(disk.open(segment.logPath(), Disk.OpenMode.CREATE));
        adopt(segment, created);
        return created;
    }

    private void adopt(Segment segment, SharedFile file) {
        segment.openFile = file;
        linkFirst(segment);
        count++;
        Segment candidate = oldest;
        while (count > max && candidate != null && candidate != segment) {
            Segment next = candidate.newer;
            if (!candidate.held) {
                close(candidate);
            }
            candidate = next;
        }
    }

    /// The file, opened if it is not, stays open until [#letGo] or [#close].
    void hold(Segment segment) throws IOException {
        var _ = use(segment);
        if (!segment.held) {
            segment.held = true;
            heldCount++;
        }
    }

    public void letGo(Segment segment) {
        if (segment.held) {
            segment.held = false;
            heldCount--;
        }
    }

    /// Whether so many are held that others should be let go first.
    public boolean isHeldFull() {
        return heldCount >= max;
    }

    public void close(Segment segment) {
        boolean keeps = segment.unsynced && segment.keepsUnsynced;
        segment.closedUnsynced |= segment.unsynced && !keeps;
        letGo(segment);
        SharedFile open = segment.openFile;
        if (open != null) {
            unlink(segment);
            segment.openFile = null;
            count--;
            if (keeps) {
                segment.kept = open;
                keptCount++;
            } else {
                open.release();
            }
        }
    }

    private @Nullable SharedFile takeKept(Segment segment) {
        SharedFile kept = segment.kept;
        if (kept != null) {
            segment.kept = null;
            keptCount--;
        }
        return kept;
    }

    /// Whether files are open only because they wait for a sync.
    public boolean hasKept() {
        return keptCount > 0;
    }

    /// Whether these are so many that a sync should let them go.
    public boolean isKeptFull() {
        return keptCount >= Math.max(1, max / 2);
    }

    /// A sync that covers what was written is about to begin: gives the open file, retained; empty
    /// when it was closed in between.
    public Optional<SharedFile> takeUnsynced(Segment segment) {
        SharedFile open = takeKept(segment); // Its reference goes along.
        if (open == null && segment.openFile != null && !segment.closedUnsynced) {
            open = segment.openFile.retain();
        }
        segment.unsynced = false;
        segment.closedUnsynced = false;
        return Optional.ofNullable(open);
    }

    /// Closes what was not used since the last call: twice in a period, a file idle for a period is
    /// closed.
    public void closeIdle() {
        for (Segment segment = oldest; segment != null && !segment.usedSinceSweep; ) {
            Segment next = segment.newer;
            if (!segment.held) {
                close(segment);
            }
            segment = next;
        }
        for (Segment segment = oldest; segment != null; segment = segment.newer) {
            segment.usedSinceSweep = false;
        }
    }

    private void linkFirst(Segment segment) {
        segment.usedSinceSweep = true;
        segment.older = newest;
        segment.newer = null;
        if (newest != null) {
            newest.newer = segment;
        } else {
            oldest = segment;
        }
        newest = segment;
    }

    private void unlink(Segment segment) {
        Segment newer = segment.newer;
        Segment older = segment.older;
        if (newer != null) {
            newer.older = older;
        } else {
            newest = older;
        }
        if (older != null) {
            older.newer = newer;
        } else {
            oldest = newer;
        }
        segment.newer = null;
        segment.older = null;
    }
}
