package dev.ottla.broker.server;

import dev.ottla.log.disk.DiskFile;
import dev.ottla.log.disk.FileDisk;
import dev.ottla.log.disk.ForwardingDisk;
import dev.ottla.log.disk.ForwardingFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/// The real disk, until it takes no writes any more. Thread-safe.
final class FailingDisk extends ForwardingDisk {
    /// Set by the test, read by whoever writes.
    private volatile boolean failing;

    FailingDisk() {
        super(new FileDisk());
    }

    void fail() {
        failing = true;
    }

    @Override
    public DiskFile open(Path file, OpenMode mode) throws IOException {
        return new ForwardingFile(super.open(file, mode)) {
            @Override
            public void write(ByteBuffer[] sources, int count, long position) throws IOException {
                if (failing) throw new IOException("Input/output error");
                super.write(sources, count, position);
            }
        };
    }
}
