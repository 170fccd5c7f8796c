package dev.ottla.log.disk;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// For the threads of the lanes, which may wait: what finds no free descriptor is tried again until
/// there is one, however long that takes, for whoever waits for the lane is answered nothing
/// meanwhile. Never for a shard or a network loop: they may be the ones that close connections.
/// Thread-safe as the disk behind it.
public final class PatientDisk extends ForwardingDisk {
    private static final Logger LOG = LoggerFactory.getLogger(PatientDisk.class);
    private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(20);

    private final Runnable relief;

    public PatientDisk(Disk disk) {
        this(disk, () -> {});
    }

    /// @param relief before each pause lets go of files that its owner can do without
    public PatientDisk(Disk disk, Runnable relief) {
        super(disk);
        this.relief = relief;
    }

    private interface Attempt<T> {
        T run() throws IOException;
    }

    private <T> T insist(Attempt<T> attempt) throws IOException {
        boolean told = false;
        while (true) {
            try {
                return attempt.run();
            } catch (NoDescriptorException e) {
                if (!told) {
                    LOG.warn("{}.", e.getMessage());
                    told = true;
                }
                relief.run();
                LockSupport.parkNanos(PAUSE_NS);
            }
        }
    }

    @Override
    public DiskFile open(Path file, OpenMode mode) throws IOException {
        return insist(() -> super.open(file, mode));
    }

    @Override
    public List<String> list(Path directory) throws IOException {
        return insist(() -> super.list(directory));
    }

    @Override
    public void syncDirectory(Path directory) throws IOException {
        insist(() -> {
            super.syncDirectory(directory);
            return true;
        });
    }
}
