package dev.ottla.chaos.load;

import dev.ottla.chaos.cluster.ClusterState;
import dev.ottla.chaos.cluster.Pause;
import dev.ottla.chaos.history.Event;
import dev.ottla.chaos.history.Event.Answer;
import dev.ottla.chaos.history.Event.TopicChange;
import dev.ottla.chaos.history.History;
import dev.ottla.chaos.history.RecordValue;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/// Creates topics, changes a setting of each, deletes some and creates some of these anew, with a
/// few records in each life. A topic of which something was not answered at once is left alone from
/// then on, for that may come about later, and twice. Runs on its own thread.
public final class TopicMaker implements Runnable {
    private static final int MOST = 120;
    private static final int RECORDS = 5;
    private static final long PAUSE_MS = 200;
    private static final Duration ANSWERS = Duration.ofSeconds(6);

    private final int writer;
    private final String bootstrap;
    private final TopicShape shape;
    private final History history;
    private final AtomicLong calls;

    /// By setting: the topic's name in the history. Written here, read by the run.
    private final Map<Long, String> lives = new ConcurrentHashMap<>();

    private long nextNumber;

    // Written by the run.
    private volatile boolean stopped;

    /// @param writer of its records
    /// @param calls numbers of questions, shared by all clients
    TopicMaker(int writer, String bootstrap, TopicShape shape, History history, AtomicLong calls) {
        this.writer = writer;
        this.bootstrap = bootstrap;
        this.shape = shape;
        this.history = history;
        this.calls = calls;
    }

    /// The settings of all topics that are there; empty when nobody answers.
    public Optional<Map<String, Long>> settings(ClusterState state) {
        return state.settings(Topics.MADE, Topics.SETTING);
    }

    /// What the history calls the topic that has this setting: its name, a dot and how often it was
    /// created, so that no records of an earlier life are looked for in a later one.
    public Optional<String> nameInHistory(long setting) {
        return Optional.ofNullable(lives.get(setting));
    }

    @Override
    public void run() {
        try (ClusterState state = new ClusterState(bootstrap)) {
            for (int number = 1; number <= MOST && !stopped; number++) {
                make(state, Topics.MADE + number, number % 3);
            }
        }
    }

    /// @param fate 0 when it stays, 1 when it is deleted, 2 when it is created once more then
    private void make(ClusterState state, String topic, int fate) {
        String first = topic + ".1";
        boolean isAsWanted =
                change(state, topic, TopicChange.CREATE, first)
                        && write(topic, first)
                        && change(state, topic, TopicChange.SET, first);
        if (isAsWanted && fate > 0) {
            String second = topic + ".2";
            boolean isGone = change(state, topic, TopicChange.DELETE, first);
            if (isGone && fate > 1 && change(state, topic, TopicChange.CREATE, second)) {
                write(topic, second);
            }
        }
    }

    /// Whether it was done, and certainly but once.
    private boolean change(ClusterState state, String topic, TopicChange change, String life) {
        if (stopped) {
            return false;
        }
        long call = calls.incrementAndGet();
        long setting = Topics.FIRST_SETTING + call;
        lives.put(setting, life);
        history.add(new Event.TopicAsked(call, topic, change, setting));
        long beganNs = System.nanoTime();
        boolean done =
                switch (change) {
                    case CREATE -> state.create(Topics.made(topic, setting, shape));
                    case SET -> state.set(topic, Topics.SETTING, setting);
                    case DELETE -> state.delete(topic);
                };
        history.add(new Event.TopicAnswered(call, done ? Answer.DONE : Answer.UNKNOWN));
        long tookMs = (System.nanoTime() - beganNs) / 1_000_000;
        Pause.ofMs(PAUSE_MS);
        return done && tookMs < ClusterState.REQUEST_TIMEOUT_MS;
    }

    /// Whether all records were acknowledged.
    private boolean write(String topic, String life) {
        CountDownLatch answered = new CountDownLatch(1);
        AtomicInteger acknowledged = new AtomicInteger();
        Event.Sent sent = new Event.Sent(writer, life + "-0", nextNumber, RECORDS);
        Burst burst = new Burst(history, sent, answered::countDown);
        // A new one, which does not know the topic's life before.
        Producer<byte[], byte[]> producer =
                new KafkaProducer<>(
                        settings(), new ByteArraySerializer(), new ByteArraySerializer());
        try {
            for (int i = 0; i < RECORDS; i++) {
                int index = i;
                byte[] value = new RecordValue(writer, nextNumber++).bytes();
                try {
                    Future<RecordMetadata> _ =
                            producer.send(
                                    new ProducerRecord<>(topic, 0, null, value),
                                    (metadata, error) -> {
                                        if (error == null) {
                                            acknowledged.incrementAndGet();
                                        }
                                        burst.onAnswer(index, metadata, error);
                                    });
                } catch (KafkaException e) {
                    burst.onAnswer(index, null, e);
                }
            }
            return answered.await(ANSWERS.toMillis(), TimeUnit.MILLISECONDS)
                    && acknowledged.get() == RECORDS;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            producer.close(Duration.ZERO);
        }
    }

    /// Nothing is sent twice.
    private Map<String, Object> settings() {
        return Map.of(
                "bootstrap.servers",
                bootstrap,
                "client.id",
                "topic-maker",
                "acks",
                "all",
                "enable.idempotence",
                false,
                "retries",
                0,
                "max.block.ms",
                2_000,
                "request.timeout.ms",
                2_000,
                "delivery.timeout.ms",
                3_000);
    }

    void stop() {
        stopped = true;
    }
}
