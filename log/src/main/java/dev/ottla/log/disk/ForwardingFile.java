package dev.ottla.log.disk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Optional;

/// Passes every call on to another file, as [ForwardingDisk] does.
public abstract class ForwardingFile implements DiskFile {
    private final DiskFile file;

    protected ForwardingFile(DiskFile file) {
        this.file = file;
    }

    @Override
    public void sync() throws IOException {
        file.sync();
    }

    @Override
    public int read(ByteBuffer target, long position) throws IOException {
        return file.read(target, position);
    }

    @Override
    public void write(ByteBuffer[] sources, int count, long position) throws IOException {
        file.write(sources, count, position);
    }

    @Override
    public void truncate(long size) throws IOException {
        file.truncate(size);
    }

    @Override
    public long size() throws IOException {
        return file.size();
    }

    @Override
    public void readAhead(long position, long sizeBytes) {
        file.readAhead(position, sizeBytes);
    }

    @Override
    public void startWriting(long position, long sizeBytes) {
        file.startWriting(position, sizeBytes);
    }

    @Override
    public Optional<FileChannel> channel() {
        return file.channel();
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
