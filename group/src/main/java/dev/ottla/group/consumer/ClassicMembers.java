package dev.ottla.group.consumer;

import dev.ottla.group.classic.Heartbeat;
import dev.ottla.group.classic.JoinGroup;
import dev.ottla.group.classic.LeaveGroup;
import dev.ottla.group.classic.LeaveGroup.Left;
import dev.ottla.group.classic.SyncGroup;
import dev.ottla.group.partition.Assignment;
import dev.ottla.group.partition.OwnedPartitions;
import dev.ottla.group.partition.PartitionSet;
import dev.ottla.group.record.Bytes;
import dev.ottla.group.record.ConsumerProtocolCodec;
import dev.ottla.group.record.ConsumerProtocolCodec.Subscription;
import dev.ottla.group.record.GroupRecord.ClassicMemberMetadata;
import dev.ottla.group.record.GroupRecord.ClassicProtocolValue;
import dev.ottla.group.record.GroupRecord.ConsumerMemberValue;
import dev.ottla.group.shell.MemberIdentity;
import dev.ottla.group.shell.Refusal;
import dev.ottla.group.shell.Reply;
import dev.ottla.group.shell.TimerKey;
import dev.ottla.group.shell.TopicsView;
import dev.ottla.group.shell.Turn;
import dev.ottla.wire.ErrorCode;
import dev.ottla.wire.Uuid;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/// Members that still speak the classic protocol in a consumer group, while its members are
/// exchanged one by one. To them the coordinator is the leader: JoinGroup brings the subscription
/// and is answered at once with the member epoch as the generation, SyncGroup fetches the part, and
/// Heartbeat says when to rejoin. Owned by the shard thread of the coordinator.
public final class ClassicMembers {
    private static final String CONSUMER = "consumer";

    private final ConsumerProtocol protocol;
    private final Supplier<TopicsView> topics;
    private final Supplier<String> uniqueIds;

    public ClassicMembers(
            ConsumerProtocol protocol, Supplier<TopicsView> topics, Supplier<String> uniqueIds) {
        this.protocol = protocol;
        this.topics = topics;
        this.uniqueIds = uniqueIds;
    }

    // JoinGroup.

    /// Whether `request` comes from a static member in the place of one that speaks the consumer
    /// protocol.
    public boolean replacesConsumer(ConsumerGroup group, JoinGroup.Request request) {
        return request.member().isUnknown()
                && request.member()
                        .groupInstanceId()
                        .flatMap(group::staticMember)
                        .filter(member -> !member.isClassic())
                        .isPresent();
    }

    /// Why `group` refuses `request`, if it does.
    public Optional<Refusal> checkJoin(ConsumerGroup group, JoinGroup.Request request, long nowMs) {
        if (protocol.settings(group).migrationPolicy()
                == ConsumerSettings.MigrationPolicy.DISABLED) {
            return Optional.of(
                    inconsistent(
                            group,
                            "uses the consumer protocol, and group.consumer.migration.policy=disabled"
                                    + " keeps classic members out. Set group.protocol=consumer in the"
                                    + " client"));
        }
        List<String> names = request.protocols().stream().map(ClassicProtocolValue::name).toList();
        if (!group.supportsClassicProtocols(request.protocolType(), names)) {
            return Optional.of(
                    inconsistent(
                            group,
                            "has classic members that do not speak one of "
                                    + names
                                    + " of type '"
                                    + request.protocolType()
                                    + "'. Give all of them a common assignor"));
        }
        if (subscription(request.protocols()).isEmpty()) {
            return Optional.of(
                    inconsistent(
                            group,
                            "takes consumers only, and the member's metadata is no subscription of"
                                    + " theirs. Use another group"));
        }
        return checkPlace(group, request.member(), nowMs);
    }

    private Optional<Refusal> checkPlace(ConsumerGroup group, MemberIdentity identity, long nowMs) {
        Optional<ConsumerMember> fixed = identity.groupInstanceId().flatMap(group::staticMember);
        if (identity.groupInstanceId().isPresent() && !identity.isUnknown()) {
            return checkStatic(group, identity, fixed);
        }
        boolean known = fixed.isPresent() || group.member(identity.memberId()).isPresent();
        if (known) return Optional.empty();
        if (!identity.isUnknown() && !group.expected().isExpected(identity.memberId(), nowMs)) {
            // It was given up and may still use its partitions: it has to hear of that.
            return Optional.of(HeartbeatCheck.unknownMember(group.groupId(), identity.memberId()));
        }
        return protocol.checkRoom(group);
    }

    private static Optional<Refusal> checkStatic(
            ConsumerGroup group, MemberIdentity identity, Optional<ConsumerMember> owner) {
        if (owner.isEmpty()) {
            return Optional.of(HeartbeatCheck.unknownMember(group.groupId(), identity.toString()));
        }
        if (owner.get().memberId().equals(identity.memberId())) return Optional.empty();
        return Optional.of(
                HeartbeatCheck.fencedInstance(
                        group.groupId(),
                        identity.groupInstanceId().orElse(""),
                        owner.get().memberId(),
                        identity.memberId()));
    }

    private static Refusal inconsistent(ConsumerGroup group, String what) {
        return Refusal.of(
                ErrorCode.INCONSISTENT_GROUP_PROTOCOL, "Group %s %s.", group.groupId(), what);
    }

    private static Optional<Subscription> subscription(List<ClassicProtocolValue> protocols) {
        return protocols.stream()
                .findFirst()
                .flatMap(first -> ConsumerProtocolCodec.subscription(first.metadata()));
    }

    /// Carries out a JoinGroup that [#checkJoin] let pass.
    public void join(
            ConsumerGroup group,
            JoinGroup.Request request,
            Reply<JoinGroup.Response> reply,
            Turn turn) {
        MemberIdentity identity = request.member();
        boolean fixed = identity.groupInstanceId().isPresent();
        if (identity.isUnknown() && !fixed && request.requiresKnownMemberId()) {
            String memberId = uniqueIds.get();
            long expiresMs = turn.nowMs() + request.sessionTimeoutMs();
            group.expected().add(memberId, expiresMs, turn.nowMs());
            turn.complete(reply, new JoinGroup.MemberIdRequired(memberId));
            return;
        }
        group.expected().remove(identity.memberId());
        Optional<ConsumerMember> before = enter(group, identity, turn);
        String memberId =
                before.map(ConsumerMember::memberId)
                        .orElseGet(
                                () -> identity.isUnknown() ? uniqueIds.get() : identity.memberId());
        Subscription subscription = subscription(request.protocols()).orElseThrow();
        boolean changed =
                protocol.describe(
                        group, memberId, before, info(request, subscription, before), turn);
        protocol.assignIfDue(group, turn);
        protocol.reconcile(group, memberId, Optional.of(owned(subscription)), changed, turn);
        awaitSync(group, memberId, request, turn);
        turn.complete(
                reply,
                new JoinGroup.Joined(
                        memberId,
                        group.existing(memberId).epoch(),
                        Optional.of(CONSUMER),
                        Optional.of(request.protocols().getFirst().name()),
                        "",
                        false,
                        List.of()));
    }

    private Optional<ConsumerMember> enter(
            ConsumerGroup group, MemberIdentity identity, Turn turn) {
        Optional<ConsumerMember> previous = identity.groupInstanceId().flatMap(group::staticMember);
        if (previous.isPresent() && identity.isUnknown()) {
            return Optional.of(protocol.replace(group, previous.get(), uniqueIds.get(), turn));
        }
        return group.member(identity.memberId());
    }

    private static ConsumerMemberValue info(
            JoinGroup.Request request, Subscription subscription, Optional<ConsumerMember> before) {
        return new ConsumerMemberValue(
                request.member().groupInstanceId(),
                subscription.rackId().or(() -> before.flatMap(member -> member.info().rackId())),
                request.client().id(),
                request.client().host(),
                subscription.topics(),
                Optional.empty(),
                request.rebalanceTimeoutMs(),
                before.flatMap(member -> member.info().serverAssignor()),
                Optional.of(
                        new ClassicMemberMetadata(
                                request.sessionTimeoutMs(), request.protocols())));
    }

    /// An eager member names nothing here, because it gives up everything before it joins.
    private Assignment owned(Subscription subscription) {
        Map<Uuid, PartitionSet> owned = new HashMap<>();
        subscription
                .owned()
                .forEach((name, partitions) ->
                        topics.get()
                                .byName(name)
                                .ifPresent(topic -> owned.put(topic.id(), partitions)));
        return new Assignment(owned);
    }

    private static void awaitSync(
            ConsumerGroup group, String memberId, JoinGroup.Request request, Turn turn) {
        group.session(memberId).rejoinExpected = false;
        turn.cancel(ConsumerProtocol.memberKey(TimerKey.Kind.CONSUMER_JOIN, group, memberId));
        ConsumerProtocol.touch(group, memberId, request.sessionTimeoutMs(), turn);
        turn.schedule(
                ConsumerProtocol.memberKey(TimerKey.Kind.CONSUMER_SYNC, group, memberId),
                turn.nowMs() + request.rebalanceTimeoutMs());
    }

    // SyncGroup and Heartbeat.

    public void sync(
            ConsumerGroup group,
            SyncGroup.Request request,
            Reply<SyncGroup.Response> reply,
            Turn turn) {
        Optional<Refusal> refusal =
                checkMember(group, request.member(), request.generationId())
                        .or(() -> checkProtocol(group, request));
        if (refusal.isPresent()) {
            turn.refuse(reply, refusal.get());
            return;
        }
        ConsumerMember member = group.existing(request.member().memberId());
        boolean behind =
                member.epoch() < group.assignmentEpoch()
                        && member.state() != MemberState.UNREVOKED_PARTITIONS;
        if (behind) {
            turn.refuse(reply, rejoin(group, member, turn));
            return;
        }
        turn.cancel(
                ConsumerProtocol.memberKey(TimerKey.Kind.CONSUMER_SYNC, group, member.memberId()));
        ConsumerProtocol.touch(group, member.memberId(), sessionTimeoutMs(member), turn);
        turn.complete(
                reply,
                new SyncGroup.Response(
                        request.protocolType(), request.protocolName(), assignment(member)));
    }

    public void heartbeat(
            ConsumerGroup group,
            Heartbeat.Request request,
            Reply<Heartbeat.Response> reply,
            Turn turn) {
        Optional<Refusal> refusal = checkMember(group, request.member(), request.generationId());
        if (refusal.isPresent()) {
            turn.refuse(reply, refusal.get());
            return;
        }
        ConsumerMember member = group.existing(request.member().memberId());
        ConsumerProtocol.touch(group, member.memberId(), sessionTimeoutMs(member), turn);
        protocol.assignIfDue(group, turn);
        boolean released =
                member.state() == MemberState.UNRELEASED_PARTITIONS
                        && !group.waitsForOthers(member);
        boolean mustRejoin =
                member.epoch() < group.assignmentEpoch()
                        || member.state() == MemberState.UNREVOKED_PARTITIONS
                        || released;
        if (mustRejoin) turn.refuse(reply, rejoin(group, member, turn));
        else turn.complete(reply, Heartbeat.Response.ALIVE);
    }

    /// Tells a member to rejoin, and gives it its rebalance time-out for that.
    private static Refusal rejoin(ConsumerGroup group, ConsumerMember member, Turn turn) {
        ConsumerGroup.Session session = group.session(member.memberId());
        if (!session.rejoinExpected) {
            session.rejoinExpected = true;
            turn.schedule(
                    ConsumerProtocol.memberKey(
                            TimerKey.Kind.CONSUMER_JOIN, group, member.memberId()),
                    turn.nowMs() + member.info().rebalanceTimeoutMs());
        }
        return Refusal.of(
                ErrorCode.REBALANCE_IN_PROGRESS,
                "Group %s has a new assignment for member %s. Join the group again.",
                group.groupId(),
                member.memberId());
    }

    private static Optional<Refusal> checkMember(
            ConsumerGroup group, MemberIdentity identity, int generationId) {
        if (identity.groupInstanceId().isPresent()) {
            Optional<Refusal> refusal =
                    checkStatic(
                            group, identity, group.staticMember(identity.groupInstanceId().get()));
            if (refusal.isPresent()) return refusal;
        }
        Optional<ConsumerMember> member =
                group.member(identity.memberId()).filter(ConsumerMember::isClassic);
        if (member.isEmpty()) {
            return Optional.of(HeartbeatCheck.unknownMember(group.groupId(), identity.toString()));
        }
        if (member.get().epoch() == generationId) return Optional.empty();
        return Optional.of(
                Refusal.of(
                        ErrorCode.ILLEGAL_GENERATION,
                        "Group %s: member %s is at generation %d, the request names %d. Join the group"
                                + " again.",
                        group.groupId(),
                        identity.memberId(),
                        member.get().epoch(),
                        generationId));
    }

    private static Optional<Refusal> checkProtocol(ConsumerGroup group, SyncGroup.Request request) {
        String name =
                group.existing(request.member().memberId()).info().classic().stream()
                        .flatMap(classic -> classic.protocols().stream())
                        .map(ClassicProtocolValue::name)
                        .findFirst()
                        .orElse("");
        boolean sameType = request.protocolType().orElse(CONSUMER).equals(CONSUMER);
        boolean sameName = request.protocolName().orElse(name).equals(name);
        return sameType && sameName
                ? Optional.empty()
                : Optional.of(
                        inconsistent(
                                group,
                                "told the member to use protocol '"
                                        + name
                                        + "' of type 'consumer'. Join the group again"));
    }

    private static int sessionTimeoutMs(ConsumerMember member) {
        return member.info().classic().map(ClassicMemberMetadata::sessionTimeoutMs).orElse(0);
    }

    /// What a classic member gets to hear of `owned`, in the version it speaks.
    public static Bytes encode(
            Assignment owned, List<ClassicProtocolValue> protocols, TopicsView topics) {
        short version = subscription(protocols).map(Subscription::version).orElse((short) 0);
        Map<String, PartitionSet> byName = new HashMap<>();
        owned.topics()
                .forEach((topicId, partitions) ->
                        topics.byId(topicId)
                                .ifPresent(topic -> byName.put(topic.name(), partitions)));
        return ConsumerProtocolCodec.encodeAssignment(byName, version);
    }

    private Bytes assignment(ConsumerMember member) {
        OwnedPartitions assigned = member.current().assigned();
        List<ClassicProtocolValue> protocols =
                member.info().classic().map(ClassicMemberMetadata::protocols).orElse(List.of());
        return encode(assigned.assignment(), protocols, topics.get());
    }

    // LeaveGroup.

    /// Finds who leaves; the caller removes them.
    ///
    /// @param leaving gets the member ids
    public LeaveGroup.Response findLeaving(
            ConsumerGroup group, LeaveGroup.Request request, Set<String> leaving) {
        List<Left> results = new ArrayList<>(request.members().size());
        for (LeaveGroup.Leaver leaver : request.members()) {
            MemberIdentity identity = leaver.member();
            Optional<ConsumerMember> member =
                    identity.groupInstanceId().isPresent()
                            ? identity.groupInstanceId().flatMap(group::staticMember)
                            : group.member(identity.memberId());
            Optional<Refusal> refusal =
                    identity.groupInstanceId().isPresent() && !identity.isUnknown()
                            ? checkStatic(group, identity, member)
                            : member.isPresent()
                                    ? Optional.empty()
                                    : Optional.of(
                                            HeartbeatCheck.unknownMember(
                                                    group.groupId(), identity.toString()));
            if (refusal.isEmpty()) {
                member.ifPresent(present -> leaving.add(present.memberId()));
            }
            results.add(new Left(identity, refusal));
        }
        return new LeaveGroup.Response(results);
    }
}
