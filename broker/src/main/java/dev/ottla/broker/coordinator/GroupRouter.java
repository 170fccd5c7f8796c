package dev.ottla.broker.coordinator;

import dev.ottla.broker.partition.PartitionManager;
import dev.ottla.broker.shard.Shards;
import dev.ottla.group.shell.Refusal;
import dev.ottla.group.shell.Reply;
import dev.ottla.metadata.image.ClusterImage;
import dev.ottla.metadata.image.TopicState;
import dev.ottla.wire.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Finds the shard of a group's coordinator. Thread-safe: immutable but for the published image.
public final class GroupRouter implements GroupCoordinators {
    private static final Logger LOG = LoggerFactory.getLogger(GroupRouter.class);

    private final Supplier<ClusterImage> image;
    private final Shards shards;
    private final List<GroupShard> groupShards;
    private final Supplier<Integer> partitionsOfNewTopic;

    /// @param managers of all shards, in their order
    /// @param partitionsOfNewTopic `offsets.topic.num.partitions`, for as long as there is no topic
    public GroupRouter(
            Supplier<ClusterImage> image,
            Shards shards,
            List<PartitionManager> managers,
            GroupCoordinatorParts parts,
            Supplier<Integer> partitionsOfNewTopic) {
        this.image = image;
        this.shards = shards;
        this.partitionsOfNewTopic = partitionsOfNewTopic;
        List<GroupShard> all = new ArrayList<>();
        for (PartitionManager manager : managers) all.add(new GroupShard(manager, parts));
        this.groupShards = List.copyOf(all);
        // Posted before the shards begin, so no leadership is missed.
        for (int i = 0; i < managers.size(); i++) {
            PartitionManager manager = managers.get(i);
            GroupShard groupShard = groupShards.get(i);
            manager.shard().execute(() -> manager.addListener(groupShard));
        }
    }

    @Override
    public int partitionOf(String groupId) {
        int count =
                image.get()
                        .topic(InternalTopics.CONSUMER_OFFSETS)
                        .map(TopicState::partitionCount)
                        .orElseGet(partitionsOfNewTopic);
        return (groupId.hashCode() & Integer.MAX_VALUE) % count;
    }

    @Override
    public <T> void call(String groupId, Operation<T> operation, Reply<T> reply) {
        post(groupId, operation, reply, true);
    }

    @Override
    public <T> void read(String groupId, Operation<T> operation, Reply<T> reply) {
        post(groupId, operation, reply, false);
    }

    private <T> void post(
            String groupId, Operation<T> operation, Reply<T> reply, boolean mayWrite) {
        Optional<TopicState> topic = image.get().topic(InternalTopics.CONSUMER_OFFSETS);
        if (topic.isEmpty()) {
            reply.refuse(
                    Refusal.of(
                            ErrorCode.COORDINATOR_NOT_AVAILABLE,
                            "Topic %s does not exist yet: find the coordinator of group %s first, which creates it.",
                            InternalTopics.CONSUMER_OFFSETS,
                            groupId));
            return;
        }
        int partition = partitionOf(groupId);
        int index = shards.indexOf(topic.get().id(), partition);
        GroupShard owner = groupShards.get(index);
        shards.all()
                .get(index)
                .execute(() -> owner.call(topic.get().id(), partition, operation, reply, mayWrite));
    }

    @Override
    public <T> void callAll(Operation<T> operation, Reply<All<T>> reply) {
        GatheredReplies<T> gathered = new GatheredReplies<>(groupShards.size(), reply);
        for (GroupShard each : groupShards) {
            each.shard().execute(() -> askSafely(each, operation, gathered));
        }
    }

    private static <T> void askSafely(
            GroupShard shard, Operation<T> operation, GatheredReplies<T> gathered) {
        try {
            ask(shard, operation, gathered);
        } catch (RuntimeException e) {
            LOG.error("A request to all coordinators failed.", e);
        }
    }

    private static <T> void ask(
            GroupShard shard, Operation<T> operation, GatheredReplies<T> gathered) {
        int loading = shard.loadingCount();
        List<GroupHost> active = shard.hosts().stream().filter(GroupHost::isActive).toList();
        gathered.expect(active.size() + loading);
        for (int i = 0; i < loading; i++) {
            gathered.refuse(
                    Refusal.of(
                            ErrorCode.COORDINATOR_LOAD_IN_PROGRESS,
                            "A coordinator is still being read: try again."));
        }
        active.forEach(host -> host.run(operation, gathered, false));
        gathered.shardAsked();
    }
}
