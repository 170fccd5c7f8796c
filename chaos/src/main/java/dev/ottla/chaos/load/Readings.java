package dev.ottla.chaos.load;

import dev.ottla.chaos.history.Event;
import dev.ottla.chaos.history.EventLog;
import dev.ottla.chaos.history.RecordValue;
import dev.ottla.chaos.history.Spans;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;

/// Polls a consumer and writes into the history what it was given. Owned by the consumer's thread.
final class Readings {
    private static final Duration POLL = Duration.ofMillis(100);

    private final EventLog history;
    private final String reader;

    Readings(EventLog history, String reader) {
        this.history = history;
        this.reader = reader;
    }

    /// Returns where the consumer goes on, for the partitions of which records came. A poll that
    /// failed gave nothing; the next one tries again.
    Map<TopicPartition, OffsetAndMetadata> poll(Consumer<byte[], byte[]> consumer) {
        try {
            ConsumerRecords<byte[], byte[]> records = consumer.poll(POLL);
            for (TopicPartition partition : records.partitions()) {
                add(partition.toString(), records.records(partition));
            }
            return records.nextOffsets();
        } catch (KafkaException e) {
            System.err.println(reader + ": " + e);
            return Map.of();
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
