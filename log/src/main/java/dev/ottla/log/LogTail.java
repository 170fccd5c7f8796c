package dev.ottla.log;

import static dev.ottla.wire.Check.check;

import dev.ottla.log.disk.SharedFile;
import dev.ottla.log.segment.LogIo;
import dev.ottla.log.segment.OpenFiles;
import dev.ottla.log.segment.Segment;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What a log needs only while records are being added: buffers that wait to be written, files that
/// wait to be synced, and where the newest appends ended. Dropped with the checkpoint that leaves
/// nothing to do. Owned by the shard thread.
final class LogTail {
    private static final int RECENT = 16;
    private static final ByteBuffer[] NONE = {};

    // Buffers that have their place at the end of the active segment, behind `writtenPosition`.
    private @Nullable ByteBuffer[] waiting = new ByteBuffer[4];
    private int waitingCount;
    private long writtenPosition;
    private final WriteBehind.Progress writeBehind;

    // Segments with bytes that may not be on disk. Where nothing but their own files can be synced,
    // these are kept open until then.
    private final boolean keepsFiles;
    private final List<Segment> dirtySegments = new ArrayList<>(1);
    private final List<Path> dirtyPaths = new ArrayList<>(0);
    private boolean directoryChanged;
    private boolean rootChanged;

    // Ends of recent appends in the active segment: end offset → end position, newest last, as a
    // ring.
    private final long[] recentOffsets = new long[RECENT];
    private final long[] recentPositions = new long[RECENT];
    private int recentCount;
    private int recentNext;

    /// @param keepsFiles whether a file must stay open until what was written to it is synced
    LogTail(long writtenPosition, boolean keepsFiles) {
        this.writtenPosition = writtenPosition;
        this.writeBehind = new WriteBehind.Progress(writtenPosition);
        this.keepsFiles = keepsFiles;
    }

    // --- waiting writes

    void add(ByteBuffer bytes) {
        if (waitingCount == waiting.length) {
            waiting = Arrays.copyOf(waiting, 2 * waitingCount);
        }
        waiting[waitingCount++] = bytes;
    }

    boolean hasWaiting() {
        return waitingCount > 0;
    }

    int waitingCount() {
        return waitingCount;
    }

    /// The buffers, valid up to [#waitingCount].
    @SuppressWarnings("NullAway") // Slots below the count are never null.
    ByteBuffer[] waiting() {
        return waitingCount == 0 ? NONE : waiting;
    }

    long writtenPosition() {
        return writtenPosition;
    }

    WriteBehind.Progress writeBehind() {
        return writeBehind;
    }

    void onWritten(long endPosition) {
        dropWaiting();
        writtenPosition = endPosition;
    }

    void dropWaiting() {
        Arrays.fill(waiting, 0, waitingCount, null);
        waitingCount = 0;
    }

    // --- what a sync must cover

    void markDirty(LogIo io, Segment segment) throws IOException {
        if (keepsFiles) {
            io.openFiles().use(segment); // Opens it, if it is not.
        }
        if (segment.markUnsynced(keepsFiles)) {
            dirtySegments.add(segment);
        }
    }

    /// A small file beside the log that the next sync must cover.
    void markDirty(Path path) {
        dirtyPaths.add(path);
    }

    /// Names in the partition's directory changed.
    void markDirectoryChanged() {
        directoryChanged = true;
    }

    /// The partition's directory itself is new.
    void markRootChanged() {
        rootChanged = true;
    }

    boolean isDirty() {
        return !dirtySegments.isEmpty() || directoryChanged;
    }

    boolean directoryChanged() {
        return directoryChanged;
    }

    boolean rootChanged() {
        return rootChanged;
    }

    /// The files to be synced, each retained, and whether that is all: not when some were closed
    /// since something was written to them.
    record DirtyFiles(List<SharedFile> files, boolean complete) {
        static final DirtyFiles NONE = new DirtyFiles(List.of(), true);
    }

    DirtyFiles takeDirtyFiles(OpenFiles openFiles) {
        List<SharedFile> files = new ArrayList<>(dirtySegments.size());
        for (Segment segment : dirtySegments) {
            openFiles.takeUnsynced(segment).ifPresent(files::add);
        }
        boolean complete = files.size() == dirtySegments.size();
        dirtySegments.clear();
        return new DirtyFiles(files, complete);
    }

    List<Path> takeDirtyPaths() {
        List<Path> paths = List.copyOf(dirtyPaths);
        dirtyPaths.clear();
        directoryChanged = false;
        rootChanged = false;
        return paths;
    }

    void releaseAll(OpenFiles openFiles) {
        for (SharedFile file : takeDirtyFiles(openFiles).files()) {
            file.release();
        }
        dropWaiting();
    }

    // --- recent ends

    void onAppended(long endOffset, long endPosition) {
        recentOffsets[recentNext] = endOffset;
        recentPositions[recentNext] = endPosition;
        recentNext = (recentNext + 1) % RECENT;
        recentCount = Math.min(recentCount + 1, RECENT);
    }

    /// Position in the active segment where the batch that starts with `offset` begins, if an
    /// append ended there recently; -1 otherwise.
    long positionOf(long offset) {
        for (int i = 1; i <= recentCount; i++) {
            int slot = (recentNext - i + RECENT) % RECENT;
            if (recentOffsets[slot] == offset) {
                return recentPositions[slot];
            }
            if (recentOffsets[slot] < offset) {
                return -1;
            }
        }
        return -1;
    }

    /// What is added from now on goes into a new, empty segment.
    void startSegment() {
        check(
                waitingCount == 0,
                "a segment begins while %d buffers wait for the one before",
                waitingCount);
        writtenPosition = 0;
        recentCount = 0;
    }

    void forgetRecent() {
        recentCount = 0;
    }
}
