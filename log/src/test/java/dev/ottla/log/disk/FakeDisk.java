package dev.ottla.log.disk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/// A disk in memory that can lose power. Whatever was not synced survives a [#crash] in part or not
/// at all, as chance has it: writes are torn by sectors, later ones may survive without earlier
/// ones, and names (created, renamed, deleted) come and go each by itself. It can also fail on
/// demand. Thread-safe.
public final class FakeDisk implements Disk {
    private static final int SECTOR_BYTES = 512;

    private final Node root = new Node(true);
    private final Set<Path> locks = new HashSet<>();

    private boolean lost;
    private long operationsToCrash = Long.MAX_VALUE;
    private long operations;
    private long syncs;
    private long capacityBytes = Long.MAX_VALUE;
    private long usedBytes;
    private boolean failWrites;
    private boolean failSyncs;
    private boolean syncsFileSystem = true;
    private Runnable beforeSync = () -> {};
    private long foreignBytes;
    private boolean foreignBytesStay;
    private final List<String> startedWriting = new ArrayList<>();
    private int openFiles;
    private int opensToGrant;
    private int opensToRefuse;
    private int mostOpenFiles = Integer.MAX_VALUE;
    private int writeBackFailures;
    private long nowMs;

    private Consumer<Path> onList = directory -> {};

    // --- control

    /// Loses power in the middle of the n-th change from now on: that and every later call throws
    /// [PowerLoss].
    public synchronized void crashAfter(long changes) {
        operationsToCrash = changes;
    }

    /// Loses power now, and comes back with what has survived.
    public synchronized void crash(RandomGenerator random) {
        root.crash(random);
        locks.clear();
        lost = false;
        operationsToCrash = Long.MAX_VALUE;
        usedBytes = root.totalBytes();
    }

    public synchronized void failWrites(boolean fail) {
        failWrites = fail;
    }

    public synchronized void failSyncs(boolean fail) {
        failSyncs = fail;
    }

    /// Whether everything can be synced in one call, for whoever asks from now on.
    public synchronized void syncsFileSystem(boolean can) {
        syncsFileSystem = can;
    }

    /// What happens while a sync of a file or of the file system is under way, before it covers
    /// anything.
    public synchronized void beforeSync(Runnable task) {
        beforeSync = task;
    }

    private void runBeforeSync() {
        Runnable task;
        synchronized (this) {
            task = beforeSync;
        }
        task.run();
    }

    /// The next ones that need a descriptor for a moment or longer find none.
    public synchronized void refuseOpens(int count) {
        refuseOpens(0, count);
    }

    /// The same after some that find one.
    public synchronized void refuseOpens(int after, int count) {
        opensToGrant = after;
        opensToRefuse = count;
    }

    /// Nothing can be opened as long as so many files are.
    public synchronized void mostOpenFiles(int count) {
        mostOpenFiles = count;
    }

    private void needDescriptor(Path path) throws NoDescriptorException {
        if (openFiles >= mostOpenFiles) {
            throw new NoDescriptorException(path);
        }
        if (opensToRefuse > 0 && opensToGrant-- <= 0) {
            opensToRefuse--;
            throw new NoDescriptorException(path);
        }
    }

    /// Other programs have written so much that is not on the disk, until the file system is
    /// synced.
    public synchronized void foreignBytes(long bytes) {
        foreignBytes = bytes;
        foreignBytesStay = false;
    }

    /// The same, but they go on writing as fast as the disk does.
    public synchronized void keepForeignBytes(long bytes) {
        foreignBytes = bytes;
        foreignBytesStay = true;
    }

    /// Total size of the disk; writes beyond it find no room.
    public synchronized void capacity(long bytes) {
        capacityBytes = bytes;
    }

    public synchronized void nowMs(long ms) {
        nowMs = ms;
    }

    /// Runs with every look into a directory.
    public synchronized void onList(Consumer<Path> hook) {
        onList = hook;
    }

    /// Ranges of files that the system was asked to begin to write, in order, as `name from-until`.
    public synchronized List<String> startedWriting() {
        return List.copyOf(startedWriting);
    }

    /// Changes and syncs so far.
    public synchronized long operations() {
        return operations;
    }

    public synchronized long syncs() {
        return syncs;
    }

    /// Files that are open.
    public synchronized int openFiles() {
        return openFiles;
    }

    /// The process ends here, without a power loss: what it wrote stays, its locks go.
    public synchronized void endProcess() {
        locks.clear();
        openFiles = 0;
    }

    /// The operating system cannot write a file's unsynced bytes to the disk and drops them. It
    /// tells whoever has the file or the file system open at this time, once; a descriptor that is
    /// opened later may hear nothing.
    public synchronized void failWriteBack(Path file) throws IOException {
        Node node = find(file);
        node.changes.clear();
        node.writeBackFailures++;
        writeBackFailures++;
    }

    /// Changes a byte where it lies, as a bad disk does.
    public synchronized void damage(Path file, int position) throws IOException {
        Node node = find(file);
        node.content[position] ^= 0x55;
        node.durable[position] ^= 0x55;
    }

    /// True when this change is the one that the power does not outlast.
    private boolean change() {
        if (lost) {
            throw new PowerLoss();
        }
        operations++;
        operationsToCrash--;
        lost = operationsToCrash <= 0;
        return lost;
    }

    private void dieIf(boolean dying) {
        if (dying) {
            throw new PowerLoss();
        }
    }

    private void alive() {
        if (lost) {
            throw new PowerLoss();
        }
    }

    // --- the port

    @Override
    public synchronized DiskFile open(Path file, OpenMode mode) throws IOException {
        alive();
        needDescriptor(file);
        Node directory = find(parent(file));
        String name = name(file);
        Node node = directory.entries().get(name);
        if (node == null && mode == OpenMode.CREATE) {
            boolean dying = change();
            node = new Node(false);
            directory.change(Map.of(name, Optional.of(node)));
            dieIf(dying);
        }
        if (node == null) {
            throw new NoSuchFileException(file.toString());
        }
        return new OpenFile(file, node);
    }

    @Override
    public synchronized void createDirectory(Path directory) throws IOException {
        alive();
        Node parent = find(parent(directory));
        Node existing = parent.entries().get(name(directory));
        if (existing != null) {
            if (!existing.isDirectory()) {
                throw new FileAlreadyExistsException(directory.toString());
            }
            return;
        }
        boolean dying = change();
        parent.change(Map.of(name(directory), Optional.of(new Node(true))));
        dieIf(dying);
    }

    @Override
    public synchronized List<String> list(Path directory) throws IOException {
        onList.accept(directory);
        alive();
        needDescriptor(directory);
        return List.copyOf(find(directory).entries().keySet());
    }

    @Override
    public synchronized boolean exists(Path path) {
        alive();
        return lookUp(path).isPresent();
    }

    @Override
    public synchronized boolean isDirectory(Path path) {
        alive();
        return lookUp(path).map(Node::isDirectory).orElse(false);
    }

    @Override
    public synchronized long sizeBytes(Path file) throws IOException {
        alive();
        return find(file).size;
    }

    @Override
    public synchronized long lastModifiedMs(Path file) throws IOException {
        alive();
        return find(file).modifiedMs;
    }

    @Override
    public synchronized void rename(Path from, Path to) throws IOException {
        Node moved = find(from);
        boolean dying = change();
        Node source = find(parent(from));
        Node target = find(parent(to));
        if (source != target) {
            throw new IOException("the fake disk renames inside one directory only");
        }
        source.change(Map.of(name(from), Optional.empty(), name(to), Optional.of(moved)));
        dieIf(dying);
    }

    @Override
    public synchronized boolean delete(Path path) throws IOException {
        alive();
        Optional<Node> node = lookUp(path);
        if (node.isEmpty()) {
            return false;
        }
        if (node.get().isDirectory() && !node.get().entries().isEmpty()) {
            throw new DirectoryNotEmptyException(path.toString());
        }
        boolean dying = change();
        find(parent(path)).change(Map.of(name(path), Optional.empty()));
        usedBytes -= node.get().size;
        dieIf(dying);
        return true;
    }

    @Override
    public synchronized void syncDirectory(Path directory) throws IOException {
        needDescriptor(directory);
        syncing(directory);
        dieIf(change());
        find(directory).sync();
    }

    @Override
    public synchronized Optional<FileSystemSync> openFileSystemSync(Path directory) {
        if (!syncsFileSystem) {
            return Optional.empty();
        }
        int failuresBefore = writeBackFailures();
        return Optional.of(
                new FileSystemSync() {
                    private int failuresHeard = failuresBefore;

                    @Override
                    public void sync() throws IOException {
                        runBeforeSync();
                        syncFileSystem(directory);
                        int failures = writeBackFailures();
                        if (failures != failuresHeard) {
                            failuresHeard = failures;
                            throw new IOException("bytes could not be written to " + directory);
                        }
                    }

                    @Override
                    public long unwrittenBytes() {
                        synchronized (FakeDisk.this) {
                            return foreignBytes;
                        }
                    }

                    @Override
                    public void close() {
                        // Nothing is held.
                    }
                });
    }

    private synchronized int writeBackFailures() {
        return writeBackFailures;
    }

    private synchronized void syncFileSystem(Path directory) throws IOException {
        syncing(directory);
        dieIf(change());
        root.syncAll();
        foreignBytes = foreignBytesStay ? foreignBytes : 0;
    }

    private void syncing(Path path) throws IOException {
        alive();
        syncs++;
        if (failSyncs) {
            throw new IOException("sync of " + path + " failed");
        }
    }

    @Override
    public synchronized Optional<AutoCloseable> tryLock(Path file) throws IOException {
        alive();
        if (!locks.add(file)) {
            return Optional.empty();
        }
        return Optional.of(() -> unlock(file));
    }

    private synchronized void unlock(Path file) {
        locks.remove(file);
    }

    @Override
    public synchronized long totalBytes(Path directory) {
        return capacityBytes;
    }

    @Override
    public synchronized long usableBytes(Path directory) {
        return Math.max(0, capacityBytes - usedBytes);
    }

    // --- names

    private Node find(Path path) throws NoSuchFileException {
        return lookUp(path).orElseThrow(() -> new NoSuchFileException(path.toString()));
    }

    private Optional<Node> lookUp(Path path) {
        Node node = root;
        for (int i = 0; i < path.getNameCount(); i++) {
            Node next = node.isDirectory() ? node.entries().get(path.getName(i).toString()) : null;
            if (next == null) {
                return Optional.empty();
            }
            node = next;
        }
        return Optional.of(node);
    }

    private static Path parent(Path path) {
        return Optional.ofNullable(path.getParent()).orElseThrow();
    }

    private static String name(Path path) {
        return String.valueOf(path.getFileName());
    }

    /// A change of content that is not synced: bytes at a position, or a new size when there are
    /// none.
    private static final class Change {
        private final int position;
        private final byte[] bytes;
        private final boolean truncates;

        Change(int position, byte[] bytes, boolean truncates) {
            this.position = position;
            this.bytes = bytes;
            this.truncates = truncates;
        }

        int position() {
            return position;
        }

        byte[] bytes() {
            return bytes;
        }

        boolean truncates() {
            return truncates;
        }
    }

    /// A file or a directory, as it is and as it would be after a power loss.
    private static final class Node {
        private final Optional<Map<String, Node>> entries;
        private final Map<String, Node> durableEntries = new HashMap<>(0);
        private final List<Map<String, Optional<Node>>> nameChanges = new ArrayList<>(0);

        private byte[] content = {};
        private int size;
        private byte[] durable = {};
        private int durableSize;
        private final List<Change> changes = new ArrayList<>(0);
        private long modifiedMs;
        private int writeBackFailures;

        Node(boolean directory) {
            entries = directory ? Optional.of(new HashMap<>()) : Optional.empty();
        }

        boolean isDirectory() {
            return entries.isPresent();
        }

        Map<String, Node> entries() {
            return entries.orElseThrow(
                    () -> new IllegalStateException(new NotDirectoryException("a file")));
        }

        void change(Map<String, Optional<Node>> names) {
            nameChanges.add(names);
            apply(names, entries());
        }

        private static void apply(Map<String, Optional<Node>> names, Map<String, Node> to) {
            names.forEach((name, node) -> {
                if (node.isPresent()) {
                    to.put(name, node.get());
                } else {
                    to.remove(name);
                }
            });
        }

        void write(byte[] bytes, int position) {
            changes.add(new Change(position, bytes, false));
            content = put(content, bytes, 0, bytes.length, position);
            size = Math.max(size, position + bytes.length);
        }

        void truncate(int newSize) {
            if (newSize < size) {
                changes.add(new Change(newSize, new byte[0], true));
                Arrays.fill(content, newSize, size, (byte) 0);
                size = newSize;
            }
        }

        private static byte[] put(byte[] target, byte[] bytes, int from, int length, int position) {
            byte[] grown = target;
            if (position + length > target.length) {
                grown = Arrays.copyOf(target, Math.max(2 * target.length, position + length));
            }
            System.arraycopy(bytes, from, grown, position, length);
            return grown;
        }

        void sync() {
            if (isDirectory()) {
                nameChanges.forEach(names -> apply(names, durableEntries));
                nameChanges.clear();
            } else {
                changes.forEach(this::applyDurably);
                changes.clear();
            }
        }

        void syncAll() {
            sync();
            if (isDirectory()) {
                entries().values().forEach(Node::syncAll);
            }
        }

        private void applyDurably(Change change) {
            if (change.truncates()) {
                cutDurable(change.position());
            } else {
                applyDurably(change, 0, change.bytes().length);
            }
        }

        private void cutDurable(int newSize) {
            if (newSize < durableSize) {
                Arrays.fill(durable, newSize, durableSize, (byte) 0);
                durableSize = newSize;
            }
        }

        private void applyDurably(Change change, int from, int length) {
            durable = put(durable, change.bytes(), from, length, change.position() + from);
            durableSize = Math.max(durableSize, change.position() + from + length);
        }

        void crash(RandomGenerator random) {
            if (isDirectory()) {
                int mode = random.nextInt(4);
                int kept =
                        mode == 0
                                ? 0
                                : mode == 1
                                        ? nameChanges.size()
                                        : random.nextInt(nameChanges.size() + 1);
                for (int i = 0; i < nameChanges.size(); i++) {
                    if (mode == 3 ? random.nextBoolean() : i < kept) {
                        apply(nameChanges.get(i), durableEntries);
                    }
                }
                nameChanges.clear();
                entries().clear();
                entries().putAll(durableEntries);
                entries().values().forEach(node -> node.crash(random));
            } else if (!changes.isEmpty()) {
                crashContent(random);
                content = durable.clone();
                size = durableSize;
            }
        }

        private void crashContent(RandomGenerator random) {
            int mode = random.nextInt(4);
            int kept =
                    mode == 0 ? 0 : mode == 1 ? changes.size() : random.nextInt(changes.size() + 1);
            for (int i = 0; i < changes.size(); i++) {
                boolean whole = mode == 3 ? random.nextInt(3) == 0 : i < kept;
                boolean torn = mode == 3 ? random.nextBoolean() : i == kept && random.nextBoolean();
                if (whole) {
                    applyDurably(changes.get(i));
                } else if (torn && !changes.get(i).truncates()) {
                    tear(changes.get(i), random);
                }
            }
            changes.clear();
        }

        /// Each sector that a write touches makes it to the disk or not; the new size always does.
        private void tear(Change change, RandomGenerator random) {
            int at = 0;
            while (at < change.bytes().length) {
                int sectorEnd =
                        ((change.position() + at) / SECTOR_BYTES + 1) * SECTOR_BYTES
                                - change.position();
                int end = Math.min(change.bytes().length, sectorEnd);
                if (random.nextBoolean()) {
                    applyDurably(change, at, end - at);
                }
                at = end;
            }
            int newSize = change.position() + change.bytes().length;
            if (newSize > durableSize) {
                durable = put(durable, new byte[0], 0, 0, newSize);
                durableSize = newSize;
            }
        }

        long totalBytes() {
            long total = size;
            if (isDirectory()) {
                for (Node node : entries().values()) {
                    total += node.totalBytes();
                }
            }
            return total;
        }
    }

    private final class OpenFile implements DiskFile {
        private final Path path;
        private final Node node;
        private int failuresHeard;
        private boolean closed;

        OpenFile(Path path, Node node) {
            this.path = path;
            this.node = node;
            failuresHeard = node.writeBackFailures;
            openFiles++;
        }

        @Override
        public int read(ByteBuffer target, long position) {
            synchronized (FakeDisk.this) {
                alive();
                int count = (int) Math.max(0, Math.min(target.remaining(), node.size - position));
                target.put(node.content, (int) position, count);
                return count;
            }
        }

        @Override
        public void startWriting(long position, long sizeBytes) {
            synchronized (FakeDisk.this) {
                startedWriting.add(
                        path.getFileName() + " " + position + "-" + (position + sizeBytes));
            }
        }

        @Override
        public void write(ByteBuffer[] sources, int count, long position) throws IOException {
            synchronized (FakeDisk.this) {
                alive();
                if (failWrites) {
                    throw new IOException("write to " + path + " failed");
                }
                int total = 0;
                for (int i = 0; i < count; i++) {
                    total += sources[i].remaining();
                }
                byte[] bytes = new byte[total];
                int at = 0;
                for (int i = 0; i < count; i++) {
                    int length = sources[i].remaining();
                    sources[i].get(bytes, at, length);
                    at += length;
                }
                long growth = Math.max(0, position + total - node.size);
                boolean dying = change();
                if (growth > capacityBytes - usedBytes) {
                    int room = (int) Math.max(0, capacityBytes - usedBytes);
                    node.write(Arrays.copyOf(bytes, Math.min(room, total)), (int) position);
                    usedBytes += Math.min(room, total);
                    throw new DiskFullException("no room for a write to " + path);
                }
                usedBytes += growth;
                node.write(bytes, (int) position);
                node.modifiedMs = nowMs;
                dieIf(dying);
            }
        }

        @Override
        public void truncate(long size) {
            synchronized (FakeDisk.this) {
                boolean dying = change();
                usedBytes -= Math.max(0, node.size - size);
                node.truncate((int) size);
                dieIf(dying);
            }
        }

        @Override
        public void sync() throws IOException {
            runBeforeSync();
            synchronized (FakeDisk.this) {
                syncing(path);
                dieIf(change());
                node.sync();
                if (node.writeBackFailures != failuresHeard) {
                    failuresHeard = node.writeBackFailures;
                    throw new IOException("bytes could not be written to " + path);
                }
            }
        }

        @Override
        public long size() {
            synchronized (FakeDisk.this) {
                alive();
                return node.size;
            }
        }

        @Override
        public Optional<FileChannel> channel() {
            return Optional.empty();
        }

        @Override
        public void close() {
            synchronized (FakeDisk.this) {
                openFiles -= closed ? 0 : 1;
                closed = true;
            }
        }

        @Override
        public String toString() {
            return path.toString();
        }
    }
}
