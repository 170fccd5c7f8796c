package dev.ottla.chaos.load;

import dev.ottla.chaos.history.Event;
import dev.ottla.chaos.history.Event.Answer;
import dev.ottla.chaos.history.EventLog;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RebalanceInProgressException;

/// A member of a consumer group that commits what it has read several times a second.
final class GroupMember implements Runnable {
    private static final long COMMIT_EVERY_NS = Duration.ofMillis(250).toNanos();

    private static final Duration COMMIT_TIMEOUT = Duration.ofSeconds(8);

    private final Group group;
    private final String name;
    private final Map<String, Object> settings;
    private final EventLog history;
    private final AtomicLong calls;
    private final Readings readings;
    private final Map<TopicPartition, OffsetAndMetadata> uncommitted = new HashMap<>();

    // Written by its thread, read by the run to see whether every partition has an owner.
    private final Set<String> owned = ConcurrentHashMap.newKeySet();

    // Written by the run.
    private volatile boolean stopped;

    /// What members share.
    ///
    /// @param protocol `classic` or `consumer`
    /// @param sessionMs so long after it was heard last a member of the classic protocol counts no
    ///   more; of the other one brokers decide it
    record Group(String name, String protocol, int sessionMs, Set<String> topics) {
        Group {
            topics = Set.copyOf(topics);
        }

        List<String> partitions() {
            return Topics.partitions().stream()
                    .filter(partition -> topics.contains(partition.topic()))
                    .map(TopicPartition::toString)
                    .sorted()
                    .toList();
        }
    }

    /// @param calls numbers of questions, shared by all clients
    GroupMember(Group group, int number, String bootstrap, EventLog history, AtomicLong calls) {
        this.group = group;
        this.history = history;
        this.calls = calls;
        name = group.name() + "-" + number;
        settings = new HashMap<>(Consumers.settings(bootstrap, name));
        settings.put("group.id", group.name());
        settings.put("group.protocol", group.protocol());
        if (group.protocol().equals("classic")) {
            settings.put("session.timeout.ms", group.sessionMs());
            settings.put("heartbeat.interval.ms", 500);
        }
        readings = new Readings(history, name);
    }

    @Override
    public void run() {
        Consumer<byte[], byte[]> consumer = Consumers.create(settings);
        try {
            consumer.subscribe(group.topics(), new Rebalances(consumer));
            long commitNs = System.nanoTime() + COMMIT_EVERY_NS;
            while (!stopped) {
                uncommitted.putAll(readings.poll(consumer));
                if (System.nanoTime() >= commitNs) {
                    commit(consumer);
                    commitNs = System.nanoTime() + COMMIT_EVERY_NS;
                }
            }
            commit(consumer);
        } finally {
            consumer.close(CloseOptions.timeout(Duration.ofSeconds(2)));
        }
    }

    private void commit(Consumer<byte[], byte[]> consumer) {
        if (uncommitted.isEmpty()) {
            return;
        }
        Map<TopicPartition, OffsetAndMetadata> offsets = Map.copyOf(uncommitted);
        Map<String, Long> asked = new HashMap<>();
        offsets.forEach((partition, next) -> asked.put(partition.toString(), next.offset()));
        long call = calls.incrementAndGet();
        history.add(new Event.CommitAsked(call, group.name(), asked));
        history.add(new Event.CommitAnswered(call, answer(consumer, offsets)));
        uncommitted.clear();
    }

    private static Answer answer(
            Consumer<byte[], byte[]> consumer, Map<TopicPartition, OffsetAndMetadata> offsets) {
        try {
            consumer.commitSync(offsets, COMMIT_TIMEOUT);
            return Answer.DONE;
        } catch (CommitFailedException | RebalanceInProgressException e) {
            return Answer.REFUSED;
        } catch (KafkaException e) {
            return Answer.UNKNOWN;
        }
    }

    boolean owns(Group asked, String partition) {
        return group.equals(asked) && owned.contains(partition);
    }

    void stop() {
        stopped = true;
    }

    /// Runs on the member's thread, inside of poll.
    private final class Rebalances implements ConsumerRebalanceListener {
        private final Consumer<byte[], byte[]> consumer;

        Rebalances(Consumer<byte[], byte[]> consumer) {
            this.consumer = consumer;
        }

        @Override
        public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
            if (!partitions.isEmpty()) {
                int generation = consumer.groupMetadata().generationId();
                history.add(new Event.Owned(group.name(), name, generation, names(partitions)));
                owned.addAll(names(partitions));
            }
        }

        @Override
        public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
            release(partitions);
        }

        @Override
        public void onPartitionsLost(Collection<TopicPartition> partitions) {
            release(partitions);
        }

        private void release(Collection<TopicPartition> partitions) {
            uncommitted.keySet().removeAll(partitions);
            names(partitions).forEach(owned::remove);
            if (!partitions.isEmpty()) {
                history.add(new Event.Released(group.name(), name, names(partitions)));
            }
        }

        private static List<String> names(Collection<TopicPartition> partitions) {
            return partitions.stream().map(TopicPartition::toString).sorted().toList();
        }
    }
}
