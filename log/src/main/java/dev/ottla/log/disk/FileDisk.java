package dev.ottla.log.disk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The operating system's file system. Thread-safe: no state.
public final class FileDisk implements Disk {
    private static final String NO_SPACE = "No space left on device";
    private static final String QUOTA = "Disk quota exceeded";

    /// Of this process, or with more words behind it of the whole system.
    private static final String NO_DESCRIPTOR = "Too many open files";

    private static final int MOST_CAUSES = 20;

    private static final Set<StandardOpenOption> READ = Set.of(StandardOpenOption.READ);
    private static final Set<StandardOpenOption> WRITE =
            Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE);
    private static final Set<StandardOpenOption> CREATE =
            Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.CREATE);

    /// Binds the foreign calls, which takes tens of milliseconds once. Whoever opens a directory
    /// later need not wait for it.
    public static void warmUp() {
        NativeSync.bound();
    }

    @Override
    public DiskFile open(Path file, OpenMode mode) throws IOException {
        try {
            return new ChannelFile(file, FileChannel.open(file, options(mode)));
        } catch (IOException e) {
            throw translated(e, file);
        }
    }

    private static Set<StandardOpenOption> options(OpenMode mode) {
        return switch (mode) {
            case READ -> READ;
            case WRITE -> WRITE;
            case CREATE -> CREATE;
        };
    }

    /// Whether something failed for want of room or of descriptors, and may be tried again when
    /// there is some: for what others than a [Disk] have written.
    public static boolean isShortage(@Nullable Throwable failure) {
        int depth = 0;
        for (Throwable e = failure; e != null && depth < MOST_CAUSES; e = e.getCause()) {
            if (e instanceof ShortageException) return true;
            if (e instanceof IOException io
                    && translated(io, Path.of("")) instanceof ShortageException) return true;
            depth++;
        }
        return false;
    }

    /// Java has no exception of its own for a full disk or a full table of open files, only the
    /// system's words.
    private static IOException translated(IOException e, Path path) {
        String message = String.valueOf(e.getMessage());
        if (message.contains(NO_DESCRIPTOR)) {
            return new NoDescriptorException(path, e);
        }
        return message.contains(NO_SPACE) || message.contains(QUOTA)
                ? new DiskFullException(
                        "no room on the disk for a write to " + path + "; free some", e)
                : e;
    }

    @Override
    public void createDirectory(Path directory) throws IOException {
        try {
            Files.createDirectory(directory);
        } catch (FileAlreadyExistsException e) {
            if (!Files.isDirectory(directory)) {
                throw e;
            }
        } catch (IOException e) {
            throw translated(e, directory);
        }
    }

    @Override
    public List<String> list(Path directory) throws IOException {
        List<String> names = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
            for (Path entry : entries) {
                names.add(String.valueOf(entry.getFileName()));
            }
        } catch (IOException e) {
            throw translated(e, directory);
        }
        return names;
    }

    @Override
    public boolean exists(Path path) {
        return Files.exists(path);
    }

    @Override
    public boolean isDirectory(Path path) {
        return Files.isDirectory(path);
    }

    @Override
    public long sizeBytes(Path file) throws IOException {
        return Files.size(file);
    }

    @Override
    public long lastModifiedMs(Path file) throws IOException {
        return Files.getLastModifiedTime(file).toMillis();
    }

    @Override
    public void rename(Path from, Path to) throws IOException {
        Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
    }

    @Override
    public boolean delete(Path path) throws IOException {
        return Files.deleteIfExists(path);
    }

    @Override
    public void syncDirectory(Path directory) throws IOException {
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        } catch (IOException e) {
            throw translated(e, directory);
        }
    }

    @Override
    public Optional<FileSystemSync> openFileSystemSync(Path directory) throws IOException {
        return NativeSync.open(directory);
    }

    @Override
    public Optional<AutoCloseable> tryLock(Path file) throws IOException {
        FileChannel channel =
                FileChannel.open(file, StandardOpenOption.WRITE, StandardOpenOption.CREATE);
        FileLock lock = null;
        try {
            lock = channel.tryLock();
        } catch (OverlappingFileLockException _) {
            // This process has it: the same answer as when another one has.
        } finally {
            if (lock == null) {
                channel.close();
            }
        }
        return lock == null ? Optional.empty() : Optional.of(channel);
    }

    @Override
    public long totalBytes(Path directory) throws IOException {
        long total = directory.toFile().getTotalSpace();
        if (total == 0) {
            throw new IOException("the file system of " + directory + " does not tell its size");
        }
        return total;
    }

    @Override
    public long usableBytes(Path directory) throws IOException {
        // A FileStore would read the table of mounts, which takes a descriptor.
        return directory.toFile().getUsableSpace();
    }

    /// A file of the operating system. The channel's own position is used by the one writer only,
    /// so that a gathering write at the place where the last one ended costs a single system call.
    private static final class ChannelFile implements DiskFile {
        private final Path path;
        private final FileChannel channel;
        private long channelPosition;

        ChannelFile(Path path, FileChannel channel) {
            this.path = path;
            this.channel = channel;
        }

        @Override
        public int read(ByteBuffer target, long position) throws IOException {
            int total = 0;
            while (target.hasRemaining()) {
                int count = channel.read(target, position + total);
                if (count < 0) {
                    break;
                }
                total += count;
            }
            return total;
        }

        @Override
        public void write(ByteBuffer[] sources, int count, long position) throws IOException {
            try {
                if (position != channelPosition) {
                    channel.position(position);
                }
                channelPosition = -1; // Unknown until all is written.
                long remaining = 0;
                for (int i = 0; i < count; i++) {
                    remaining += sources[i].remaining();
                }
                long end = position + remaining;
                while (remaining > 0) {
                    remaining -= channel.write(sources, 0, count);
                }
                channelPosition = end;
            } catch (IOException e) {
                throw translated(e, path);
            }
        }

        @Override
        public void truncate(long size) throws IOException {
            channel.truncate(size);
            channelPosition = -1;
        }

        @Override
        public void sync() throws IOException {
            channel.force(false);
        }

        @Override
        public long size() throws IOException {
            return channel.size();
        }

        @Override
        public void readAhead(long position, long sizeBytes) {
            NativeSync.readAhead(path, position, sizeBytes);
        }

        @Override
        public void startWriting(long position, long sizeBytes) {
            NativeSync.startWriting(path, position, sizeBytes);
        }

        @Override
        public Optional<FileChannel> channel() {
            return Optional.of(channel);
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }

        @Override
        public String toString() {
            return path.toString();
        }
    }
}
