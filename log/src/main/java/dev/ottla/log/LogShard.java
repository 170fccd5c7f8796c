package dev.ottla.log;

import dev.ottla.log.disk.Disk;
import dev.ottla.log.segment.LogIo;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;

/// What the logs of one shard thread share: open files, index pages, and the list of logs that did
/// something in this turn. Owned by that thread, except for [#execute].
///
/// The thread takes a turn: it works through what waits for it, then calls [#endTurn], which writes
/// all appends of the turn, one gathering write for each log, hands dirty logs to their
/// directories' sync services, and tells listeners.
public final class LogShard {
    private final LogIo io;
    private final LogReader reader;
    private final Executor executor;
    private List<PartitionLog> touched = new ArrayList<>();
    private List<PartitionLog> spare = new ArrayList<>();

    /// Logs with records behind their recovery point.
    private final Set<PartitionLog> ahead = new LinkedHashSet<>();

    /// Whether the files that only wait for a sync were made to go, and are no few yet.
    private boolean askedKeptToGo;

    private final List<SyncService> services = new ArrayList<>(1);

    /// @param executor runs tasks on the shard's thread, in order
    /// @param maxOpenFiles segment files kept open between two uses
    /// @param maxIndexPages pages of 4 KiB of index kept in memory
    public LogShard(Disk disk, Executor executor, int maxOpenFiles, int maxIndexPages) {
        io = new LogIo(disk, maxOpenFiles, maxIndexPages);
        reader = new LogReader(io);
        this.executor = executor;
    }

    LogIo io() {
        return io;
    }

    LogReader reader() {
        return reader;
    }

    /// Runs a task on the shard's thread. From any thread.
    void execute(Runnable task) {
        executor.execute(task);
    }

    /// The same for a task that belongs to one log.
    void execute(PartitionLog log, Runnable task) {
        executor.execute(() -> guard(log, task));
    }

    /// What fails inside one log, or in what hears of it, is a bug of ours: nobody knows whether
    /// its state is right any more, so that log is neither written nor read until the next start.
    /// The others go on.
    static void guard(PartitionLog log, Runnable task) {
        try {
            task.run();
        } catch (RuntimeException e) {
            log.becomeBroken(e);
        }
    }

    /// Before an append: so many files wait open for the end of the turn that what waits is written
    /// now.
    void makeRoom() {
        if (io.openFiles().isHeldFull()) {
            for (PartitionLog log : List.copyOf(touched)) {
                guard(log, log::writeEarly);
            }
        }
    }

    /// A descriptor was missing: the files that stay open for nothing but a sync get one.
    void letKeptFilesGo() {
        if (!askedKeptToGo && io.openFiles().hasKept()) {
            askedKeptToGo = true;
            for (PartitionLog log : List.copyOf(ahead)) {
                guard(log, log::flushIfDirty);
            }
        }
    }

    void touch(PartitionLog log) {
        touched.add(log);
    }

    void onAhead(PartitionLog log) {
        ahead.add(log);
    }

    void onLevel(PartitionLog log) {
        ahead.remove(log);
    }

    /// Ends a turn: see the class. Appends that listeners make belong to the next turn.
    public void endTurn(long nowMs) {
        if (touched.isEmpty()) {
            return;
        }
        if (io.openFiles().isKeptFull()) {
            letKeptFilesGo();
        } else {
            askedKeptToGo = false;
        }
        List<PartitionLog> turn = touched;
        touched = spare;
        for (PartitionLog log : turn) {
            guard(log, () -> log.endTurn(nowMs, services));
        }
        for (SyncService service : services) {
            service.start();
        }
        services.clear();
        turn.clear();
        spare = turn;
    }

    /// True when [#endTurn] has something to do.
    public boolean hasWork() {
        return !touched.isEmpty();
    }

    /// To be called every few seconds: closes idle files, syncs what has waited too long under
    /// `flush.ms`, and advances the recovery points of logs that have gone quiet or grown much.
    public void sweep(long nowMs) {
        io.openFiles().closeIdle();
        for (PartitionLog log : List.copyOf(ahead)) {
            guard(log, () -> log.sweep(nowMs));
        }
        endTurn(nowMs);
    }
}
