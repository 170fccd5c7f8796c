package dev.ottla.log;

import dev.ottla.record.LogRecord;
import dev.ottla.record.RecordBatch;
import dev.ottla.record.RecordBatches;
import dev.ottla.record.RecordReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// Reads what a log holds, for assertions.
final class LogContent {
    private LogContent() {}

    /// `offset:value` of every record from an offset on, read in steps of `maxBytes`.
    static List<String> records(PartitionLog log, long from, int maxBytes) throws IOException {
        List<String> records = new ArrayList<>();
        for (RecordBatch batch : batches(log, from, maxBytes)) {
            try (RecordReader reader = new RecordReader(Integer.MAX_VALUE)) {
                for (LogRecord record : reader.records(batch)) {
                    if (record.offset() >= from) {
                        ByteBuffer value = record.value().orElseThrow();
                        records.add(record.offset() + ":" + StandardCharsets.UTF_8.decode(value));
                    }
                }
            }
        }
        return records;
    }

    /// Without a last batch that is cut off.
    static ByteBuffer wholeBatches(ByteBuffer bytes) {
        int whole = 0;
        for (RecordBatch batch : RecordBatches.in(bytes)) whole += batch.sizeBytes();
        return bytes.limit(bytes.position() + whole);
    }

    static long firstOffset(ByteBuffer batches) {
        return RecordBatches.in(batches).iterator().next().baseOffset();
    }

    static List<RecordBatch> batches(PartitionLog log, long from, int maxBytes) throws IOException {
        List<RecordBatch> found = new ArrayList<>();
        long next = from;
        while (true) {
            switch (log.read(next, maxBytes, Long.MAX_VALUE, true)) {
                case ReadOutcome.Batches(LogSlice slice) -> {
                    ByteBuffer bytes = slice.readAll();
                    slice.release();
                    for (RecordBatch batch : RecordBatches.in(bytes)) {
                        found.add(batch);
                        next = batch.nextOffset();
                    }
                }
                case ReadOutcome.AtEnd _ -> {
                    return found;
                }
                case ReadOutcome.OutOfRange outOfRange ->
                        throw new AssertionError(outOfRange.toString());
                case ReadOutcome.Offline offline -> throw new AssertionError(offline.reason());
            }
        }
    }

    /// What a look-up found.
    static <T> T found(LookupOutcome<T> outcome) {
        return switch (outcome) {
            case LookupOutcome.Found<T>(T value) -> value;
            case LookupOutcome.Offline<T>(String reason) -> throw new AssertionError(reason);
        };
    }
}
