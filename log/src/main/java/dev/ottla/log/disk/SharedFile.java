package dev.ottla.log.disk;

import static dev.ottla.wire.Check.check;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;

/// An open file that several users hold: the shard that reads and appends, a sync in progress,
/// answers being sent. The last [#release] closes it. The maker holds the first reference.
/// Thread-safe: the count is the only changing state.
public final class SharedFile {
    private final DiskFile file;

    /// Written by every user; 0 is final, because nobody may retain without holding a reference
    /// already.
    private final AtomicInteger references = new AtomicInteger(1);

    public SharedFile(DiskFile file) {
        this.file = file;
    }

    public DiskFile file() {
        return file;
    }

    /// For a user who knows that somebody holds the file open during the call.
    public SharedFile retain() {
        int before = references.getAndIncrement();
        check(before > 0, "file retained after its last release");
        return this;
    }

    public void release() {
        int left = references.decrementAndGet();
        check(left >= 0, "file released more often than retained");
        if (left == 0) {
            try {
                file.close();
            } catch (IOException _) {
                // What had to be durable was synced before; nothing else can be lost by this.
            }
        }
    }
}
