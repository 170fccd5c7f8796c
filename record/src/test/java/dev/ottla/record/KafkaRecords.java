package dev.ottla.record;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.MutableRecordBatch;

/// Kafka's own classes seen through our types, to compare with.
final class KafkaRecords {
    private KafkaRecords() {}

    static List<LogRecord> read(ByteBuffer batches) {
        List<LogRecord> records = new ArrayList<>();
        for (MutableRecordBatch batch :
                MemoryRecords.readableRecords(batches.duplicate()).batches()) {
            batch.ensureValid();
            for (org.apache.kafka.common.record.internal.Record record : batch) {
                List<RecordHeader> headers = new ArrayList<>();
                for (Header header : record.headers()) {
                    headers.add(
                            new RecordHeader(
                                    header.key(),
                                    Optional.ofNullable(header.value()).map(ByteBuffer::wrap)));
                }
                records.add(
                        new LogRecord(
                                record.offset(),
                                record.timestamp(),
                                Optional.ofNullable(record.key()),
                                Optional.ofNullable(record.value()),
                                headers));
            }
        }
        return records;
    }

    static MutableRecordBatch onlyBatch(ByteBuffer batch) {
        return MemoryRecords.readableRecords(batch.duplicate()).batches().iterator().next();
    }

    static Header[] headers(LogRecord record) {
        RecordHeaders headers = new RecordHeaders();
        for (RecordHeader header : record.headers()) {
            headers.add(header.key(), header.value().map(KafkaRecords::array).orElse(null));
        }
        return headers.toArray();
    }

    static byte[] array(ByteBuffer buffer) {
        byte[] bytes = new byte[buffer.remaining()];
        buffer.get(buffer.position(), bytes);
        return bytes;
    }
}
