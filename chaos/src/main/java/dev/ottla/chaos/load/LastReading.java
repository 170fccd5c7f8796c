package dev.ottla.chaos.load;

import dev.ottla.chaos.history.Event;
import dev.ottla.chaos.history.History;
import dev.ottla.chaos.history.RecordValue;
import dev.ottla.chaos.history.Span;
import dev.ottla.chaos.history.Spans;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;

/// Reads partitions from the beginning to the end when all is over. Where files of replicas are out
/// of reach, the history has this in their place, as if a node had it. Owned by one thread.
public final class LastReading {
    /// No broker has it.
    private static final int NODE = -1;

    private static final Duration POLL = Duration.ofMillis(200);

    private final String bootstrap;
    private final History history;

    public LastReading(String bootstrap, History history) {
        this.bootstrap = bootstrap;
        this.history = history;
    }

    /// A partition, from its start to its end.
    ///
    /// @param name in the history
    /// @param end exclusive
    public record Part(TopicPartition partition, String name, long start, long end) {}

    /// Returns whether all was read in time.
    public boolean read(List<Part> parts, Duration patience) {
        Set<Part> unread = new HashSet<>(parts);
        unread.removeIf(part -> part.start() >= part.end());
        for (Part part : parts) {
            history.add(
                    new Event.Replica(NODE, part.name(), part.start(), part.end(), part.end(), ""));
        }
        List<TopicPartition> partitions = parts.stream().map(Part::partition).toList();
        Consumer<byte[], byte[]> consumer =
                Consumers.create(Consumers.settings(bootstrap, "last-reader"));
        try {
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            long deadlineNs = System.nanoTime() + patience.toNanos();
            while (!unread.isEmpty() && System.nanoTime() < deadlineNs) {
                poll(consumer, parts, unread);
            }
            return unread.isEmpty();
        } finally {
            consumer.close(CloseOptions.timeout(Duration.ofSeconds(1)));
        }
    }

    private void poll(Consumer<byte[], byte[]> consumer, List<Part> parts, Set<Part> unread) {
        ConsumerRecords<byte[], byte[]> records;
        try {
            records = consumer.poll(POLL);
        } catch (KafkaException e) {
            System.err.println("last-reader: " + e);
            return; // It is asked again.
        }
        for (Part part : parts) {
            store(part, records.records(part.partition()));
            var next = records.nextOffsets().get(part.partition());
            if (next != null && next.offset() >= part.end()) {
                unread.remove(part);
            }
        }
    }

    private void store(Part part, List<ConsumerRecord<byte[], byte[]>> records) {
        if (records.isEmpty()) {
            return;
        }
        List<Event.Batch> batches = new ArrayList<>();
        Spans values = new Spans();
        long first = records.getFirst().offset();
        long next = first;
        for (ConsumerRecord<byte[], byte[]> record : records) {
            if (record.offset() != next) {
                batches.add(batch(first, next, values.take()));
                first = record.offset();
            }
            RecordValue value = RecordValue.read(ByteBuffer.wrap(record.value()));
            values.add(value.writer(), value.number());
            next = record.offset() + 1;
        }
        batches.add(batch(first, next, values.take()));
        history.add(new Event.Stored(NODE, part.name(), batches));
    }

    /// Without an epoch and a checksum: there is nothing to compare them with.
    private static Event.Batch batch(long first, long next, List<Span> values) {
        return new Event.Batch(first, (int) (next - first), 0, 0, values, List.of());
    }
}
