package dev.ottla.group.consumer;

import dev.ottla.group.partition.OwnedPartitions;
import dev.ottla.wire.Uuid;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Which member holds which partition of a group: assigned to it, or told to give up and not given
/// up yet. Owned by the thread that owns the group.
final class PartitionOwners {
    private final Map<Uuid, Map<Integer, String>> byTopic = new HashMap<>();

    /// Whether a member other than `memberId` holds the partition.
    boolean isHeldByOther(String memberId, Uuid topicId, int partition) {
        @Nullable String owner = byTopic.getOrDefault(topicId, Map.of()).get(partition);
        return owner != null && !owner.equals(memberId);
    }

    void add(String memberId, OwnedPartitions partitions) {
        partitions
                .epochs()
                .forEach((topicId, ofTopic) -> {
                    Map<Integer, String> owners =
                            byTopic.computeIfAbsent(topicId, _ -> new HashMap<>());
                    ofTopic.keySet().forEach(partition -> owners.put(partition, memberId));
                });
    }

    /// Forgets what `memberId` holds of `partitions`. In a compacted log another member's record
    /// may come first; what that took over stays with it.
    void remove(String memberId, OwnedPartitions partitions) {
        partitions
                .epochs()
                .forEach((topicId, ofTopic) -> {
                    Map<Integer, String> owners = byTopic.get(topicId);
                    if (owners == null) return;
                    ofTopic.keySet().forEach(partition -> owners.remove(partition, memberId));
                    if (owners.isEmpty()) byTopic.remove(topicId);
                });
    }
}
