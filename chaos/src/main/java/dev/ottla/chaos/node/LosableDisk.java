package dev.ottla.chaos.node;

import dev.ottla.log.disk.Disk;
import dev.ottla.log.disk.DiskFile;
import dev.ottla.log.disk.FileSystemSync;
import dev.ottla.log.disk.ForwardingDisk;
import dev.ottla.log.disk.ForwardingFile;
import dev.ottla.log.disk.ForwardingFileSystemSync;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.random.RandomGenerator;

/// A disk of the operating system that can lose power: it notes what was not synced and takes it
/// back then. What an earlier process left in the system's cache counts as synced. Thread-safe.
final class LosableDisk extends ForwardingDisk {
    private final Disk disk;
    private final UnsyncedNames names;

    /// Of each file that was written, under its present name.
    private final Map<Path, UnsyncedContent> contents = new ConcurrentHashMap<>();

    /// Held shared during each change, so that nothing changes once power is lost: who loses it
    /// takes the lock for good.
    private final ReadWriteLock power = new ReentrantReadWriteLock();

    /// @param aside a directory on the same file system, for files that have lost their names
    LosableDisk(Disk disk, Path aside) throws IOException {
        super(disk);
        this.disk = disk;
        names = new UnsyncedNames(aside);
    }

    /// What was not synced is lost. Whoever changes anything from here on waits for ever: the
    /// process is to end.
    void losePower(Survival survival, RandomGenerator random) throws IOException {
        power.writeLock().lock();
        for (Map.Entry<Path, UnsyncedContent> entry : contents.entrySet()) {
            if (!entry.getValue().isEmpty() && Files.exists(entry.getKey())) {
                try (DiskFile file = disk.open(entry.getKey(), OpenMode.WRITE)) {
                    entry.getValue().undo(file, survival, random);
                }
            }
        }
        names.undo(survival, random);
    }

    private interface Action<T> {
        T run() throws IOException;
    }

    private <T> T change(Action<T> action) throws IOException {
        power.readLock().lock();
        try {
            return action.run();
        } finally {
            power.readLock().unlock();
        }
    }

    @Override
    public DiskFile open(Path file, OpenMode mode) throws IOException {
        return switch (mode) {
            case READ -> super.open(file, mode);
            case WRITE -> new LosableFile(super.open(file, mode), contentOf(file));
            case CREATE ->
                    change(() -> {
                        boolean isNew = !Files.exists(file);
                        DiskFile opened = super.open(file, mode);
                        if (isNew) {
                            names.onCreated(file);
                        }
                        return new LosableFile(opened, contentOf(file));
                    });
        };
    }

    private UnsyncedContent contentOf(Path file) {
        return contents.computeIfAbsent(file, _ -> new UnsyncedContent());
    }

    @Override
    public void createDirectory(Path directory) throws IOException {
        change(() -> {
            boolean isNew = !Files.exists(directory);
            super.createDirectory(directory);
            if (isNew) {
                names.onCreated(directory);
            }
            return true;
        });
    }

    @Override
    public void rename(Path from, Path to) throws IOException {
        change(() -> {
            Optional<Path> kept =
                    Files.isRegularFile(to) && !from.equals(to)
                            ? Optional.of(names.keep(to))
                            : Optional.empty();
            super.rename(from, to);
            kept.ifPresent(aside -> moveContent(to, aside));
            moveContent(from, to);
            names.onRenamed(from, to, kept);
            return true;
        });
    }

    @Override
    public boolean delete(Path path) throws IOException {
        return change(() -> {
            if (!Files.exists(path)) {
                return false;
            }
            if (Files.isDirectory(path)) {
                super.delete(path);
                names.onDirectoryDeleted(path);
                return true;
            }
            Path kept = names.keep(path);
            super.delete(path);
            moveContent(path, kept);
            names.onFileDeleted(path, kept);
            return true;
        });
    }

    /// That of a file, or of all files in a directory.
    private void moveContent(Path from, Path to) {
        Map<Path, UnsyncedContent> moved = new HashMap<>();
        contents.forEach((path, content) -> {
            if (path.startsWith(from)) {
                moved.put(path, content);
            }
        });
        moved.forEach((path, content) -> {
            contents.remove(path);
            contents.put(path.equals(from) ? to : UnsyncedNames.moved(path, from, to), content);
        });
    }

    @Override
    public void syncDirectory(Path directory) throws IOException {
        long mark = change(names::mark);
        super.syncDirectory(directory);
        change(() -> {
            names.onSynced(directory, mark);
            return true;
        });
    }

    @Override
    public Optional<FileSystemSync> openFileSystemSync(Path directory) throws IOException {
        return super.openFileSystemSync(directory).map(LosableSync::new);
    }

    private final class LosableSync extends ForwardingFileSystemSync {
        LosableSync(FileSystemSync real) {
            super(real);
        }

        @Override
        public void sync() throws IOException {
            Map<UnsyncedContent, Long> marks = new HashMap<>();
            long namesMark =
                    change(() -> {
                        contents.values().forEach(content -> marks.put(content, content.mark()));
                        return names.mark();
                    });
            super.sync();
            change(() -> {
                marks.forEach(UnsyncedContent::onSynced);
                names.onAllSynced(namesMark);
                return true;
            });
        }
    }

    private final class LosableFile extends ForwardingFile {
        private final DiskFile file;
        private final UnsyncedContent content;

        LosableFile(DiskFile file, UnsyncedContent content) {
            super(file);
            this.file = file;
            this.content = content;
        }

        @Override
        public void write(ByteBuffer[] sources, int count, long position) throws IOException {
            change(() -> {
                long bytes = 0;
                for (int i = 0; i < count; i++) {
                    bytes += sources[i].remaining();
                }
                content.onWrite(file, position, bytes);
                super.write(sources, count, position);
                return true;
            });
        }

        @Override
        public void truncate(long size) throws IOException {
            change(() -> {
                content.onTruncate(file, size);
                super.truncate(size);
                return true;
            });
        }

        @Override
        public void sync() throws IOException {
            long mark = change(content::mark);
            super.sync();
            change(() -> {
                content.onSynced(mark);
                return true;
            });
        }

        @Override
        public String toString() {
            return file.toString();
        }
    }
}
