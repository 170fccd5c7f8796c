package dev.ottla.log;

import dev.ottla.log.disk.SharedFile;
import java.io.IOException;
import java.util.List;

/// The open files that one sync request must cover, each retained until it was synced or nobody
/// waits for that any more. Thread-safe by its lock, which is held during a sync: the worker that
/// carries the request out, or one that needs the descriptors.
final class UnsyncedFiles {
    private List<SharedFile> files;

    UnsyncedFiles(List<SharedFile> files) {
        this.files = List.copyOf(files);
    }

    /// Makes their content durable and lets them go; after that, nothing.
    synchronized void sync() throws IOException {
        for (SharedFile file : files) {
            file.file().sync();
        }
        release();
    }

    synchronized void release() {
        files.forEach(SharedFile::release);
        files = List.of();
    }
}
