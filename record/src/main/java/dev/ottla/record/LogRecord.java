package dev.ottla.record;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;

/// One record taken out of its batch, for coordinators and tests; hot paths use [RecordCursor]. Key
/// and value share content with the buffer they were read from.
public record LogRecord(
        long offset,
        long timestamp,
        Optional<ByteBuffer> key,
        Optional<ByteBuffer> value,
        List<RecordHeader> headers) {
    public LogRecord {
        headers = List.copyOf(headers);
    }
}
