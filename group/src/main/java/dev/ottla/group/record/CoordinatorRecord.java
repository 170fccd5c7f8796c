package dev.ottla.group.record;

import java.nio.ByteBuffer;
import java.util.Optional;

/// One record of `__consumer_offsets` as bytes. An empty value is a tombstone: the key is
/// forgotten.
public record CoordinatorRecord(ByteBuffer key, Optional<ByteBuffer> value) {
    public CoordinatorRecord {
        key = key.asReadOnlyBuffer();
        value = value.map(ByteBuffer::asReadOnlyBuffer);
    }

    /// Bytes of key and value together, without the framing of the batch around them.
    public int sizeBytes() {
        return key.remaining() + value.map(ByteBuffer::remaining).orElse(0);
    }
}
