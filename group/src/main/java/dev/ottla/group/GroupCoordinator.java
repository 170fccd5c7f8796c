package dev.ottla.group;

import static dev.ottla.wire.Check.check;

import dev.ottla.group.ListedGroup.GroupType;
import dev.ottla.group.classic.ClassicGroup;
import dev.ottla.group.classic.ClassicProtocol;
import dev.ottla.group.classic.ClassicSettings;
import dev.ottla.group.classic.DescribedGroup;
import dev.ottla.group.classic.Heartbeat;
import dev.ottla.group.classic.JoinGroup;
import dev.ottla.group.classic.LeaveGroup;
import dev.ottla.group.classic.SyncGroup;
import dev.ottla.group.consumer.ConsumerHeartbeat;
import dev.ottla.group.consumer.DescribedConsumerGroup;
import dev.ottla.group.history.RebalanceHistory;
import dev.ottla.group.offset.ExpiryRule;
import dev.ottla.group.offset.OffsetCommit;
import dev.ottla.group.offset.OffsetDelete;
import dev.ottla.group.offset.OffsetFetch;
import dev.ottla.group.offset.OffsetStore;
import dev.ottla.group.record.GroupRecord;
import dev.ottla.group.record.GroupRecordCodec;
import dev.ottla.group.shell.Effects;
import dev.ottla.group.shell.MemberIdentity;
import dev.ottla.group.shell.Refusal;
import dev.ottla.group.shell.Reply;
import dev.ottla.group.shell.TimerKey;
import dev.ottla.group.shell.TopicsView;
import dev.ottla.group.shell.Turn;
import dev.ottla.wire.ErrorCode;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
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
    private final GroupConfigs configs;
    private final Turn turn;
    private final ClassicProtocol classic;
    private final OffsetStore offsets;
    private final Map<String, ClassicGroup> groups = new HashMap<>();
    private TopicsView topics = TopicsView.EMPTY;
    private boolean loaded;

    /// @param uniqueIds gives a new random text (a UUID) for each new member id
    public GroupCoordinator(GroupConfigs configs, Effects effects, Supplier<String> uniqueIds) {
        this.configs = configs;
        this.turn = new Turn(effects, record -> replay(record, -1));
        this.classic = new ClassicProtocol(configs::classic, uniqueIds);
        this.offsets = new OffsetStore(configs::offsets);
    }

    // Loading.

    /// Applies one record of the partition, in the order of the log.
    ///
    /// @param producerId of a record inside a transaction, −1 otherwise
    public void replay(ByteBuffer key, Optional<ByteBuffer> value, long producerId) {
        replay(GroupRecordCodec.decode(key, value), producerId);
    }

    /// A transaction marker stands in the log.
    public void replayTransactionEnd(long producerId, boolean committed) {
        offsets.onTransactionEnd(producerId, committed);
    }

    private void replay(GroupRecord record, long producerId) {
        switch (record) {
            case GroupRecord.Offset offset -> {
                // A group that only commits has no record of its own.
                if (offset.value().isPresent()) {
                    groups.computeIfAbsent(offset.groupId(), id -> newGroup(id, 0));
                }
                offsets.replay(offset, producerId);
            }
            case GroupRecord.Classic group ->
                    group.value()
                            .ifPresentOrElse(
                                    value ->
                                            groups.put(
                                                    group.groupId(),
                                                    ClassicGroup.restore(
                                                            group.groupId(),
                                                            value,
                                                            new RebalanceHistory())),
                                    () -> groups.remove(group.groupId()));
            case GroupRecord.ConsumerEpoch _,
                    GroupRecord.ConsumerMember _,
                    GroupRecord.TargetEpoch _,
                    GroupRecord.TargetAssignment _,
                    GroupRecord.CurrentAssignment _,
                    GroupRecord.ResolvedRegex _,
                    GroupRecord.Unknown _ -> {}
        }
    }

    private static ClassicGroup newGroup(String groupId, long nowMs) {
        return new ClassicGroup(groupId, nowMs, new RebalanceHistory());
    }

    /// The log has been replayed to its end: sessions start, requests may come.
    public void onLoaded(TopicsView view, long nowMs) {
        check(!loaded, "the coordinator is loaded already");
        loaded = true;
        topics = view;
        operate(
                nowMs,
                () -> {
                    List.copyOf(groups.values()).forEach(group -> classic.onLoaded(group, turn));
                    scheduleExpiry();
                });
    }

    /// Answers everything that waits with `refusal` and stops the timers; the coordinator is not
    /// used afterwards.
    public void abandon(Refusal refusal, long nowMs) {
        operate(
                nowMs,
                () -> groups.values().forEach(group -> classic.abandon(group, refusal, turn)));
    }

    private void operate(long nowMs, Runnable operation) {
        check(loaded, "the coordinator is not loaded yet");
        turn.begin(nowMs);
        operation.run();
        turn.end();
    }

    // Events.

    public void onTimer(TimerKey key, long nowMs) {
        operate(
                nowMs,
                () -> {
                    if (key.kind() == TimerKey.Kind.OFFSET_EXPIRY) {
                        expireOffsets();
                        scheduleExpiry();
                        return;
                    }
                    ClassicGroup group = groups.get(key.groupId());
                    if (group == null) return;
                    switch (key.kind()) {
                        case CLASSIC_SESSION -> classic.onSessionTimer(group, key.memberId(), turn);
                        case CLASSIC_JOIN -> classic.onJoinTimer(group, turn);
                        case CLASSIC_SYNC -> classic.onSyncTimer(group, turn);
                        case CONSUMER_SESSION,
                                CONSUMER_REBALANCE,
                                CONSUMER_JOIN,
                                CONSUMER_SYNC,
                                CONSUMER_REGEX,
                                OFFSET_EXPIRY -> {}
                    }
                });
    }

    /// The cluster has other topics than before.
    public void onTopicsChanged(TopicsView view, TopicChanges changes, long nowMs) {
        operate(
                nowMs,
                () -> {
                    topics = view;
                    if (!changes.deleted().isEmpty()) {
                        offsets.onTopicsDeleted(changes.deleted(), turn);
                    }
                });
    }

    /// The shell has evaluated the regular expressions of [Effects#resolveRegexes].
    ///
    /// @param matches topics by regular expression
    /// @param version of the view they were evaluated on
    public void onRegexesResolved(
            String groupId, Map<String, Set<String>> matches, long version, long nowMs) {
        operate(nowMs, () -> {});
    }

    /// The shell could not evaluate them; the coordinator asks again later.
    public void onRegexesFailed(String groupId, long nowMs) {
        operate(nowMs, () -> {});
    }

    // Requests of members.

    public void joinGroup(JoinGroup.Request request, Reply<JoinGroup.Response> reply, long nowMs) {
        operate(
                nowMs,
                () -> {
                    Optional<Refusal> refusal =
                            checkGroupId(request.groupId()).or(() -> checkSessionTimeout(request));
                    if (refusal.isPresent()) {
                        turn.refuse(reply, refusal.get());
                        return;
                    }
                    ClassicGroup group = groups.get(request.groupId());
                    if (group == null && !request.member().isUnknown()) {
                        turn.refuse(reply, unknownMember(request.groupId(), request.member()));
                        return;
                    }
                    boolean isNew = group == null;
                    if (group == null) {
                        group = newGroup(request.groupId(), nowMs);
                        groups.put(request.groupId(), group);
                    }
                    classic.join(group, isNew, request, reply, turn);
                    // A refused request leaves no trace.
                    if (isNew && group.isUnused()) groups.remove(request.groupId());
                });
    }

    private Optional<Refusal> checkSessionTimeout(JoinGroup.Request request) {
        ClassicSettings settings = configs.classic();
        int timeoutMs = request.sessionTimeoutMs();
        boolean inRange =
                timeoutMs >= settings.minSessionTimeoutMs()
                        && timeoutMs <= settings.maxSessionTimeoutMs();
        if (inRange) return Optional.empty();
        return Optional.of(
                Refusal.of(
                        ErrorCode.INVALID_SESSION_TIMEOUT,
                        "Group %s: session.timeout.ms is %d, the broker allows %d to %d. Change it in the"
                                + " client, or group.min.session.timeout.ms and"
                                + " group.max.session.timeout.ms in the broker.",
                        request.groupId(),
                        timeoutMs,
                        settings.minSessionTimeoutMs(),
                        settings.maxSessionTimeoutMs()));
    }

    public void syncGroup(SyncGroup.Request request, Reply<SyncGroup.Response> reply, long nowMs) {
        operate(
                nowMs,
                () ->
                        withGroupOfMember(
                                request.groupId(),
                                request.member(),
                                reply,
                                group -> classic.sync(group, request, reply, turn)));
    }

    public void heartbeat(Heartbeat.Request request, Reply<Heartbeat.Response> reply, long nowMs) {
        operate(
                nowMs,
                () ->
                        withGroupOfMember(
                                request.groupId(),
                                request.member(),
                                reply,
                                group -> classic.heartbeat(group, request, reply, turn)));
    }

    public void leaveGroup(
            LeaveGroup.Request request, Reply<LeaveGroup.Response> reply, long nowMs) {
        operate(
                nowMs,
                () -> {
                    Optional<Refusal> refusal = checkGroupId(request.groupId());
                    if (refusal.isPresent()) {
                        turn.refuse(reply, refusal.get());
                        return;
                    }
                    ClassicGroup group = groups.get(request.groupId());
                    if (group == null) {
                        turn.refuse(
                                reply, noSuchGroup(ErrorCode.UNKNOWN_MEMBER_ID, request.groupId()));
                        return;
                    }
                    LeaveGroup.Response response = classic.leave(group, request, turn);
                    turn.complete(reply, response);
                });
    }

    private void withGroupOfMember(
            String groupId,
            MemberIdentity member,
            Reply<?> reply,
            Consumer<ClassicGroup> operation) {
        Optional<Refusal> refusal = checkGroupId(groupId);
        if (refusal.isPresent()) {
            turn.refuse(reply, refusal.get());
            return;
        }
        ClassicGroup group = groups.get(groupId);
        if (group == null) turn.refuse(reply, unknownMember(groupId, member));
        else operation.accept(group);
    }

    /// ConsumerGroupHeartbeat.
    public void consumerHeartbeat(
            ConsumerHeartbeat.Request request,
            Reply<ConsumerHeartbeat.Response> reply,
            long nowMs) {
        operate(
                nowMs,
                () ->
                        turn.refuse(
                                reply,
                                Refusal.of(
                                        ErrorCode.UNSUPPORTED_VERSION,
                                        "Group %s: the consumer protocol is not there yet. Use"
                                                + " group.protocol=classic.",
                                        request.groupId())));
    }

    // Offsets.

    public void offsetCommit(
            OffsetCommit.Request request, Reply<OffsetCommit.Response> reply, long nowMs) {
        operate(
                nowMs,
                () -> {
                    Optional<Refusal> refusal =
                            checkGroupId(request.groupId()).or(() -> checkCommit(request));
                    if (refusal.isPresent()) {
                        turn.refuse(reply, refusal.get());
                        return;
                    }
                    switch (offsets.commit(request, OffsetStore.PartitionCheck.NONE, turn)) {
                        case OffsetStore.CommitOutcome.Committed(var response) ->
                                turn.complete(reply, response);
                        case OffsetStore.CommitOutcome.Refused(var reason) ->
                                turn.refuse(reply, reason);
                    }
                });
    }

    private Optional<Refusal> checkCommit(OffsetCommit.Request request) {
        ClassicGroup group = groups.get(request.groupId());
        if (group == null) {
            // Without a generation it is no member that commits: the first commit makes the group.
            if (request.generationIdOrMemberEpoch() < 0) return Optional.empty();
            return Optional.of(
                    noSuchGroup(
                            request.apiVersion() >= 9
                                    ? ErrorCode.GROUP_ID_NOT_FOUND
                                    : ErrorCode.ILLEGAL_GENERATION,
                            request.groupId()));
        }
        Optional<Refusal> refusal =
                group.checkCommit(request.member(), request.generationIdOrMemberEpoch(), false);
        if (refusal.isEmpty()) classic.onCommit(group, request.member().memberId(), turn);
        return refusal;
    }

    public void offsetFetch(
            OffsetFetch.Request request, Reply<OffsetFetch.Response> reply, long nowMs) {
        operate(
                nowMs,
                () ->
                        checkGroupId(request.groupId())
                                .ifPresentOrElse(
                                        refusal -> turn.refuse(reply, refusal),
                                        () -> turn.complete(reply, offsets.fetch(request))));
    }

    public void offsetDelete(
            OffsetDelete.Request request, Reply<OffsetDelete.Response> reply, long nowMs) {
        operate(
                nowMs,
                () -> {
                    ClassicGroup group = groups.get(request.groupId());
                    Optional<Refusal> refusal =
                            checkGroupId(request.groupId())
                                    .or(() ->
                                            group == null
                                                    ? Optional.of(
                                                            noSuchGroup(
                                                                    ErrorCode.GROUP_ID_NOT_FOUND,
                                                                    request.groupId()))
                                                    : group.checkOffsetDelete());
                    if (refusal.isPresent()) {
                        turn.refuse(reply, refusal.get());
                        return;
                    }
                    Function<String, Boolean> subscribed =
                            topic -> group != null && group.isSubscribedTo(topic);
                    OffsetDelete.Response response = offsets.delete(request, subscribed, turn);
                    turn.complete(reply, response);
                });
    }

    private void expireOffsets() {
        for (String groupId : Set.copyOf(groups.keySet())) {
            ClassicGroup group = groups.get(groupId);
            if (group == null) continue;
            offsets.sweepDeletedTopics(groupId, topics, turn);
            expiryRule(group).ifPresent(rule -> offsets.expire(groupId, rule, turn));
            // A group without members and offsets is nothing to remember.
            if (group.isEmpty() && group.isUnused() && !offsets.hasOffsets(groupId)) {
                turn.write(new GroupRecord.Classic(groupId, Optional.empty()));
            }
        }
    }

    private static Optional<ExpiryRule> expiryRule(ClassicGroup group) {
        if (group.protocolType().isEmpty()) {
            return Optional.of(new ExpiryRule(OptionalLong.empty(), _ -> false));
        }
        return switch (group.state()) {
            case EMPTY ->
                    Optional.of(
                            new ExpiryRule(
                                    group.stateTimestampMs() < 0
                                            ? OptionalLong.empty()
                                            : OptionalLong.of(group.stateTimestampMs()),
                                    _ -> false));
            case STABLE ->
                    group.subscribedTopics()
                            .map(names -> new ExpiryRule(OptionalLong.empty(), names::contains));
            case PREPARING_REBALANCE, COMPLETING_REBALANCE, DEAD -> Optional.empty();
        };
    }

    private void scheduleExpiry() {
        turn.schedule(
                new TimerKey(TimerKey.Kind.OFFSET_EXPIRY, "", ""),
                turn.nowMs() + configs.offsets().checkIntervalMs());
    }

    // Requests of administrators.

    /// DescribeGroups of one group; refused when there is no such classic group.
    public void describeGroup(String groupId, Reply<DescribedGroup> reply, long nowMs) {
        operate(
                nowMs,
                () -> {
                    ClassicGroup group = groups.get(groupId);
                    if (group == null) {
                        turn.refuse(reply, noSuchGroup(ErrorCode.GROUP_ID_NOT_FOUND, groupId));
                    } else {
                        turn.complete(reply, group.describe());
                    }
                });
    }

    /// ConsumerGroupDescribe of one group; refused when there is no such consumer group.
    public void describeConsumerGroup(
            String groupId, Reply<DescribedConsumerGroup> reply, long nowMs) {
        operate(
                nowMs,
                () -> turn.refuse(reply, noSuchGroup(ErrorCode.GROUP_ID_NOT_FOUND, groupId)));
    }

    /// ListGroups: the groups in one of `states` and of one of `types`, compared without case.
    /// Empty sets filter nothing.
    public void listGroups(
            Collection<String> states,
            Collection<String> types,
            Reply<List<ListedGroup>> reply,
            long nowMs) {
        operate(
                nowMs,
                () -> {
                    List<ListedGroup> listed = new ArrayList<>();
                    for (ClassicGroup group : groups.values()) {
                        ListedGroup candidate =
                                new ListedGroup(
                                        group.groupId(),
                                        group.protocolType().orElse(""),
                                        group.state().label(),
                                        GroupType.CLASSIC);
                        if (passes(candidate.state(), states)
                                && passes(candidate.type().label(), types)) {
                            listed.add(candidate);
                        }
                    }
                    turn.complete(reply, List.copyOf(listed));
                });
    }

    private static boolean passes(String value, Collection<String> filter) {
        return filter.isEmpty() || filter.stream().anyMatch(value::equalsIgnoreCase);
    }

    /// DeleteGroups of one group, with its offsets; completes with the group's id.
    public void deleteGroup(String groupId, Reply<String> reply, long nowMs) {
        operate(
                nowMs,
                () -> {
                    ClassicGroup group = groups.get(groupId);
                    Optional<Refusal> refusal =
                            checkGroupId(groupId)
                                    .or(() ->
                                            group == null
                                                    ? Optional.of(
                                                            noSuchGroup(
                                                                    ErrorCode.GROUP_ID_NOT_FOUND,
                                                                    groupId))
                                                    : group.checkDelete());
                    if (refusal.isPresent()) {
                        turn.refuse(reply, refusal.get());
                        return;
                    }
                    offsets.deleteAll(groupId, turn);
                    turn.write(new GroupRecord.Classic(groupId, Optional.empty()));
                    turn.complete(reply, groupId);
                });
    }

    /// Why a group rebalanced lately, newest last.
    public List<RebalanceHistory.Entry> rebalances(String groupId) {
        ClassicGroup group = groups.get(groupId);
        return group == null ? List.of() : group.history().entries();
    }

    /// Groups in this coordinator.
    public int groupCount() {
        return groups.size();
    }

    private static Optional<Refusal> checkGroupId(String groupId) {
        if (!groupId.isEmpty()) return Optional.empty();
        return Optional.of(
                Refusal.of(
                        ErrorCode.INVALID_GROUP_ID,
                        "The group id is empty. Set group.id to a name of at least one character."));
    }

    private static Refusal unknownMember(String groupId, MemberIdentity member) {
        return Refusal.of(
                ErrorCode.UNKNOWN_MEMBER_ID,
                "Group %s does not exist, so it has no member %s. Join the group without a member id.",
                groupId,
                member);
    }

    private static Refusal noSuchGroup(ErrorCode error, String groupId) {
        return Refusal.of(
                error,
                "Group %s does not exist here. Check the name, or join it or commit to it first.",
                groupId);
    }

    /// Throws when the state contradicts itself. For simulations.
    public void checkInvariants() {
        groups.values().forEach(ClassicGroup::checkInvariants);
    }
}
