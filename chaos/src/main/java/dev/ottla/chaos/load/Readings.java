package dev.ottla.chaos.load;

import dev.ottla.chaos.history.Event;
import dev.ottla.chaos.history.History;
import dev.ottla.chaos.history.RecordValue;
import dev.ottla.chaos.history.Spans;
import java.nio.ByteBuffer;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.TopicPartition;

/// Writes into the history what a consumer was given. Owned by the consumer's thread.
final class Readings {
    private final History history;
    private final String reader;

    Readings(History history, String reader) {
        this.history = history;
        this.reader = reader;
    }

    void add(ConsumerRecords<byte[], byte[]> records) {
        for (TopicPartition partition : records.partitions()) {
            add(partition.toString(), records.records(partition));
        }
    }

    private void add(String partition, List<ConsumerRecord<byte[], byte[]>> records) {
        Spans values = new Spans();
        long first = records.getFirst().offset();
        long next = first;
        for (ConsumerRecord<byte[], byte[]> record : records) {
            if (record.offset() != next) {
                history.add(new Event.Read(reader, partition, first, values.take()));
                first = record.offset();
            }
            RecordValue value = RecordValue.read(ByteBuffer.wrap(record.value()));
            values.add(value.writer(), value.number());
            next = record.offset() + 1;
        }
        history.add(new Event.Read(reader, partition, first, values.take()));
    }
}
