package dev.ottla.broker.server;

import dev.ottla.log.disk.DiskFile;
import dev.ottla.log.disk.FileDisk;
import dev.ottla.log.disk.ForwardingDisk;
import dev.ottla.log.disk.ForwardingFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/// The real disk, which counts the syncs of each file and shows which files are opened.
/// Thread-safe.
final class WatchedDisk extends ForwardingDisk {
    private final Map<Path, AtomicLong> syncs = new ConcurrentHashMap<>();
    private final Consumer<Path> opened;

    /// @param opened is told of each file, on the thread that is about to open it
    WatchedDisk(Consumer<Path> opened) {
        super(new FileDisk());
        this.opened = opened;
    }

    /// Syncs of files in `directory` up to now.
    long syncsIn(Path directory) {
        return syncs.entrySet().stream()
                .filter(file -> directory.equals(file.getKey().getParent()))
                .mapToLong(file -> file.getValue().get())
                .sum();
    }

    @Override
    public DiskFile open(Path file, OpenMode mode) throws IOException {
        opened.accept(file);
        AtomicLong count = syncs.computeIfAbsent(file, _ -> new AtomicLong());
        return new WatchedFile(super.open(file, mode), count);
    }

    private static final class WatchedFile extends ForwardingFile {
        private final AtomicLong syncs;

        WatchedFile(DiskFile file, AtomicLong syncs) {
            super(file);
            this.syncs = syncs;
        }

        @Override
        public void sync() throws IOException {
            super.sync();
            syncs.incrementAndGet();
        }
    }
}
