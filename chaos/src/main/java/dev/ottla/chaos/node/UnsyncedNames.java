package dev.ottla.chaos.node;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/// What was done to names (made, renamed, deleted) since their directories were last synced, so
/// that it can be undone. A file that loses its last name keeps one in a directory aside until that
/// is durable. Guarded by its lock.
final class UnsyncedNames {
    private final Path aside;
    private final List<Change> changes = new ArrayList<>();
    private long lastNumber;
    private long lastAside;

    /// A name came, went or came from another one. Paths are where things are now.
    private static final class Change {
        private final long number;
        private final Kind kind;
        private Path path;
        private Optional<Path> from;

        /// Where the file is kept that had the name before.
        private final Optional<Path> kept;

        /// Where earlier changes were found before this one moved them.
        private final List<Runnable> reverts = new ArrayList<>(0);

        Change(long number, Kind kind, Path path, Optional<Path> from, Optional<Path> kept) {
            this.number = number;
            this.kind = kind;
            this.path = path;
            this.from = from;
            this.kept = kept;
        }

        /// Whether this is the end of a directory, and so of all that was done in it before.
        boolean empties(Change earlier) {
            return kind == Kind.DIRECTORY_DELETED
                    && earlier.number < number
                    && (earlier.path.startsWith(path)
                            || earlier.from.filter(from -> from.startsWith(path)).isPresent());
        }
    }

    private enum Kind {
        CREATED,
        RENAMED,
        FILE_DELETED,
        DIRECTORY_DELETED
    }

    /// @param aside on the same file system; what is in it is deleted
    UnsyncedNames(Path aside) throws IOException {
        this.aside = aside;
        Files.createDirectories(aside);
        try (var left = Files.newDirectoryStream(aside)) {
            for (Path file : left) {
                Files.delete(file);
            }
        }
    }

    synchronized void onCreated(Path path) {
        add(Kind.CREATED, path, Optional.empty(), Optional.empty());
    }

    synchronized void onDirectoryDeleted(Path path) {
        add(Kind.DIRECTORY_DELETED, path, Optional.empty(), Optional.empty());
    }

    /// The file is about to lose its name; returns where it is kept.
    synchronized Path keep(Path path) throws IOException {
        lastAside++;
        Path kept = aside.resolve(String.valueOf(lastAside));
        Files.createLink(kept, path);
        return kept;
    }

    synchronized void onFileDeleted(Path path, Path kept) {
        add(Kind.FILE_DELETED, path, Optional.empty(), Optional.of(kept));
    }

    /// @param kept where the file is that had the name `to` before
    synchronized void onRenamed(Path from, Path to, Optional<Path> kept) {
        List<Change> earlier = List.copyOf(changes);
        add(Kind.RENAMED, to, Optional.of(from), kept);
        if (Files.isDirectory(to)) {
            earlier.forEach(change -> move(change, from, to, changes.getLast()));
        }
    }

    private void add(Kind kind, Path path, Optional<Path> from, Optional<Path> kept) {
        lastNumber++;
        changes.add(new Change(lastNumber, kind, path, from, kept));
    }

    /// What lies below a directory moves with it.
    private static void move(Change change, Path from, Path to, Change rename) {
        Path path = change.path;
        Optional<Path> source = change.from;
        rename.reverts.add(() -> {
            change.path = path;
            change.from = source;
        });
        change.path = moved(path, from, to);
        change.from = source.map(before -> moved(before, from, to));
    }

    static Path moved(Path path, Path from, Path to) {
        return path.startsWith(from) && !path.equals(from)
                ? to.resolve(from.relativize(path))
                : path;
    }

    /// A sync begins; names what it will cover.
    synchronized long mark() {
        return lastNumber;
    }

    /// A sync of the directory succeeded that began at the mark.
    synchronized void onSynced(Path directory, long mark) throws IOException {
        List<Change> durable =
                changes.stream()
                        .filter(change -> change.number <= mark)
                        .filter(change -> directory.equals(change.path.getParent()))
                        .toList();
        forget(durable);
    }

    /// A sync of everything succeeded that began at the mark.
    synchronized void onAllSynced(long mark) throws IOException {
        forget(changes.stream().filter(change -> change.number <= mark).toList());
    }

    private void forget(List<Change> synced) throws IOException {
        List<Change> durable =
                changes.stream()
                        .filter(change ->
                                synced.contains(change)
                                        || synced.stream().anyMatch(gone -> gone.empties(change)))
                        .toList();
        for (Change change : durable) {
            if (change.kept.isPresent()) {
                Files.deleteIfExists(change.kept.get());
            }
        }
        changes.removeAll(durable);
    }

    /// Takes back what is not durable: all of it, or what came after a moment that chance chooses,
    /// as a journal loses its end.
    synchronized void undo(Survival survival, RandomGenerator random) throws IOException {
        int kept = survival.keptOf(changes.size(), random);
        while (changes.size() > kept) {
            undo(changes.removeLast());
        }
    }

    /// With what lies below it, synced or not: nobody can get there any more.
    private static void delete(Path path) throws IOException {
        if (Files.isDirectory(path)) {
            try (var below = Files.newDirectoryStream(path)) {
                for (Path each : below) {
                    delete(each);
                }
            }
        }
        Files.deleteIfExists(path);
    }

    private void undo(Change change) throws IOException {
        switch (change.kind) {
            case CREATED -> delete(change.path);
            case DIRECTORY_DELETED -> Files.createDirectory(change.path);
            case FILE_DELETED -> Files.createLink(change.path, change.kept.orElseThrow());
            case RENAMED -> {
                Path from = change.from.orElseThrow();
                Files.move(change.path, from, StandardCopyOption.ATOMIC_MOVE);
                if (change.kept.isPresent()) {
                    Files.createLink(change.path, change.kept.get());
                }
                change.reverts.forEach(Runnable::run);
            }
        }
    }
}
