package dev.ottla.wire;

import java.nio.ByteBuffer;

/// What every generated message offers. Messages are immutable, but a `bytes` or `records` field
/// may be a view of the buffer it was read from: it lives no longer than that buffer, and nobody
/// may move its position or limit.
public interface Message {
    short lowestVersion();

    short highestVersion();

    /// The exact number of bytes that [#write] produces, records included.
    int size(short version);

    /// Fails with [UnsupportedVersionException] when a field that may not be ignored has a value
    /// that this version cannot carry.
    void write(WireWriter writer, short version);

    /// The message alone in a fresh heap buffer, ready to be read. Not for messages with records
    /// outside memory.
    default ByteBuffer toBuffer(short version) {
        ByteBuffer buffer = ByteBuffer.allocate(size(version));
        write(new BufferWriter(buffer), version);
        return buffer.flip();
    }
}
