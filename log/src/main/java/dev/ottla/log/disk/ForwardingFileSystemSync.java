package dev.ottla.log.disk;

import java.io.IOException;

/// Passes every call on to another one, as [ForwardingDisk] does.
public abstract class ForwardingFileSystemSync implements FileSystemSync {
    private final FileSystemSync fileSystem;

    protected ForwardingFileSystemSync(FileSystemSync fileSystem) {
        this.fileSystem = fileSystem;
    }

    @Override
    public void sync() throws IOException {
        fileSystem.sync();
    }

    @Override
    public long unwrittenBytes() {
        return fileSystem.unwrittenBytes();
    }

    @Override
    public void close() {
        fileSystem.close();
    }
}
