package dev.ottla.group.offset;

import dev.ottla.group.record.GroupRecord;
import dev.ottla.group.record.GroupRecord.CommittedOffset;
import dev.ottla.group.record.GroupRecordCodec;
import dev.ottla.group.shell.Refusal;
import dev.ottla.group.shell.TopicsView;
import dev.ottla.group.shell.Turn;
import dev.ottla.wire.ErrorCode;
import dev.ottla.wire.Uuid;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The committed offsets of all groups of one coordinator. Changes by replay alone. Whether a
/// request may touch a group's offsets is decided before it comes here. Owned by the shard thread
/// of the coordinator.
///
/// Offsets stay as long as their topics, unless the operator set a retention or the client asked
/// for one. Offsets of a transaction wait per producer until its marker arrives.
public final class OffsetStore {
    private static final Uuid NO_TOPIC_ID = Uuid.ZERO;

    private final Supplier<OffsetSettings> settings;
    private final Map<String, Map<String, Map<Integer, CommittedOffset>>> byGroup = new HashMap<>();
    private final PendingOffsets pending = new PendingOffsets();

    public OffsetStore(Supplier<OffsetSettings> settings) {
        this.settings = settings;
    }

    // Requests.

    /// Commits what `request` asks for; the result of each partition stands in the response.
    ///
    /// @param check says why a partition may not be committed; one refused partition refuses all
    public CommitOutcome commit(OffsetCommit.Request request, PartitionCheck check, Turn turn) {
        OffsetSettings limits = settings.get();
        List<OffsetCommit.TopicResult> results = new ArrayList<>(request.topics().size());
        List<GroupRecord> records = new ArrayList<>();
        long expireTimestampMs =
                request.retentionTimeMs().isPresent()
                        ? turn.nowMs() + request.retentionTimeMs().getAsLong()
                        : -1;
        for (OffsetCommit.Topic topic : request.topics()) {
            List<OffsetCommit.PartitionResult> partitions =
                    new ArrayList<>(topic.partitions().size());
            for (OffsetCommit.Partition partition : topic.partitions()) {
                ErrorCode error = ErrorCode.NONE;
                if (partition.metadata().length() > limits.metadataMaxBytes()) {
                    error = ErrorCode.OFFSET_METADATA_TOO_LARGE;
                } else {
                    Optional<Refusal> refusal =
                            check.refusal(topic.name(), topic.topicId(), partition.partition());
                    if (refusal.isPresent()) return new CommitOutcome.Refused(refusal.get());
                    records.add(
                            record(
                                    request.groupId(),
                                    topic,
                                    partition,
                                    turn.nowMs(),
                                    expireTimestampMs));
                }
                partitions.add(new OffsetCommit.PartitionResult(partition.partition(), error));
            }
            results.add(new OffsetCommit.TopicResult(topic.name(), topic.topicId(), partitions));
        }
        Optional<Refusal> tooLarge = checkSize(request.groupId(), records, limits.maxBatchBytes());
        if (tooLarge.isPresent()) return new CommitOutcome.Refused(tooLarge.get());
        records.forEach(turn::write);
        return new CommitOutcome.Committed(new OffsetCommit.Response(results));
    }

    private static GroupRecord record(
            String groupId,
            OffsetCommit.Topic topic,
            OffsetCommit.Partition partition,
            long nowMs,
            long expireTimestampMs) {
        return new GroupRecord.Offset(
                groupId,
                topic.name(),
                partition.partition(),
                Optional.of(
                        new CommittedOffset(
                                partition.offset(),
                                partition.leaderEpoch(),
                                partition.metadata(),
                                topic.topicId(),
                                nowMs,
                                expireTimestampMs)));
    }

    private static Optional<Refusal> checkSize(
            String groupId, List<GroupRecord> records, int maxBatchBytes) {
        // Far from the limit there is nothing to measure.
        if (records.size() < 64) return Optional.empty();
        long sizeBytes =
                records.stream()
                        .mapToLong(record -> GroupRecordCodec.encode(record).sizeBytes() + 16)
                        .sum();
        if (sizeBytes <= maxBatchBytes) return Optional.empty();
        return Optional.of(
                Refusal.of(
                        ErrorCode.INVALID_COMMIT_OFFSET_SIZE,
                        "Group %s commits %d offsets, %d bytes in one request, and __consumer_offsets"
                                + " takes %d at once. Commit fewer partitions per request.",
                        groupId,
                        records.size(),
                        sizeBytes,
                        maxBatchBytes));
    }

    /// Says whether one partition may be committed.
    @FunctionalInterface
    public interface PartitionCheck {
        /// Lets every partition pass.
        PartitionCheck NONE = (topic, topicId, partition) -> Optional.empty();

        Optional<Refusal> refusal(String topic, Uuid topicId, int partition);
    }

    public sealed interface CommitOutcome {
        record Committed(OffsetCommit.Response response) implements CommitOutcome {}

        record Refused(Refusal refusal) implements CommitOutcome {}
    }

    public OffsetFetch.Response fetch(OffsetFetch.Request request) {
        Map<String, Map<Integer, CommittedOffset>> ofGroup =
                byGroup.getOrDefault(request.groupId(), Map.of());
        if (request.topics().isEmpty()) return fetchAll(request, ofGroup);
        List<OffsetFetch.TopicResult> results = new ArrayList<>();
        for (OffsetFetch.Topic topic : request.topics().get()) {
            Map<Integer, CommittedOffset> ofTopic = ofGroup.getOrDefault(topic.name(), Map.of());
            List<OffsetFetch.PartitionResult> partitions = new ArrayList<>();
            for (int partition : topic.partitions()) {
                boolean unstable =
                        request.requireStable()
                                && pending.contains(request.groupId(), topic.name(), partition);
                partitions.add(
                        unstable
                                ? OffsetFetch.PartitionResult.none(
                                        partition, ErrorCode.UNSTABLE_OFFSET_COMMIT)
                                : result(partition, ofTopic.get(partition), topic.topicId()));
            }
            results.add(new OffsetFetch.TopicResult(topic.name(), topic.topicId(), partitions));
        }
        return new OffsetFetch.Response(results);
    }

    private OffsetFetch.Response fetchAll(
            OffsetFetch.Request request, Map<String, Map<Integer, CommittedOffset>> ofGroup) {
        List<OffsetFetch.TopicResult> results = new ArrayList<>(ofGroup.size());
        new TreeMap<>(ofGroup)
                .forEach((topic, ofTopic) -> {
                    List<OffsetFetch.PartitionResult> partitions = new ArrayList<>();
                    Uuid topicId = NO_TOPIC_ID;
                    for (var entry : new TreeMap<>(ofTopic).entrySet()) {
                        int partition = entry.getKey();
                        topicId = entry.getValue().topicId();
                        boolean unstable =
                                request.requireStable()
                                        && pending.contains(request.groupId(), topic, partition);
                        partitions.add(
                                unstable
                                        ? OffsetFetch.PartitionResult.none(
                                                partition, ErrorCode.UNSTABLE_OFFSET_COMMIT)
                                        : result(partition, entry.getValue(), NO_TOPIC_ID));
                    }
                    results.add(new OffsetFetch.TopicResult(topic, topicId, partitions));
                });
        return new OffsetFetch.Response(results);
    }

    private static OffsetFetch.PartitionResult result(
            int partition, @Nullable CommittedOffset offset, Uuid topicId) {
        // An offset of an earlier topic of the same name says nothing about this one.
        boolean otherTopic =
                offset != null
                        && !topicId.equals(NO_TOPIC_ID)
                        && !offset.topicId().equals(NO_TOPIC_ID)
                        && !offset.topicId().equals(topicId);
        if (offset == null || otherTopic) {
            return OffsetFetch.PartitionResult.none(partition, ErrorCode.NONE);
        }
        return new OffsetFetch.PartitionResult(
                partition,
                offset.offset(),
                offset.leaderEpoch(),
                offset.metadata(),
                ErrorCode.NONE);
    }

    /// Deletes offsets, except those of topics that the group is subscribed to.
    public OffsetDelete.Response delete(
            OffsetDelete.Request request, Function<String, Boolean> subscribed, Turn turn) {
        List<OffsetDelete.TopicResult> results = new ArrayList<>();
        for (OffsetDelete.Topic topic : request.topics()) {
            boolean inUse = subscribed.apply(topic.name());
            List<OffsetDelete.PartitionResult> partitions = new ArrayList<>();
            for (int partition : topic.partitions()) {
                if (!inUse && exists(request.groupId(), topic.name(), partition)) {
                    turn.write(tombstone(request.groupId(), topic.name(), partition));
                }
                partitions.add(
                        new OffsetDelete.PartitionResult(
                                partition,
                                inUse ? ErrorCode.GROUP_SUBSCRIBED_TO_TOPIC : ErrorCode.NONE));
            }
            results.add(new OffsetDelete.TopicResult(topic.name(), partitions));
        }
        return new OffsetDelete.Response(results);
    }

    private boolean exists(String groupId, String topic, int partition) {
        return byGroup.getOrDefault(groupId, Map.of())
                        .getOrDefault(topic, Map.of())
                        .containsKey(partition)
                || pending.contains(groupId, topic, partition);
    }

    /// Deletes every offset of a group.
    public void deleteAll(String groupId, Turn turn) {
        offsetsOf(groupId).forEach(offset -> turn.write(tombstone(groupId, offset)));
        pending.partitionsOf(groupId).forEach(offset -> turn.write(tombstone(groupId, offset)));
    }

    public boolean hasOffsets(String groupId) {
        return byGroup.containsKey(groupId) || pending.hasGroup(groupId);
    }

    /// The groups that have offsets.
    public Set<String> groupIds() {
        return Set.copyOf(byGroup.keySet());
    }

    // Expiry.

    /// Forgets the offsets of a group that have had their time.
    public void expire(String groupId, ExpiryRule rule, Turn turn) {
        OffsetSettings limits = settings.get();
        for (TopicPartition key : offsetsOf(groupId)) {
            if (rule.subscribed().test(key.topic())) continue;
            CommittedOffset offset = offset(groupId, key).orElseThrow();
            if (hasExpired(offset, rule, limits, turn.nowMs())) turn.write(tombstone(groupId, key));
        }
    }

    private static boolean hasExpired(
            CommittedOffset offset, ExpiryRule rule, OffsetSettings limits, long nowMs) {
        if (offset.expireTimestampMs() >= 0) return nowMs >= offset.expireTimestampMs();
        if (limits.retentionMs().isEmpty()) return false;
        long baseMs = rule.emptySinceMs().orElse(offset.commitTimestampMs());
        return nowMs - baseMs >= limits.retentionMs().getAsLong();
    }

    /// Forgets the offsets of deleted topics.
    public void onTopicsDeleted(Collection<TopicsView.Topic> topics, Turn turn) {
        for (String groupId : groupIds()) {
            for (TopicsView.Topic topic : topics) {
                Map<Integer, CommittedOffset> ofTopic =
                        byGroup.getOrDefault(groupId, Map.of())
                                .getOrDefault(topic.name(), Map.of());
                for (var entry : Map.copyOf(ofTopic).entrySet()) {
                    Uuid id = entry.getValue().topicId();
                    if (id.equals(NO_TOPIC_ID) || id.equals(topic.id())) {
                        turn.write(tombstone(groupId, topic.name(), entry.getKey()));
                    }
                }
            }
        }
    }

    /// Forgets a group's offsets of topics that are gone from `topics`: their deletion may have
    /// happened while no coordinator watched. Young offsets stay, as the view may be a little
    /// behind the commit.
    public void sweepDeletedTopics(String groupId, TopicsView topics, Turn turn) {
        long youngerThanMs = turn.nowMs() - settings.get().checkIntervalMs();
        for (TopicPartition key : offsetsOf(groupId)) {
            CommittedOffset offset = offset(groupId, key).orElseThrow();
            if (offset.commitTimestampMs() > youngerThanMs) continue;
            boolean exists =
                    topics.byName(key.topic())
                            .filter(topic ->
                                    offset.topicId().equals(NO_TOPIC_ID)
                                            || topic.id().equals(offset.topicId()))
                            .isPresent();
            if (!exists) turn.write(tombstone(groupId, key));
        }
    }

    // Replay.

    /// Applies a record.
    ///
    /// @param producerId −1 outside of transactions
    public void replay(GroupRecord.Offset record, long producerId) {
        if (producerId >= 0 && record.value().isPresent()) {
            pending.add(producerId, record);
            return;
        }
        if (record.value().isPresent()) {
            byGroup.computeIfAbsent(record.groupId(), _ -> new HashMap<>())
                    .computeIfAbsent(record.topic(), _ -> new HashMap<>())
                    .put(record.partition(), record.value().get());
        } else {
            pending.remove(record.groupId(), record.topic(), record.partition());
            remove(record.groupId(), record.topic(), record.partition());
        }
    }

    /// The transaction of `producerId` ended: what it committed becomes visible, or is dropped.
    public void onTransactionEnd(long producerId, boolean committed) {
        List<GroupRecord.Offset> offsets = pending.end(producerId);
        if (committed) offsets.forEach(record -> replay(record, -1));
    }

    private void remove(String groupId, String topic, int partition) {
        Map<String, Map<Integer, CommittedOffset>> ofGroup = byGroup.get(groupId);
        if (ofGroup == null) return;
        Map<Integer, CommittedOffset> ofTopic = ofGroup.get(topic);
        if (ofTopic == null) return;
        ofTopic.remove(partition);
        if (ofTopic.isEmpty()) ofGroup.remove(topic);
        if (ofGroup.isEmpty()) byGroup.remove(groupId);
    }

    // Reading.

    public Optional<CommittedOffset> offset(String groupId, TopicPartition key) {
        return Optional.ofNullable(
                byGroup.getOrDefault(groupId, Map.of())
                        .getOrDefault(key.topic(), Map.of())
                        .get(key.partition()));
    }

    /// A snapshot of the partitions a group has offsets of.
    public List<TopicPartition> offsetsOf(String groupId) {
        List<TopicPartition> keys = new ArrayList<>();
        byGroup.getOrDefault(groupId, Map.of())
                .forEach((topic, ofTopic) ->
                        ofTopic.keySet()
                                .forEach(partition ->
                                        keys.add(new TopicPartition(topic, partition))));
        return keys;
    }

    private static GroupRecord tombstone(String groupId, TopicPartition key) {
        return tombstone(groupId, key.topic(), key.partition());
    }

    private static GroupRecord tombstone(String groupId, String topic, int partition) {
        return new GroupRecord.Offset(groupId, topic, partition, Optional.empty());
    }
}
