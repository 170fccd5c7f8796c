package dev.ottla.metadata.controller;

import dev.ottla.config.ConfigKey;
import dev.ottla.config.ConfigValues;
import dev.ottla.config.GroupKeys;
import dev.ottla.config.ReplicationKeys;
import dev.ottla.config.ShareGroupKeys;
import dev.ottla.config.TransactionKeys;
import dev.ottla.metadata.BrokerIds;
import dev.ottla.metadata.MetadataRecord;
import dev.ottla.metadata.image.BrokerState;
import dev.ottla.metadata.image.ClusterImage;
import dev.ottla.metadata.image.PartitionState;
import dev.ottla.metadata.image.TopicState;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// What the controller does of itself, whenever it is asked whether there is something to do.
final class UpkeepCommands {
    /// Topics that the brokers keep state in, with the key of their replication factor.
    private static final Map<String, ConfigKey<Short>> INTERNAL_TOPICS =
            Map.of(
                    "__consumer_offsets",
                    GroupKeys.OFFSETS_TOPIC_REPLICATION_FACTOR,
                    "__transaction_state",
                    TransactionKeys.TRANSACTION_STATE_LOG_REPLICATION_FACTOR,
                    "__share_group_state",
                    ShareGroupKeys.SHARE_COORDINATOR_STATE_TOPIC_REPLICATION_FACTOR);

    private final Context context;

    UpkeepCommands(Context context) {
        this.context = context;
    }

    /// Gives leaderships back to preferred replicas that are in sync again, as far as
    /// `auto.leader.rebalance.enable` allows it; answers how many.
    ///
    /// @param most leaderships that move at once, for each lets its clients wait a moment
    Outcome<Integer> electPreferred(int most) {
        ClusterImage image = context.image();
        if (!values(image).value(ReplicationKeys.AUTO_LEADER_REBALANCE_ENABLE)) {
            return Outcome.unchanged(0);
        }
        PartitionSweep sweep = new PartitionSweep(context, image);
        List<MetadataRecord> records = new ArrayList<>();
        for (TopicState topic : image.topics()) {
            Optional<PartitionSweep.TopicView> view = Optional.empty();
            for (int i = 0; i < topic.partitionCount() && records.size() < most; i++) {
                PartitionState state = topic.partitions().get(i);
                int preferred = state.replicas().at(0);
                if (!state.hasLeader()
                        || state.leader() == preferred
                        || !state.isr().has(preferred)) {
                    continue;
                }
                if (view.isEmpty()) view = Optional.of(sweep.view(topic));
                view.get()
                        .update(i, state, false)
                        .preferFirstReplica()
                        .build()
                        .filter(change -> change.leader().isPresent())
                        .ifPresent(records::add);
            }
        }
        return new Outcome<>(records, records.size());
    }

    /// Completes reassignments, elects leaders and lets full replicas go where nothing holds that
    /// up any more, for example because settings changed, and gives internal topics the replicas
    /// that the brokers of now allow; answers how many partitions it changed.
    Outcome<Integer> settle() {
        List<MetadataRecord> records = new ArrayList<>(overdue());
        if (records.isEmpty()) records.addAll(raised());
        return new Outcome<>(records, records.size());
    }

    private List<MetadataRecord> overdue() {
        ClusterImage image = context.image();
        PartitionSweep sweep = new PartitionSweep(context, image);
        Set<Integer> full =
                image.brokers().values().stream()
                        .filter(broker -> !broker.fullDirectories().isEmpty())
                        .map(BrokerState::id)
                        .collect(Collectors.toSet());
        List<MetadataRecord> records = new ArrayList<>();
        for (TopicState topic : image.topics()) {
            for (int i = 0; i < topic.partitionCount(); i++) {
                PartitionState state = topic.partitions().get(i);
                boolean settled =
                        state.hasLeader()
                                && !state.isReassigned()
                                && (full.isEmpty() || Collections.disjoint(full, state.isr()));
                if (settled) continue;
                sweep.view(topic).update(i, state, false).build().ifPresent(records::add);
            }
        }
        return records;
    }

    private List<MetadataRecord> raised() {
        ClusterImage image = context.image();
        Set<Integer> takers =
                image.brokers().values().stream()
                        .filter(broker -> broker.isActive() && Placement.takesReplicas(broker))
                        .map(BrokerState::id)
                        .collect(Collectors.toSet());
        List<TopicState> low =
                INTERNAL_TOPICS.keySet().stream()
                        .sorted()
                        .flatMap(name -> image.topic(name).stream())
                        .filter(topic -> isLow(topic, factor(image, topic, takers)))
                        .toList();
        if (low.isEmpty()) return List.of();
        ReplicaSpread spread = spread(image, takers);
        Reassigner reassigner = new Reassigner(context);
        List<MetadataRecord> records = new ArrayList<>();
        for (TopicState topic : low) {
            PartitionSweep.TopicView view = reassigner.sweep().view(topic);
            for (int i = 0; i < topic.partitionCount(); i++) {
                PartitionState state = topic.partitions().get(i);
                if (state.isReassigned()) continue;
                List<Integer> more = spread.raise(state.replicas(), factor(image, topic, takers));
                if (more.size() == state.replicas().size()) continue;
                Assignment next = Assignment.of(state).towards(BrokerIds.copyOf(more));
                reassigner.reassign(view, i, next).ifPresent(records::add);
            }
        }
        return records;
    }

    private int factor(ClusterImage image, TopicState topic, Set<Integer> takers) {
        ConfigKey<Short> key = INTERNAL_TOPICS.get(topic.name());
        int wanted = key == null ? 1 : values(image).value(key);
        return Math.min(wanted, takers.size());
    }

    private static boolean isLow(TopicState topic, int factor) {
        return topic.partitions().stream()
                .anyMatch(state -> !state.isReassigned() && state.replicas().size() < factor);
    }

    private static ReplicaSpread spread(ClusterImage image, Set<Integer> takers) {
        Map<Integer, String> racks = new HashMap<>();
        image.brokers().forEach((id, broker) -> racks.put(id, broker.rack().orElse("")));
        ReplicaSpread spread = new ReplicaSpread(racks, takers);
        for (TopicState topic : image.topics()) {
            topic.partitions().forEach(state -> spread.count(state.targetReplicas()));
        }
        return spread;
    }

    private ConfigValues values(ClusterImage image) {
        return context.settings().resolver(image).broker();
    }
}
