package dev.ottla.record;

import java.nio.ByteBuffer;
import java.util.List;

/// All records of a batch as objects.
final class RecordsOf {
    private static final int MAX_UNCOMPRESSED_BYTES = 64 << 20;

    private RecordsOf() {}

    static List<LogRecord> batch(RecordBatch batch) {
        try (RecordReader reader = new RecordReader(MAX_UNCOMPRESSED_BYTES)) {
            return reader.records(batch);
        }
    }

    static List<LogRecord> batch(ByteBuffer batch) {
        return batch(RecordBatch.at(batch, 0));
    }
}
