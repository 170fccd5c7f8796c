package dev.ottla.group.offset;

import dev.ottla.group.record.GroupRecord;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/// Offsets that transactions have written and not yet committed, by group and producer. Owned by
/// the shard thread of the coordinator.
final class PendingOffsets {
    private final Map<String, Map<Long, Map<TopicPartition, GroupRecord.Offset>>> byGroup =
            new HashMap<>();

    void add(long producerId, GroupRecord.Offset record) {
        byGroup.computeIfAbsent(record.groupId(), _ -> new HashMap<>())
                .computeIfAbsent(producerId, _ -> new HashMap<>())
                .put(new TopicPartition(record.topic(), record.partition()), record);
    }

    boolean contains(String groupId, String topic, int partition) {
        Map<Long, Map<TopicPartition, GroupRecord.Offset>> ofGroup = byGroup.get(groupId);
        if (ofGroup == null) return false;
        TopicPartition key = new TopicPartition(topic, partition);
        return ofGroup.values().stream().anyMatch(offsets -> offsets.containsKey(key));
    }

    boolean hasGroup(String groupId) {
        return byGroup.containsKey(groupId);
    }

    Set<TopicPartition> partitionsOf(String groupId) {
        return byGroup.getOrDefault(groupId, Map.of()).values().stream()
                .flatMap(offsets -> offsets.keySet().stream())
                .collect(Collectors.toSet());
    }

    /// Drops a partition from every transaction of the group.
    void remove(String groupId, String topic, int partition) {
        Map<Long, Map<TopicPartition, GroupRecord.Offset>> ofGroup = byGroup.get(groupId);
        if (ofGroup == null) return;
        TopicPartition key = new TopicPartition(topic, partition);
        ofGroup.values().forEach(offsets -> offsets.remove(key));
        ofGroup.values().removeIf(Map::isEmpty);
        if (ofGroup.isEmpty()) byGroup.remove(groupId);
    }

    /// Takes out everything that `producerId` wrote.
    List<GroupRecord.Offset> end(long producerId) {
        List<GroupRecord.Offset> records =
                byGroup.values().stream()
                        .map(ofGroup -> ofGroup.get(producerId))
                        .filter(offsets -> offsets != null)
                        .flatMap(offsets -> offsets.values().stream())
                        .toList();
        byGroup.values().forEach(ofGroup -> ofGroup.remove(producerId));
        byGroup.values().removeIf(Map::isEmpty);
        return records;
    }
}
