package dev.ottla.group.consumer;

import static dev.ottla.group.consumer.ConsumerHeartbeat.JOIN_EPOCH;
import static dev.ottla.group.consumer.ConsumerHeartbeat.LEAVE_EPOCH;
import static dev.ottla.group.consumer.ConsumerHeartbeat.LEAVE_STATIC_EPOCH;

import dev.ottla.group.assignor.Assignor;
import dev.ottla.group.assignor.UniformAssignor;
import dev.ottla.group.partition.Assignment;
import dev.ottla.group.partition.OwnedPartitions;
import dev.ottla.group.record.GroupRecord;
import dev.ottla.group.record.GroupRecord.ConsumerEpochValue;
import dev.ottla.group.record.GroupRecord.ConsumerMemberValue;
import dev.ottla.group.record.GroupRecord.CurrentAssignmentValue;
import dev.ottla.group.record.GroupRecord.TargetEpochValue;
import dev.ottla.group.shell.Refusal;
import dev.ottla.group.shell.Reply;
import dev.ottla.group.shell.TimerKey;
import dev.ottla.group.shell.TopicsView;
import dev.ottla.group.shell.Turn;
import dev.ottla.wire.ErrorCode;
import dev.ottla.wire.Uuid;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The consumer protocol over any number of [ConsumerGroup]s: takes heartbeats and timers, writes
/// records, and answers through the [Turn]. Owned by the shard thread of the coordinator.
///
/// A heartbeat goes through the same steps each time: check it; write what the member says anew;
/// raise the group epoch if that matters to others; make a new target assignment if one is due;
/// bring the member a step closer to its target. Everything that may refuse a request comes before
/// the first record.
public final class ConsumerProtocol {
    private static final Logger LOG = LoggerFactory.getLogger(ConsumerProtocol.class);

    /// Of a member that waits, in the time in which another one sends one.
    private static final int HEARTBEATS_OF_WAITING = 5;

    private final Function<String, ConsumerSettings> settings;
    private final Supplier<TopicsView> topics;
    private final Supplier<String> uniqueIds;
    private final RegexSubscriptions regexes;

    /// @param topics the newest view
    /// @param uniqueIds gives the id of a member that brings none
    public ConsumerProtocol(
            Function<String, ConsumerSettings> settings,
            Supplier<TopicsView> topics,
            Supplier<String> uniqueIds) {
        this.settings = settings;
        this.topics = topics;
        this.uniqueIds = uniqueIds;
        this.regexes = new RegexSubscriptions(settings, topics);
    }

    RegexSubscriptions regexes() {
        return regexes;
    }

    ConsumerSettings settings(ConsumerGroup group) {
        return settings.apply(group.groupId());
    }

    // Checks.

    /// Why the request is refused whatever the group, if it is.
    public Optional<Refusal> checkForm(ConsumerHeartbeat.Request request) {
        return HeartbeatCheck.form(request, settings.apply(request.groupId()).assignors());
    }

    /// Why the request is refused by `group`, if it is.
    public Optional<Refusal> check(ConsumerGroup group, ConsumerHeartbeat.Request request) {
        Optional<ConsumerMember> member =
                request.instanceId().isPresent()
                        ? group.staticMember(request.instanceId().get())
                        : group.member(request.memberId());
        return request.memberEpoch() == JOIN_EPOCH
                ? checkJoin(group, request, member)
                : checkMember(group, request, member);
    }

    private Optional<Refusal> checkJoin(
            ConsumerGroup group,
            ConsumerHeartbeat.Request request,
            Optional<ConsumerMember> member) {
        if (request.instanceId().isPresent() && member.isPresent()) {
            boolean released =
                    member.get().epoch() == LEAVE_STATIC_EPOCH
                            || member.get().isClassic()
                            || member.get().memberId().equals(request.memberId());
            if (!released) {
                return Optional.of(
                        HeartbeatCheck.unreleasedInstance(
                                group.groupId(),
                                request.instanceId().get(),
                                member.get().memberId()));
            }
        }
        return member.isPresent() ? Optional.empty() : checkRoom(group);
    }

    /// Why one more member may not join, if so.
    Optional<Refusal> checkRoom(ConsumerGroup group) {
        int maxSize = settings(group).maxSize();
        if (group.size() < maxSize) return Optional.empty();
        return Optional.of(
                Refusal.of(
                        ErrorCode.GROUP_MAX_SIZE_REACHED,
                        "Group %s has %d members, and group.consumer.max.size allows %d. Stop some members"
                                + " or raise the setting.",
                        group.groupId(),
                        group.size(),
                        maxSize));
    }

    private static Optional<Refusal> checkMember(
            ConsumerGroup group,
            ConsumerHeartbeat.Request request,
            Optional<ConsumerMember> member) {
        if (member.isEmpty()) {
            return Optional.of(HeartbeatCheck.unknownMember(group.groupId(), request.memberId()));
        }
        if (!member.get().memberId().equals(request.memberId())) {
            return Optional.of(
                    HeartbeatCheck.fencedInstance(
                            group.groupId(),
                            request.instanceId().orElse(""),
                            member.get().memberId(),
                            request.memberId()));
        }
        boolean leaves =
                request.memberEpoch() == LEAVE_EPOCH || request.memberEpoch() == LEAVE_STATIC_EPOCH;
        if (leaves) return Optional.empty();
        if (member.get().state() == MemberState.UNKNOWN) {
            return Optional.of(
                    Refusal.of(
                            ErrorCode.FENCED_MEMBER_EPOCH,
                            "Group %s: what member %s owns was written by a newer version. Give up all"
                                    + " partitions and join again with epoch 0.",
                            group.groupId(),
                            request.memberId()));
        }
        return HeartbeatCheck.epoch(
                group.groupId(), member.get(), request.memberEpoch(), request.owned());
    }

    // Heartbeat.

    /// Carries out a heartbeat that [#checkForm] and [#check] let pass and that does not leave.
    public void heartbeat(
            ConsumerGroup group,
            ConsumerHeartbeat.Request request,
            Reply<ConsumerHeartbeat.Response> reply,
            Turn turn) {
        Optional<ConsumerMember> before = enter(group, request, turn);
        String memberId =
                before.map(ConsumerMember::memberId)
                        .orElseGet(() ->
                                request.memberId().isEmpty()
                                        ? uniqueIds.get()
                                        : request.memberId());
        if (before.filter(ConsumerMember::isClassic).isPresent()) {
            // It has changed sides: nobody waits for its JoinGroup or SyncGroup any more.
            cancelTimers(group, memberId, turn);
            group.session(memberId).timerMs = ConsumerGroup.Session.NEVER;
        }
        boolean subscriptionChanged = false;
        if (before.filter(member -> saysNothingNew(request, member)).isPresent()) {
            regexes.lookUpUnresolved(group, turn);
        } else {
            subscriptionChanged = describe(group, memberId, before, info(request, before), turn);
        }
        OwnedPartitions owned =
                before.map(member -> member.current().assigned()).orElse(OwnedPartitions.EMPTY);
        Heartbeat heartbeat = new Heartbeat(memberId, request, owned, subscriptionChanged, reply);
        if (request.memberEpoch() == JOIN_EPOCH && regexes.isAwaited(group, memberId)) {
            // In a moment it is known what the pattern matches: the member then gets its part at
            // once.
            touch(group, memberId, settings(group).sessionTimeoutMs(), turn);
            group.regexLookup().joins.add(heartbeat);
        } else {
            finish(group, heartbeat, turn);
        }
    }

    /// A heartbeat whose member has been described.
    ///
    /// @param owned what the member had before
    record Heartbeat(
            String memberId,
            ConsumerHeartbeat.Request request,
            OwnedPartitions owned,
            boolean subscriptionChanged,
            Reply<ConsumerHeartbeat.Response> reply) {}

    private void finish(ConsumerGroup group, Heartbeat heartbeat, Turn turn) {
        ConsumerHeartbeat.Request request = heartbeat.request();
        String memberId = heartbeat.memberId();
        assignIfDue(group, turn);
        reconcile(group, memberId, request.owned(), heartbeat.subscriptionChanged(), turn);
        ConsumerMember after = group.existing(memberId);
        touch(group, memberId, settings(group).sessionTimeoutMs(), turn);
        boolean tell =
                request.memberEpoch() == JOIN_EPOCH
                        || request.isFull()
                        || !after.current().assigned().equals(heartbeat.owned());
        turn.complete(
                heartbeat.reply(),
                new ConsumerHeartbeat.Response(
                        memberId,
                        after.epoch(),
                        heartbeatIntervalMs(group, after),
                        tell
                                ? Optional.of(after.current().assigned().assignment())
                                : Optional.empty()));
    }

    /// A member that waits, for the next assignment or for partitions that others still have, comes
    /// more often: what it waits for is there soon, and it can be told only when it asks
    /// (docs/decisions/0017).
    private int heartbeatIntervalMs(ConsumerGroup group, ConsumerMember member) {
        int intervalMs = settings(group).heartbeatIntervalMs();
        boolean waits =
                group.groupEpoch() > group.assignmentEpoch()
                        || member.state() == MemberState.UNRELEASED_PARTITIONS;
        return waits ? Math.max(1, intervalMs / HEARTBEATS_OF_WAITING) : intervalMs;
    }

    /// The joins that waited for a pattern go on.
    private void finishJoins(ConsumerGroup group, Turn turn) {
        List<Heartbeat> joins = List.copyOf(group.regexLookup().joins);
        group.regexLookup().joins.clear();
        for (Heartbeat join : joins) {
            if (group.member(join.memberId()).isPresent()) {
                finish(group, join, turn);
            } else {
                turn.refuse(
                        join.reply(),
                        HeartbeatCheck.unknownMember(group.groupId(), join.memberId()));
            }
        }
    }

    private static void refuseJoins(ConsumerGroup group, Refusal refusal, Turn turn) {
        group.regexLookup().joins.forEach(join -> turn.refuse(join.reply(), refusal));
        group.regexLookup().joins.clear();
    }

    /// Most heartbeats are like this; they need not be looked at any closer.
    private static boolean saysNothingNew(
            ConsumerHeartbeat.Request request, ConsumerMember member) {
        return request.memberEpoch() != JOIN_EPOCH
                && request.rebalanceTimeoutMs() == -1
                && request.subscribedTopicNames().isEmpty()
                && request.subscribedTopicRegex().isEmpty()
                && request.serverAssignor().isEmpty()
                && request.rackId().isEmpty()
                && !member.isClassic()
                && member.info().clientId().equals(request.client().id())
                && member.info().clientHost().equals(request.client().host());
    }

    /// Finds the member, in the place of an earlier one of the same instance if need be.
    private Optional<ConsumerMember> enter(
            ConsumerGroup group, ConsumerHeartbeat.Request request, Turn turn) {
        Optional<ConsumerMember> previous = request.instanceId().flatMap(group::staticMember);
        if (request.memberEpoch() == JOIN_EPOCH && previous.isPresent()) {
            String memberId = request.memberId().isEmpty() ? uniqueIds.get() : request.memberId();
            return Optional.of(replace(group, previous.get(), memberId, turn));
        }
        return group.member(request.memberId());
    }

    /// Puts a static member that came back where it was before, under its new id.
    ConsumerMember replace(
            ConsumerGroup group, ConsumerMember previous, String memberId, Turn turn) {
        Assignment target = group.target(previous.memberId());
        CurrentAssignmentValue current =
                new CurrentAssignmentValue(
                        0,
                        0,
                        previous.current().state(),
                        previous.current().assigned(),
                        previous.current().pendingRevocation());
        ConsumerMemberValue info = previous.info();
        remove(group, previous.memberId(), turn);
        String groupId = group.groupId();
        turn.write(new GroupRecord.ConsumerMember(groupId, memberId, Optional.of(info)));
        turn.write(new GroupRecord.TargetAssignment(groupId, memberId, Optional.of(target)));
        turn.write(new GroupRecord.CurrentAssignment(groupId, memberId, Optional.of(current)));
        return group.existing(memberId);
    }

    private static ConsumerMemberValue info(
            ConsumerHeartbeat.Request request, Optional<ConsumerMember> before) {
        ConsumerMemberValue old =
                before.map(ConsumerMember::info).orElse(ConsumerMember.UNDESCRIBED);
        return new ConsumerMemberValue(
                request.instanceId().or(old::instanceId),
                request.rackId().or(old::rackId),
                request.client().id(),
                request.client().host(),
                request.subscribedTopicNames().orElse(old.subscribedTopicNames()),
                request.subscribedTopicRegex().isPresent()
                        ? request.subscribedTopicRegex().filter(regex -> !regex.isEmpty())
                        : old.subscribedTopicRegex(),
                request.rebalanceTimeoutMs() == -1
                        ? old.rebalanceTimeoutMs()
                        : request.rebalanceTimeoutMs(),
                request.serverAssignor().or(old::serverAssignor),
                Optional.empty());
    }

    /// Writes what a member says about itself, and a new group epoch if others are concerned. True
    /// when its subscription is another than before.
    boolean describe(
            ConsumerGroup group,
            String memberId,
            Optional<ConsumerMember> before,
            ConsumerMemberValue info,
            Turn turn) {
        boolean unchanged =
                before.filter(member -> member.info().equals(info)).isPresent()
                        && group.member(memberId).isPresent();
        if (unchanged) {
            regexes.lookUpUnresolved(group, turn);
            return false;
        }
        Optional<String> assignorBefore = group.preferredAssignor();
        Optional<String> regexBefore =
                before.flatMap(member -> member.info().subscribedTopicRegex());
        Set<String> namesBefore =
                before.map(member -> member.info().subscribedTopicNames()).orElse(Set.of());
        turn.write(new GroupRecord.ConsumerMember(group.groupId(), memberId, Optional.of(info)));
        boolean namesChanged = before.isEmpty() || !info.subscribedTopicNames().equals(namesBefore);
        boolean regexChanged = !info.subscribedTopicRegex().equals(regexBefore);
        boolean regexKnown =
                regexChanged
                        && regexes.onSubscriptionChanged(
                                group, regexBefore, info.subscribedTopicRegex(), turn);
        boolean assignorChanged =
                !before.isEmpty() && !group.preferredAssignor().equals(assignorBefore);
        if (namesChanged || regexKnown || assignorChanged) {
            String cause =
                    before.isEmpty()
                            ? "joined the group"
                            : namesChanged || regexKnown
                                    ? "changed its subscription"
                                    : "changed the group's assignor";
            raiseEpoch(group, memberId, cause, turn);
        }
        regexes.lookUpUnresolved(group, turn);
        return namesChanged || regexChanged;
    }

    /// Writes the next group epoch, so that a new target assignment becomes due.
    void raiseEpoch(ConsumerGroup group, String memberId, String cause, Turn turn) {
        group.history().add(turn.nowMs(), group.groupEpoch(), memberId, cause);
        LOG.debug("Group {} rebalances: member {} {}", group.groupId(), memberId, cause);
        turn.write(
                new GroupRecord.ConsumerEpoch(
                        group.groupId(),
                        Optional.of(
                                new ConsumerEpochValue(
                                        group.groupEpoch() + 1,
                                        group.computeMetadataHash(topics.get())))));
    }

    // Assignment.

    /// Makes a new target assignment if the group epoch asks for one and the last is long enough
    /// ago.
    void assignIfDue(ConsumerGroup group, Turn turn) {
        if (group.groupEpoch() <= group.assignmentEpoch() || group.isEmpty()) return;
        long lastMs = group.assignmentTimestampMs();
        int intervalMs = settings(group).assignmentIntervalMs();
        if (lastMs != 0 && turn.nowMs() < lastMs + intervalMs) return;
        Assignor assignor =
                group.preferredAssignor()
                        .or(() -> settings(group).assignors().stream().findFirst())
                        .flatMap(Assignor::named)
                        .orElseGet(UniformAssignor::new);
        Map<String, Assignment> targets = TargetAssignments.compute(group, topics.get(), assignor);
        for (ConsumerMember member : group.members()) {
            Assignment target = targets.getOrDefault(member.memberId(), Assignment.EMPTY);
            boolean isNew = !group.targetMembers().contains(member.memberId());
            if (!isNew && group.target(member.memberId()).equals(target)) continue;
            turn.write(
                    new GroupRecord.TargetAssignment(
                            group.groupId(), member.memberId(), Optional.of(target)));
        }
        turn.write(
                new GroupRecord.TargetEpoch(
                        group.groupId(),
                        Optional.of(new TargetEpochValue(group.groupEpoch(), turn.nowMs()))));
    }

    /// Brings a member a step closer to its target.
    ///
    /// @param reported what the member says it owns
    void reconcile(
            ConsumerGroup group,
            String memberId,
            Optional<Assignment> reported,
            boolean subscriptionChanged,
            Turn turn) {
        ConsumerMember member = group.existing(memberId);
        if (!subscriptionChanged && member.isReconciledTo(group.assignmentEpoch())) return;
        Set<Uuid> subscribed = group.subscribedTopicIds(member.info(), topics.get());
        CurrentAssignmentValue next =
                new Reconciler(
                                member.current(),
                                group.assignmentEpoch(),
                                group.target(memberId),
                                subscribed,
                                (topicId, partition) ->
                                        group.isHeldByOther(memberId, topicId, partition),
                                reported)
                        .next(subscriptionChanged);
        if (next.equals(member.current())) return;
        turn.write(new GroupRecord.CurrentAssignment(group.groupId(), memberId, Optional.of(next)));
        if (!member.isClassic()) timeRevocation(group, memberId, turn);
    }

    /// A member that has to give up partitions gets its rebalance time-out for that.
    private static void timeRevocation(ConsumerGroup group, String memberId, Turn turn) {
        ConsumerMember member = group.existing(memberId);
        ConsumerGroup.Session session = group.session(memberId);
        if (member.state() == MemberState.UNREVOKED_PARTITIONS) {
            session.revokingAtEpoch = member.epoch();
            turn.schedule(
                    memberKey(TimerKey.Kind.CONSUMER_REBALANCE, group, memberId),
                    turn.nowMs() + member.info().rebalanceTimeoutMs());
        } else if (session.revokingAtEpoch != -1) {
            session.revokingAtEpoch = -1;
            turn.cancel(memberKey(TimerKey.Kind.CONSUMER_REBALANCE, group, memberId));
        }
    }

    // Leaving.

    /// Carries out a heartbeat with epoch −2: the member's place is kept until its session ends.
    public void leaveForNow(
            ConsumerGroup group,
            ConsumerHeartbeat.Request request,
            Reply<ConsumerHeartbeat.Response> reply,
            Turn turn) {
        ConsumerMember member = group.existing(request.memberId());
        // Assignment epoch 0: whatever the next member with this instance commits counts as newer.
        CurrentAssignmentValue left =
                new CurrentAssignmentValue(
                        LEAVE_STATIC_EPOCH,
                        member.epoch(),
                        member.current().state(),
                        OwnedPartitions.of(member.current().assigned().assignment(), 0),
                        OwnedPartitions.EMPTY);
        turn.write(
                new GroupRecord.CurrentAssignment(
                        group.groupId(), member.memberId(), Optional.of(left)));
        turn.complete(reply, left(request));
    }

    public static ConsumerHeartbeat.Response left(ConsumerHeartbeat.Request request) {
        return new ConsumerHeartbeat.Response(
                request.memberId(), request.memberEpoch(), 0, Optional.empty());
    }

    /// Removes members that left or are given up. The others get their partitions with the next
    /// assignment.
    public void removeAll(
            ConsumerGroup group, Collection<String> memberIds, String cause, Turn turn) {
        if (memberIds.isEmpty()) return;
        for (String memberId : memberIds) {
            Optional<String> regex = group.existing(memberId).info().subscribedTopicRegex();
            remove(group, memberId, turn);
            regex.ifPresent(left -> regexes.forgetIfUnused(group, left, turn));
        }
        raiseEpoch(group, memberIds.iterator().next(), cause, turn);
        if (group.isEmpty()) {
            // Nobody is left to assign anything to, so the assignment is as new as can be.
            turn.write(
                    new GroupRecord.TargetEpoch(
                            group.groupId(),
                            Optional.of(new TargetEpochValue(group.groupEpoch(), 0))));
        }
    }

    private static void remove(ConsumerGroup group, String memberId, Turn turn) {
        String groupId = group.groupId();
        cancelTimers(group, memberId, turn);
        turn.write(new GroupRecord.CurrentAssignment(groupId, memberId, Optional.empty()));
        turn.write(new GroupRecord.TargetAssignment(groupId, memberId, Optional.empty()));
        turn.write(new GroupRecord.ConsumerMember(groupId, memberId, Optional.empty()));
    }

    /// Removes every trace of a group.
    public void delete(ConsumerGroup group, Turn turn) {
        String groupId = group.groupId();
        refuseJoins(
                group,
                Refusal.of(
                        ErrorCode.UNKNOWN_MEMBER_ID,
                        "Group %s changed its protocol or was deleted. Join again with epoch 0.",
                        groupId),
                turn);
        List.copyOf(group.members()).forEach(member -> remove(group, member.memberId(), turn));
        for (String regex : Set.copyOf(group.resolvedRegexes())) {
            turn.write(new GroupRecord.ResolvedRegex(groupId, regex, Optional.empty()));
        }
        turn.cancel(TimerKey.ofGroup(TimerKey.Kind.CONSUMER_REGEX, groupId));
        turn.write(new GroupRecord.TargetEpoch(groupId, Optional.empty()));
        turn.write(new GroupRecord.ConsumerEpoch(groupId, Optional.empty()));
    }

    // Sessions.

    /// The member was heard of.
    public static void touch(ConsumerGroup group, String memberId, int timeoutMs, Turn turn) {
        ConsumerGroup.Session session = group.session(memberId);
        session.deadlineMs = turn.nowMs() + timeoutMs;
        if (session.deadlineMs < session.timerMs) {
            session.timerMs = session.deadlineMs;
            turn.schedule(
                    memberKey(TimerKey.Kind.CONSUMER_SESSION, group, memberId), session.timerMs);
        }
    }

    /// Whether the member's time is over; if not, the timer is set again where it must be.
    public boolean hasExpired(ConsumerGroup group, TimerKey key, Turn turn) {
        Optional<ConsumerMember> member = group.member(key.memberId());
        if (member.isEmpty()) return false;
        ConsumerGroup.Session session = group.session(key.memberId());
        return switch (key.kind()) {
            case CONSUMER_SESSION -> {
                session.timerMs = ConsumerGroup.Session.NEVER;
                if (session.deadlineMs <= turn.nowMs()) yield true;
                session.timerMs = session.deadlineMs;
                turn.schedule(key, session.timerMs);
                yield false;
            }
            case CONSUMER_REBALANCE -> session.revokingAtEpoch == member.get().epoch();
            case CONSUMER_JOIN -> session.rejoinExpected;
            case CONSUMER_SYNC -> true;
            default -> false;
        };
    }

    static TimerKey memberKey(TimerKey.Kind kind, ConsumerGroup group, String memberId) {
        return new TimerKey(kind, group.groupId(), memberId);
    }

    private static void cancelTimers(ConsumerGroup group, String memberId, Turn turn) {
        for (TimerKey.Kind kind :
                List.of(
                        TimerKey.Kind.CONSUMER_SESSION,
                        TimerKey.Kind.CONSUMER_REBALANCE,
                        TimerKey.Kind.CONSUMER_JOIN,
                        TimerKey.Kind.CONSUMER_SYNC)) {
            turn.cancel(memberKey(kind, group, memberId));
        }
    }

    // Events.

    /// The group was read from the log: every member gets a full session, and what changed
    /// meanwhile is seen.
    public void onLoaded(ConsumerGroup group, Turn turn) {
        for (ConsumerMember member : group.members()) {
            int sessionTimeoutMs =
                    member.info()
                            .classic()
                            .map(GroupRecord.ClassicMemberMetadata::sessionTimeoutMs)
                            .orElse(settings(group).sessionTimeoutMs());
            touch(group, member.memberId(), sessionTimeoutMs, turn);
            if (!member.isClassic()) timeRevocation(group, member.memberId(), turn);
        }
        onTopicsChanged(group, "topics changed while the group was being loaded", turn);
        regexes.onLoaded(group, turn);
    }

    /// Topics that the group may be subscribed to have changed.
    public void onTopicsChanged(ConsumerGroup group, String cause, Turn turn) {
        if (group.isEmpty()) return;
        if (group.computeMetadataHash(topics.get()) == group.metadataHash()) return;
        raiseEpoch(group, "", cause, turn);
    }

    /// There are new topics that a regular expression may match.
    public void onTopicsCreated(ConsumerGroup group, Turn turn) {
        regexes.onTopicsCreated(group, turn);
    }

    /// The shell tells what the regular expressions match.
    public void onRegexesResolved(
            ConsumerGroup group, Map<String, Set<String>> matches, long version, Turn turn) {
        if (regexes.onResolved(group, new HashMap<>(matches), version, turn)) {
            raiseEpoch(group, "", "a subscribed pattern matches other topics", turn);
        }
        finishJoins(group, turn);
        regexes.lookUpUnresolved(group, turn);
    }

    /// The shell could not tell.
    public void onRegexesFailed(ConsumerGroup group, Turn turn) {
        regexes.onFailed(group, turn);
        finishJoins(group, turn);
    }

    public void onRegexTimer(ConsumerGroup group, Turn turn) {
        regexes.onTimer(group, turn);
    }

    /// Refuses what waits in a group whose coordinator goes away, and stops its timers.
    public void abandon(ConsumerGroup group, Refusal refusal, Turn turn) {
        refuseJoins(group, refusal, turn);
        group.members().forEach(member -> cancelTimers(group, member.memberId(), turn));
        turn.cancel(TimerKey.ofGroup(TimerKey.Kind.CONSUMER_REGEX, group.groupId()));
    }
}
