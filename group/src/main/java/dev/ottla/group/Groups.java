package dev.ottla.group;

import static dev.ottla.wire.Check.check;

import dev.ottla.group.classic.ClassicGroup;
import dev.ottla.group.consumer.ConsumerGroup;
import dev.ottla.group.history.RebalanceHistory;
import dev.ottla.group.offset.OffsetStore;
import dev.ottla.group.record.GroupRecord;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// All groups of one coordinator, of either protocol, and where the records of the log go. A group
/// id is in one of the two maps at most. Owned by the coordinator's thread.
final class Groups {
    private final Map<String, ClassicGroup> classic = new HashMap<>();
    private final Map<String, ConsumerGroup> consumer = new HashMap<>();
    private final Map<String, RebalanceHistory> histories = new HashMap<>();
    private final OffsetStore offsets;

    Groups(OffsetStore offsets) {
        this.offsets = offsets;
    }

    // Replay.

    /// Applies a record, when loading and when it has just been written.
    ///
    /// @param producerId of a record inside a transaction, −1 otherwise
    void replay(GroupRecord record, long producerId) {
        switch (record) {
            case GroupRecord.Offset offset -> {
                // A group that only commits has no record of its own.
                if (offset.value().isPresent() && !exists(offset.groupId())) {
                    addClassic(new ClassicGroup(offset.groupId(), 0, history(offset.groupId())));
                }
                offsets.replay(offset, producerId);
            }
            case GroupRecord.Classic group -> replayClassic(group);
            case GroupRecord.ConsumerEpoch(String id, var value) -> {
                value.ifPresent(epoch -> consumerGroup(id).replayEpoch(epoch));
                if (value.isEmpty()) consumer.remove(id);
            }
            case GroupRecord.ConsumerMember(String id, String memberId, var value) ->
                    replayConsumer(id, value).ifPresent(it -> it.replayMember(memberId, value));
            case GroupRecord.TargetEpoch(String id, var value) ->
                    value.ifPresent(epoch -> consumerGroup(id).replayTargetEpoch(epoch));
            case GroupRecord.TargetAssignment(String id, String memberId, var value) ->
                    replayConsumer(id, value).ifPresent(it -> it.replayTarget(memberId, value));
            case GroupRecord.CurrentAssignment(String id, String memberId, var value) ->
                    replayConsumer(id, value).ifPresent(it -> it.replayCurrent(memberId, value));
            case GroupRecord.ResolvedRegex(String id, String regex, var value) ->
                    replayConsumer(id, value).ifPresent(it -> it.replayRegex(regex, value));
            case GroupRecord.Unknown _ -> {}
        }
    }

    private void replayClassic(GroupRecord.Classic record) {
        String id = record.groupId();
        if (record.value().isEmpty()) {
            classic.remove(id);
            return;
        }
        addClassic(ClassicGroup.restore(id, record.value().get(), history(id)));
    }

    /// The group a record is about; a tombstone does not bring one into being.
    private Optional<ConsumerGroup> replayConsumer(String id, Optional<?> value) {
        return value.isPresent() ? Optional.of(consumerGroup(id)) : consumer(id);
    }

    private ConsumerGroup consumerGroup(String id) {
        // A classic group made for offsets alone gives way.
        classic.remove(id);
        return consumer.computeIfAbsent(id, _ -> new ConsumerGroup(id, history(id)));
    }

    // Groups.

    RebalanceHistory history(String id) {
        return histories.computeIfAbsent(id, _ -> new RebalanceHistory());
    }

    /// Gives every group that has nothing but offsets its place, wherever its records stand in the
    /// log.
    void addGroupsOfOffsets() {
        for (String id : offsets.groupIds()) {
            if (!exists(id)) addClassic(new ClassicGroup(id, 0, history(id)));
        }
    }

    /// Drops the histories of groups that are gone.
    void forgetHistories() {
        histories.keySet().removeIf(id -> !exists(id));
    }

    boolean exists(String id) {
        return classic.containsKey(id) || consumer.containsKey(id);
    }

    Optional<ClassicGroup> classic(String id) {
        return Optional.ofNullable(classic.get(id));
    }

    Optional<ConsumerGroup> consumer(String id) {
        return Optional.ofNullable(consumer.get(id));
    }

    ClassicGroup addClassic(ClassicGroup group) {
        consumer.remove(group.groupId());
        classic.put(group.groupId(), group);
        return group;
    }

    /// The consumer group of this id, made if need be and not written yet.
    ConsumerGroup addConsumer(String id) {
        check(!classic.containsKey(id), "group %s is classic", id);
        return consumerGroup(id);
    }

    /// Drops a group that was made for a request which then came to nothing.
    void dropUnused(String id) {
        @Nullable ClassicGroup classicGroup = classic.get(id);
        if (classicGroup != null && classicGroup.isUnused()) classic.remove(id);
        @Nullable ConsumerGroup consumerGroup = consumer.get(id);
        if (consumerGroup != null && consumerGroup.isEmpty()) consumer.remove(id);
    }

    Collection<ClassicGroup> allClassic() {
        return List.copyOf(classic.values());
    }

    Collection<ConsumerGroup> allConsumer() {
        return List.copyOf(consumer.values());
    }

    Set<String> ids() {
        Set<String> ids = new HashSet<>(classic.keySet());
        ids.addAll(consumer.keySet());
        return ids;
    }

    int count() {
        return classic.size() + consumer.size();
    }

    void checkInvariants() {
        classic.keySet()
                .forEach(id -> check(!consumer.containsKey(id), "group %s is there twice", id));
        classic.values().forEach(ClassicGroup::checkInvariants);
        consumer.values().forEach(ConsumerGroup::checkInvariants);
    }
}
