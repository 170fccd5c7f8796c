package dev.ottla.record;

import java.util.ArrayList;
import java.util.List;

/// All records of a batch as objects.
final class RecordsOf {
    private RecordsOf() {}

    static List<LogRecord> batch(RecordBatch batch) {
        RecordCursor cursor = batch.uncompressedRecords();
        List<LogRecord> records = new ArrayList<>();
        while (cursor.next()) {
            records.add(cursor.record());
        }
        return records;
    }
}
