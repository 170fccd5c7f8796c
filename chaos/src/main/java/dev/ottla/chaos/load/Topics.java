package dev.ottla.chaos.load;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.TopicPartition;

/// The topics of a run.
public final class Topics {
    /// Of all topics and groups, so that others in the same cluster are left alone.
    static final String PREFIX = "chaos-";

    /// Of topics that come and go.
    static final String MADE = PREFIX + "made-";

    private static final String FLUSH_POLICY = "flush.policy";

    static final String SYNCED = PREFIX + "synced";
    static final String CACHED = PREFIX + "cached";
    static final String COMPACTED = PREFIX + "compacted";

    public static final int PARTITIONS = 12;

    /// Keys of each writer in the compacted topic.
    private static final int KEYS = 50;

    private static final String SEGMENT_BYTES = "1048576";

    /// Of a made topic, by which it is known again; nothing is deleted for centuries.
    static final String SETTING = "retention.ms";

    static final long FIRST_SETTING = 10_000_000_000_000L;

    private Topics() {}

    public static Set<String> names() {
        return Set.of(SYNCED, CACHED, COMPACTED);
    }

    public static int keys(String topic) {
        return topic.equals(COMPACTED) ? KEYS : 0;
    }

    public static List<NewTopic> wanted(TopicShape shape) {
        return List.of(
                topic(SYNCED, Map.of(), shape),
                topic(CACHED, Map.of(FLUSH_POLICY, "page-cache"), shape),
                topic(COMPACTED, Map.of("cleanup.policy", "compact"), shape));
    }

    static NewTopic made(String name, long setting, TopicShape shape) {
        Map<String, String> configs = new HashMap<>(shape.configs());
        configs.put(SETTING, String.valueOf(setting));
        return new NewTopic(name, Optional.of(1), Optional.of((short) shape.replicas()))
                .configs(configs);
    }

    /// Whether a run makes topics of this name.
    public static boolean isOurs(String name) {
        return names().contains(name) || name.matches(MADE + "\\d+");
    }

    /// For brokers that do not know Ottla's own setting, and need none: theirs is the page cache.
    public static List<NewTopic> withoutFlushPolicy(List<NewTopic> topics) {
        return topics.stream()
                .map(topic -> {
                    Map<String, String> configs = new HashMap<>(topic.configs());
                    configs.remove(FLUSH_POLICY);
                    return topic.configs(configs);
                })
                .toList();
    }

    private static NewTopic topic(String name, Map<String, String> own, TopicShape shape) {
        Map<String, String> configs = new HashMap<>(own);
        configs.put("segment.bytes", SEGMENT_BYTES);
        configs.putAll(shape.configs());
        short replicas = (short) shape.replicas();
        NewTopic topic =
                shape.nodes().isEmpty()
                        ? new NewTopic(name, Optional.of(PARTITIONS), Optional.of(replicas))
                        : new NewTopic(name, everywhere(shape.nodes()));
        return topic.configs(configs);
    }

    private static Map<Integer, List<Integer>> everywhere(List<Integer> nodes) {
        Map<Integer, List<Integer>> places = new HashMap<>();
        for (int partition = 0; partition < PARTITIONS; partition++) {
            places.put(partition, nodes);
        }
        return places;
    }

    public static Set<TopicPartition> partitions() {
        Set<TopicPartition> partitions = new HashSet<>();
        for (String topic : names()) {
            for (int partition = 0; partition < PARTITIONS; partition++) {
                partitions.add(new TopicPartition(topic, partition));
            }
        }
        return partitions;
    }
}
