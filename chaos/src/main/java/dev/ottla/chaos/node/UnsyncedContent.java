package dev.ottla.chaos.node;

import dev.ottla.log.disk.DiskFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.random.RandomGenerator;

/// What was done to a file since it was last synced, so that it can be undone. Guarded by its lock.
final class UnsyncedContent {
    private static final int SECTOR_BYTES = 512;

    /// More appends than these are kept as one.
    private static final int APPENDS_KEPT = 64;

    /// The file was changed from `position` on.
    ///
    /// @param size of the change; 0 for a cut at `position`
    /// @param before what stood there, as far as the file went
    /// @param sizeBefore of the whole file
    private record Change(
            long number, long position, long size, ByteBuffer before, long sizeBefore) {
        long end() {
            return position + size;
        }

        boolean isAppend() {
            return size > 0 && position >= sizeBefore;
        }
    }

    private final Deque<Change> changes = new ArrayDeque<>();
    private long lastNumber;

    /// No later change may become one with those up to here: a sync covers them.
    private long lastMark;

    /// Is about to be written.
    synchronized void onWrite(DiskFile file, long position, long bytes) throws IOException {
        long size = file.size();
        if (bytes == 0) {
            return;
        }
        Change last = changes.peekLast();
        if (position == size
                && changes.size() >= APPENDS_KEPT
                && last != null
                && last.isAppend()
                && last.end() == position
                && last.number() > lastMark) {
            changes.removeLast();
            changes.addLast(
                    new Change(
                            last.number(),
                            last.position(),
                            last.size() + bytes,
                            last.before(),
                            last.sizeBefore()));
            return;
        }
        add(position, bytes, bytesOf(file, position, Math.min(size, position + bytes)), size);
    }

    /// Is about to be cut.
    synchronized void onTruncate(DiskFile file, long newSize) throws IOException {
        long size = file.size();
        if (newSize < size) {
            add(newSize, 0, bytesOf(file, newSize, size), size);
        }
    }

    private void add(long position, long size, ByteBuffer before, long sizeBefore) {
        lastNumber++;
        changes.addLast(new Change(lastNumber, position, size, before, sizeBefore));
    }

    private static ByteBuffer bytesOf(DiskFile file, long from, long to) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate((int) Math.max(0, to - from));
        file.read(bytes, from);
        return bytes.flip();
    }

    /// A sync begins; names what it will cover.
    synchronized long mark() {
        lastMark = lastNumber;
        return lastNumber;
    }

    /// A sync succeeded that began at the mark.
    synchronized void onSynced(long mark) {
        while (!changes.isEmpty() && changes.getFirst().number() <= mark) {
            changes.removeFirst();
        }
    }

    synchronized boolean isEmpty() {
        return changes.isEmpty();
    }

    /// Takes back what is not synced: all of it, or what chance has it.
    synchronized void undo(DiskFile file, Survival survival, RandomGenerator random)
            throws IOException {
        List<Change> all = new ArrayList<>(changes);
        changes.clear();
        if (all.isEmpty()) {
            return;
        }
        if (survival == Survival.SOME
                && random.nextInt(4) == 0
                && all.stream().allMatch(Change::isAppend)) {
            tear(file, all.getFirst().position(), all.getLast().end(), random);
            return;
        }
        int kept = survival.keptOf(all.size(), random);
        for (int i = all.size() - 1; i >= kept; i--) {
            Change change = all.get(i);
            boolean torn =
                    i == kept
                            && survival == Survival.SOME
                            && change.isAppend()
                            && random.nextBoolean();
            if (torn) {
                tear(file, change.position(), change.end(), random);
            } else {
                undo(file, change);
            }
        }
    }

    private static void undo(DiskFile file, Change change) throws IOException {
        file.write(change.before().duplicate(), change.position());
        file.truncate(change.sizeBefore());
    }

    /// Each sector of a range at the end of the file has made it to the disk or not; the size has.
    private static void tear(DiskFile file, long from, long to, RandomGenerator random)
            throws IOException {
        file.truncate(to);
        long at = from;
        while (at < to) {
            long end = Math.min(to, (at / SECTOR_BYTES + 1) * SECTOR_BYTES);
            if (random.nextBoolean()) {
                file.write(ByteBuffer.allocate((int) (end - at)), at);
            }
            at = end;
        }
    }
}
