package dev.ottla.group;

import static dev.ottla.wire.Check.check;

import dev.ottla.group.classic.DescribedGroup;
import dev.ottla.group.classic.Heartbeat;
import dev.ottla.group.classic.JoinGroup;
import dev.ottla.group.classic.LeaveGroup;
import dev.ottla.group.classic.SyncGroup;
import dev.ottla.group.consumer.ConsumerGroup;
import dev.ottla.group.consumer.ConsumerHeartbeat;
import dev.ottla.group.consumer.DescribedConsumerGroup;
import dev.ottla.group.history.RebalanceHistory;
import dev.ottla.group.offset.OffsetCommit;
import dev.ottla.group.offset.OffsetDelete;
import dev.ottla.group.offset.OffsetFetch;
import dev.ottla.group.record.GroupRecordCodec;
import dev.ottla.group.shell.Effects;
import dev.ottla.group.shell.Refusal;
import dev.ottla.group.shell.Reply;
import dev.ottla.group.shell.TimerKey;
import dev.ottla.group.shell.TopicsView;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/// The group coordinator of one partition of `__consumer_offsets`: every group whose id hashes
/// there, with its members and offsets. A state machine without IO: requests, timers and events go
/// in with the time, and what shall happen comes out through [Effects]. Owned by the partition's
/// shard thread.
///
/// Life: make one, [#replay] every record of the partition, [#onLoaded], then operations, and in
/// the end [#abandon]. Answers may depend on records that are not committed yet; the effects hold
/// them back until they are. When an append fails, the coordinator is dropped and loaded again (see
/// [Effects]).
public final class GroupCoordinator {
    private final Parts parts;
    private final MemberRequests members;
    private final OffsetRequests offsets;
    private final AdminRequests admin;
    private boolean loaded;

    /// Makes a coordinator without any group.
    ///
    /// @param uniqueIds gives a new random text (a UUID) for each new member id
    public GroupCoordinator(GroupConfigs configs, Effects effects, Supplier<String> uniqueIds) {
        this.parts = new Parts(configs, effects, uniqueIds);
        this.members = new MemberRequests(parts);
        this.offsets = new OffsetRequests(parts);
        this.admin = new AdminRequests(parts);
    }

    // Loading.

    /// Applies one record of the partition, in the order of the log.
    ///
    /// @param producerId of a record inside a transaction, −1 otherwise
    public void replay(ByteBuffer key, Optional<ByteBuffer> value, long producerId) {
        parts.groups.replay(GroupRecordCodec.decode(key, value), producerId);
    }

    /// A transaction marker stands in the log.
    public void replayTransactionEnd(long producerId, boolean committed) {
        parts.offsets.onTransactionEnd(producerId, committed);
    }

    /// The log has been replayed to its end: sessions start, requests may come. Every member gets a
    /// full session.
    public void onLoaded(TopicsView topics, long nowMs) {
        check(!loaded, "the coordinator is loaded already");
        loaded = true;
        parts.setTopics(topics);
        parts.groups.addGroupsOfOffsets();
        operate(
                nowMs,
                () -> {
                    parts.groups.forgetHistories();
                    parts.groups
                            .allClassic()
                            .forEach(group -> parts.classic.onLoaded(group, parts.turn));
                    parts.groups
                            .allConsumer()
                            .forEach(group -> parts.consumer.onLoaded(group, parts.turn));
                    offsets.scheduleExpiry();
                });
    }

    /// Answers everything that waits with `refusal` and stops the timers; the coordinator is not
    /// used afterwards.
    public void abandon(Refusal refusal, long nowMs) {
        operate(
                nowMs,
                () -> {
                    parts.groups
                            .allClassic()
                            .forEach(group -> parts.classic.abandon(group, refusal, parts.turn));
                    parts.groups
                            .allConsumer()
                            .forEach(group -> parts.consumer.abandon(group, refusal, parts.turn));
                    parts.turn.cancel(new TimerKey(TimerKey.Kind.OFFSET_EXPIRY, "", ""));
                });
    }

    private void operate(long nowMs, Runnable operation) {
        check(loaded, "the coordinator is not loaded yet");
        parts.turn.begin(nowMs);
        try {
            operation.run();
        } catch (RuntimeException e) {
            parts.turn.discard();
            throw e;
        }
        parts.turn.end();
    }

    // Events.

    /// A timer that was scheduled through the effects goes off.
    public void onTimer(TimerKey key, long nowMs) {
        operate(
                nowMs,
                () -> {
                    if (key.kind() == TimerKey.Kind.OFFSET_EXPIRY) offsets.expire();
                    else members.onTimer(key);
                });
    }

    /// The cluster has other topics than before: offsets of deleted ones go, and groups that
    /// subscribe to changed ones rebalance.
    public void onTopicsChanged(TopicsView topics, TopicChanges changes, long nowMs) {
        operate(
                nowMs,
                () -> {
                    parts.setTopics(topics);
                    if (!changes.deleted().isEmpty()) {
                        parts.offsets.onTopicsDeleted(changes.deleted(), parts.turn);
                    }
                    for (ConsumerGroup group : parts.groups.allConsumer()) {
                        if (changes.changed().stream().anyMatch(group::isSubscribedTo)) {
                            parts.consumer.onTopicsChanged(
                                    group, "subscribed topics changed", parts.turn);
                        }
                        if (changes.created()) parts.consumer.onTopicsCreated(group, parts.turn);
                    }
                });
    }

    /// The shell has evaluated the regular expressions of [Effects#resolveRegexes].
    ///
    /// @param matches topics by regular expression
    /// @param version of the view they were evaluated on
    public void onRegexesResolved(
            String groupId, Map<String, Set<String>> matches, long version, long nowMs) {
        operate(
                nowMs,
                () ->
                        parts.groups
                                .consumer(groupId)
                                .ifPresent(group ->
                                        parts.consumer.onRegexesResolved(
                                                group, matches, version, parts.turn)));
    }

    /// The shell could not evaluate them; the coordinator asks again later.
    public void onRegexesFailed(String groupId, long nowMs) {
        operate(
                nowMs,
                () ->
                        parts.groups
                                .consumer(groupId)
                                .ifPresent(group ->
                                        parts.consumer.onRegexesFailed(group, parts.turn)));
    }

    // Requests of members.

    public void joinGroup(JoinGroup.Request request, Reply<JoinGroup.Response> reply, long nowMs) {
        operate(nowMs, () -> members.joinGroup(request, reply));
    }

    public void syncGroup(SyncGroup.Request request, Reply<SyncGroup.Response> reply, long nowMs) {
        operate(nowMs, () -> members.syncGroup(request, reply));
    }

    public void heartbeat(Heartbeat.Request request, Reply<Heartbeat.Response> reply, long nowMs) {
        operate(nowMs, () -> members.heartbeat(request, reply));
    }

    public void leaveGroup(
            LeaveGroup.Request request, Reply<LeaveGroup.Response> reply, long nowMs) {
        operate(nowMs, () -> members.leaveGroup(request, reply));
    }

    /// ConsumerGroupHeartbeat.
    public void consumerHeartbeat(
            ConsumerHeartbeat.Request request,
            Reply<ConsumerHeartbeat.Response> reply,
            long nowMs) {
        operate(nowMs, () -> members.consumerHeartbeat(request, reply));
    }

    // Offsets.

    public void offsetCommit(
            OffsetCommit.Request request, Reply<OffsetCommit.Response> reply, long nowMs) {
        operate(nowMs, () -> offsets.commit(request, reply));
    }

    public void offsetFetch(
            OffsetFetch.Request request, Reply<OffsetFetch.Response> reply, long nowMs) {
        operate(nowMs, () -> offsets.fetch(request, reply));
    }

    public void offsetDelete(
            OffsetDelete.Request request, Reply<OffsetDelete.Response> reply, long nowMs) {
        operate(nowMs, () -> offsets.delete(request, reply));
    }

    // Requests of administrators.

    /// DescribeGroups of one group; refused when there is no such classic group.
    public void describeGroup(String groupId, Reply<DescribedGroup> reply, long nowMs) {
        operate(nowMs, () -> admin.describeGroup(groupId, reply));
    }

    /// ConsumerGroupDescribe of one group; refused when there is no such consumer group.
    public void describeConsumerGroup(
            String groupId, Reply<DescribedConsumerGroup> reply, long nowMs) {
        operate(nowMs, () -> admin.describeConsumerGroup(groupId, reply));
    }

    /// ListGroups: the groups in one of `states` and of one of `types`, compared without case.
    /// Empty sets filter nothing.
    public void listGroups(
            Collection<String> states,
            Collection<String> types,
            Reply<List<ListedGroup>> reply,
            long nowMs) {
        operate(nowMs, () -> admin.listGroups(states, types, reply));
    }

    /// DeleteGroups of one group, with its offsets; completes with the group's id.
    public void deleteGroup(String groupId, Reply<String> reply, long nowMs) {
        operate(nowMs, () -> admin.deleteGroup(groupId, reply));
    }

    /// Why a group rebalanced lately, newest last.
    public List<RebalanceHistory.Entry> rebalances(String groupId) {
        return admin.rebalances(groupId);
    }

    /// Groups in this coordinator.
    public int groupCount() {
        return parts.groups.count();
    }

    /// Throws when the state contradicts itself. For simulations.
    public void checkInvariants() {
        parts.groups.checkInvariants();
    }
}
