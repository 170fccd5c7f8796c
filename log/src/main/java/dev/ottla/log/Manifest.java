package dev.ottla.log;

import dev.ottla.log.disk.Disk;
import dev.ottla.log.disk.DiskFullException;
import dev.ottla.log.disk.DiskIo;
import dev.ottla.log.disk.ShortageException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/// What a data directory knows of all its logs: recovery points, log start offsets and high
/// watermarks, in Kafka's three checkpoint files, each replaced whole. Changes are kept in memory
/// until [#write]; [#writeSoon] lets many changes share one write. Thread-safe: one lock guards the
/// maps, a second one orders the writes and is never taken inside the first.
final class Manifest {
    private final Disk disk;
    private final Path root;
    private final Executor executor;
    private final Runnable onFull;
    private final Consumer<IOException> onFailure;

    private final Object mapLock = new Object();
    private final NotedOffsets recoveryPoints;
    private final NotedOffsets logStartOffsets;
    private final NotedOffsets highWatermarks;

    /// In the order in which they are written.
    private final List<NotedOffsets> files;

    private final List<Waiter> waiting = new ArrayList<>();
    private boolean writeScheduled;
    private boolean foundNoRoom;
    private final Set<TopicPartition> removedSinceWrite = new HashSet<>();

    private final Object writeLock = new Object();

    Manifest(
            Disk disk,
            Path root,
            Executor executor,
            Runnable onFull,
            Consumer<IOException> onFailure)
            throws IOException {
        this.disk = disk;
        this.onFull = onFull;
        this.root = root;
        this.executor = executor;
        this.onFailure = onFailure;
        recoveryPoints =
                NotedOffsets.load(
                        disk,
                        root,
                        OffsetCheckpointFile.RECOVERY_POINTS,
                        "every log is read again from its start");
        logStartOffsets =
                NotedOffsets.load(
                        disk,
                        root,
                        OffsetCheckpointFile.LOG_START_OFFSETS,
                        "logs start with their first segment, and records that were deleted one by one may be seen again");
        highWatermarks =
                NotedOffsets.load(
                        disk,
                        root,
                        OffsetCheckpointFile.HIGH_WATERMARKS,
                        "consumers wait for records until enough replicas are there");
        files = List.of(logStartOffsets, highWatermarks, recoveryPoints);
    }

    OptionalLong recoveryPoint(TopicPartition partition) {
        synchronized (mapLock) {
            return recoveryPoints.find(partition);
        }
    }

    /// Those of which something was durable.
    List<TopicPartition> partitionsWithRecords() {
        synchronized (mapLock) {
            return recoveryPoints.positive();
        }
    }

    OptionalLong logStartOffset(TopicPartition partition) {
        synchronized (mapLock) {
            return logStartOffsets.find(partition);
        }
    }

    /// As it was noted last.
    OptionalLong highWatermark(TopicPartition partition) {
        synchronized (mapLock) {
            return highWatermarks.find(partition);
        }
    }

    void setRecoveryPoint(TopicPartition partition, long offset) {
        synchronized (mapLock) {
            recoveryPoints.put(partition, offset);
        }
    }

    void setLogStartOffset(TopicPartition partition, long offset) {
        synchronized (mapLock) {
            logStartOffsets.put(partition, offset);
        }
    }

    void setHighWatermark(TopicPartition partition, long offset) {
        synchronized (mapLock) {
            highWatermarks.put(partition, offset);
        }
    }

    /// Records from `end` on are about to be cut away. Returns whether the high watermark that was
    /// noted is lower now; that must be durable before others take their place.
    boolean lowerHighWatermark(TopicPartition partition, long end) {
        synchronized (mapLock) {
            if (highWatermarks.find(partition).orElse(end) <= end) {
                return false;
            }
            highWatermarks.put(partition, end);
            return true;
        }
    }

    /// Forgets a partition.
    void remove(TopicPartition partition) {
        synchronized (mapLock) {
            boolean known = false;
            for (NotedOffsets file : files) {
                known |= file.remove(partition);
            }
            if (known) {
                removedSinceWrite.add(partition);
            }
        }
    }

    /// True when a file on disk may still know a partition that was forgotten.
    boolean isRemovalUnwritten(TopicPartition partition) {
        synchronized (mapLock) {
            return removedSinceWrite.contains(partition);
        }
    }

    /// Makes all changes up to now durable. What could not be written is tried again by the next
    /// write.
    void write() throws IOException {
        write(disk);
    }

    /// @param through the same disk, as whoever calls may use it
    void write(Disk through) throws IOException {
        synchronized (writeLock) {
            Map<NotedOffsets, String> unwritten = new LinkedHashMap<>();
            List<TopicPartition> removed;
            synchronized (mapLock) {
                removed = List.copyOf(removedSinceWrite);
                for (NotedOffsets file : files) {
                    file.takeChanges().ifPresent(text -> unwritten.put(file, text));
                }
            }
            try {
                for (NotedOffsets file : List.copyOf(unwritten.keySet())) {
                    replace(through, file.fileName(), unwritten.getOrDefault(file, ""));
                    unwritten.remove(file);
                }
            } finally {
                synchronized (mapLock) {
                    unwritten.keySet().forEach(NotedOffsets::notWritten);
                    if (unwritten.isEmpty()) {
                        removed.forEach(removedSinceWrite::remove);
                    }
                }
            }
        }
    }

    private void replace(Disk through, String name, String text) throws IOException {
        try {
            DiskIo.replaceText(through, root.resolve(name), text);
        } catch (DiskFullException _) {
            onFull.run(); // Gives up the reserve: deletions, which make room, depend on this write.
            DiskIo.replaceText(through, root.resolve(name), text);
        }
    }

    /// Runs a task on the executor after the next write, whenever that is.
    void afterNextWrite(Runnable task) {
        synchronized (mapLock) {
            waiting.add(new Waiter(task, Optional.empty()));
        }
    }

    /// Writes on the executor and then runs `done` there; changes made meanwhile share the next
    /// write. As long as the disk is full or no descriptor is free `done` waits; it is not run when
    /// the directory fails.
    void writeSoon(Runnable done) {
        writeSoon(new Waiter(done, Optional.empty()));
    }

    /// The same for who cannot wait: exactly one of the two is run, `failed` when the write fails
    /// or finds no room.
    void writeSoon(Runnable done, Consumer<IOException> failed) {
        writeSoon(new Waiter(done, Optional.of(failed)));
    }

    private void writeSoon(Waiter waiter) {
        synchronized (mapLock) {
            waiting.add(waiter);
            if (writeScheduled) {
                return;
            }
            writeScheduled = true;
        }
        executor.execute(this::writeForAll);
    }

    /// Writes what found no room the last time; to be called every few seconds, on the executor.
    void retryIfNoRoom() {
        synchronized (mapLock) {
            if (!foundNoRoom || writeScheduled) {
                return;
            }
            writeScheduled = true;
        }
        writeForAll();
    }

    private void writeForAll() {
        List<Waiter> served;
        synchronized (mapLock) {
            served = List.copyOf(waiting);
            waiting.clear();
            writeScheduled = false;
            foundNoRoom = false;
        }
        try {
            write();
        } catch (ShortageException e) {
            onNoRoom(served, e);
            return;
        } catch (IOException e) {
            failAll(served, e);
            return;
        } catch (RuntimeException | Error e) {
            failAll(served, new IOException("writing the checkpoint files ended with " + e, e));
            throw e;
        }
        served.forEach(waiter -> waiter.done().run());
    }

    private void failAll(List<Waiter> served, IOException cause) {
        onFailure.accept(cause);
        served.forEach(waiter -> waiter.onFailed(cause));
    }

    /// No failure: deletions go on when there is room, or a descriptor.
    private void onNoRoom(List<Waiter> served, ShortageException cause) {
        synchronized (mapLock) {
            foundNoRoom = true;
            waiting.addAll(0, served.stream().filter(waiter -> waiter.failed().isEmpty()).toList());
        }
        served.forEach(waiter -> waiter.onFailed(cause));
    }

    /// Who hears of a write; without `failed` it is served by a later one when there is no room.
    private record Waiter(Runnable done, Optional<Consumer<IOException>> failed) {
        void onFailed(IOException cause) {
            failed.ifPresent(told -> told.accept(cause));
        }
    }
}
