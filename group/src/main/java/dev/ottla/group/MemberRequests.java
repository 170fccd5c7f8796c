package dev.ottla.group;

import dev.ottla.group.classic.ClassicGroup;
import dev.ottla.group.classic.ClassicSettings;
import dev.ottla.group.classic.Heartbeat;
import dev.ottla.group.classic.JoinGroup;
import dev.ottla.group.classic.LeaveGroup;
import dev.ottla.group.classic.SyncGroup;
import dev.ottla.group.consumer.ConsumerGroup;
import dev.ottla.group.consumer.ConsumerHeartbeat;
import dev.ottla.group.consumer.ConsumerProtocol;
import dev.ottla.group.shell.MemberIdentity;
import dev.ottla.group.shell.Refusal;
import dev.ottla.group.shell.Reply;
import dev.ottla.group.shell.TimerKey;
import dev.ottla.group.shell.Turn;
import dev.ottla.wire.ErrorCode;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;

/// The requests of members, led to the protocol that their group follows, and the timers of
/// members. Owned by the coordinator's thread.
final class MemberRequests {
    private final Parts parts;
    private final Groups groups;
    private final Turn turn;

    MemberRequests(Parts parts) {
        this.parts = parts;
        this.groups = parts.groups;
        this.turn = parts.turn;
    }

    // The classic protocol.

    void joinGroup(JoinGroup.Request request, Reply<JoinGroup.Response> reply) {
        Optional<Refusal> refusal =
                Parts.checkGroupId(request.groupId())
                        .or(() -> checkSessionTimeout(request))
                        .or(() -> checkSize(request.groupId(), sizeBytes(request)));
        if (refusal.isPresent()) {
            turn.refuse(reply, refusal.get());
            return;
        }
        Optional<ConsumerGroup> consumer = groups.consumer(request.groupId());
        if (consumer.isPresent() && !consumer.get().isEmpty()) {
            joinConsumerGroup(consumer.get(), request, reply);
        } else {
            joinClassicGroup(consumer, request, reply);
        }
    }

    private void joinClassicGroup(
            Optional<ConsumerGroup> emptied,
            JoinGroup.Request request,
            Reply<JoinGroup.Response> reply) {
        Optional<ClassicGroup> existing = groups.classic(request.groupId());
        if (existing.isEmpty() && !request.member().isUnknown()) {
            turn.refuse(reply, unknownMember(request.groupId(), request.member()));
            return;
        }
        boolean plausible = !request.protocolType().isEmpty() && !request.protocols().isEmpty();
        if (emptied.isPresent() && plausible) parts.consumer.delete(emptied.get(), turn);
        boolean isNew = existing.isEmpty();
        ClassicGroup group =
                existing.orElseGet(() ->
                        new ClassicGroup(
                                request.groupId(),
                                turn.nowMs(),
                                groups.history(request.groupId())));
        if (isNew && plausible) groups.addClassic(group);
        parts.classic.join(group, isNew, request, reply, turn);
        // A refused request leaves no trace.
        if (isNew) groups.dropUnused(request.groupId());
    }

    private void joinConsumerGroup(
            ConsumerGroup group, JoinGroup.Request request, Reply<JoinGroup.Response> reply) {
        Optional<Refusal> refusal = parts.classicMembers.checkJoin(group, request, turn.nowMs());
        if (refusal.isPresent()) {
            turn.refuse(reply, refusal.get());
            return;
        }
        if (parts.classicMembers.replacesConsumer(group, request)) {
            Set<String> replaced = Set.of(staticMemberId(group, request));
            if (parts.migration.mayDowngrade(group, replaced)) {
                ClassicGroup downgraded =
                        parts.migration.downgrade(
                                group,
                                replaced,
                                "came back with the classic protocol",
                                parts.topics(),
                                turn);
                parts.classic.join(downgraded, false, request, reply, turn);
                return;
            }
        }
        parts.classicMembers.join(group, request, reply, turn);
    }

    private static String staticMemberId(ConsumerGroup group, JoinGroup.Request request) {
        return request.member().groupInstanceId().flatMap(group::staticMemberId).orElseThrow();
    }

    private Optional<Refusal> checkSessionTimeout(JoinGroup.Request request) {
        ClassicSettings settings = parts.configs.classic();
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

    /// What a member says about itself has to fit into a record.
    private Optional<Refusal> checkSize(String groupId, long sizeBytes) {
        int maxBytes = parts.configs.classic().maxRecordBytes() / 2;
        if (sizeBytes <= maxBytes) return Optional.empty();
        return Optional.of(
                Refusal.of(
                        ErrorCode.INVALID_REQUEST,
                        "Group %s: the member's subscription takes about %d bytes, and at most %d can be"
                                + " stored. Subscribe to fewer topics, or by a pattern.",
                        groupId,
                        sizeBytes,
                        maxBytes));
    }

    private static long sizeBytes(JoinGroup.Request request) {
        return request.protocols().stream()
                .mapToLong(protocol -> protocol.name().length() + protocol.metadata().sizeBytes())
                .sum();
    }

    private static long sizeBytes(ConsumerHeartbeat.Request request) {
        return request.subscribedTopicNames().stream()
                .flatMap(Set::stream)
                .mapToLong(name -> name.length() + 2L)
                .sum();
    }

    void syncGroup(SyncGroup.Request request, Reply<SyncGroup.Response> reply) {
        Optional<ClassicGroup> classic = groups.classic(request.groupId());
        Optional<ConsumerGroup> consumer = groups.consumer(request.groupId());
        if (classic.isPresent()) {
            parts.classic.sync(classic.get(), request, reply, turn);
        } else if (consumer.isPresent()) {
            parts.classicMembers.sync(consumer.get(), request, reply, turn);
        } else {
            turn.refuse(reply, noGroupOf(request.groupId(), request.member()));
        }
    }

    void heartbeat(Heartbeat.Request request, Reply<Heartbeat.Response> reply) {
        Optional<ClassicGroup> classic = groups.classic(request.groupId());
        Optional<ConsumerGroup> consumer = groups.consumer(request.groupId());
        if (classic.isPresent()) {
            parts.classic.heartbeat(classic.get(), request, reply, turn);
        } else if (consumer.isPresent()) {
            parts.classicMembers.heartbeat(consumer.get(), request, reply, turn);
        } else {
            turn.refuse(reply, noGroupOf(request.groupId(), request.member()));
        }
    }

    void leaveGroup(LeaveGroup.Request request, Reply<LeaveGroup.Response> reply) {
        Optional<Refusal> refusal = Parts.checkGroupId(request.groupId());
        Optional<ClassicGroup> classic = groups.classic(request.groupId());
        Optional<ConsumerGroup> consumer = groups.consumer(request.groupId());
        if (refusal.isPresent()) {
            turn.refuse(reply, refusal.get());
        } else if (classic.isPresent()) {
            LeaveGroup.Response response = parts.classic.leave(classic.get(), request, turn);
            turn.complete(reply, response);
        } else if (consumer.isPresent()) {
            Set<String> leaving = new LinkedHashSet<>();
            LeaveGroup.Response response =
                    parts.classicMembers.findLeaving(consumer.get(), request, leaving);
            parts.migration.remove(consumer.get(), leaving, "left the group", parts.topics(), turn);
            turn.complete(reply, response);
        } else {
            turn.refuse(reply, Parts.noSuchGroup(ErrorCode.UNKNOWN_MEMBER_ID, request.groupId()));
        }
    }

    private static Refusal noGroupOf(String groupId, MemberIdentity member) {
        return Parts.checkGroupId(groupId).orElseGet(() -> unknownMember(groupId, member));
    }

    private static Refusal unknownMember(String groupId, MemberIdentity member) {
        return Refusal.of(
                ErrorCode.UNKNOWN_MEMBER_ID,
                "Group %s does not exist, so it has no member %s. Join the group without a member id.",
                groupId,
                member);
    }

    // The consumer protocol.

    void consumerHeartbeat(
            ConsumerHeartbeat.Request request, Reply<ConsumerHeartbeat.Response> reply) {
        Optional<Refusal> refusal =
                parts.consumer
                        .checkForm(request)
                        .or(() -> checkSize(request.groupId(), sizeBytes(request)));
        if (refusal.isPresent()) {
            turn.refuse(reply, refusal.get());
            return;
        }
        Optional<ConsumerGroup> existing = groups.consumer(request.groupId());
        if (existing.isPresent()) {
            refusal = parts.consumer.check(existing.get(), request);
        } else if (request.memberEpoch() != ConsumerHeartbeat.JOIN_EPOCH) {
            refusal =
                    Optional.of(Parts.noSuchGroup(ErrorCode.GROUP_ID_NOT_FOUND, request.groupId()));
        } else {
            refusal = groups.classic(request.groupId()).flatMap(parts.migration::checkUpgrade);
        }
        if (refusal.isPresent()) {
            turn.refuse(reply, refusal.get());
            return;
        }
        switch (request.memberEpoch()) {
            case ConsumerHeartbeat.LEAVE_EPOCH -> leave(existing.orElseThrow(), request, reply);
            case ConsumerHeartbeat.LEAVE_STATIC_EPOCH ->
                    parts.consumer.leaveForNow(existing.orElseThrow(), request, reply, turn);
            default ->
                    parts.consumer.heartbeat(
                            existing.orElseGet(() -> makeConsumerGroup(request.groupId())),
                            request,
                            reply,
                            turn);
        }
    }

    private ConsumerGroup makeConsumerGroup(String groupId) {
        return groups.classic(groupId)
                .map(classic -> parts.migration.upgrade(classic, parts.topics(), turn))
                .orElseGet(() -> groups.addConsumer(groupId));
    }

    private void leave(
            ConsumerGroup group,
            ConsumerHeartbeat.Request request,
            Reply<ConsumerHeartbeat.Response> reply) {
        parts.migration.remove(
                group, Set.of(request.memberId()), "left the group", parts.topics(), turn);
        turn.complete(reply, ConsumerProtocol.left(request));
    }

    // Timers.

    void onTimer(TimerKey key) {
        switch (key.kind()) {
            case CLASSIC_SESSION ->
                    groups.classic(key.groupId())
                            .ifPresent(group ->
                                    parts.classic.onSessionTimer(group, key.memberId(), turn));
            case CLASSIC_JOIN ->
                    groups.classic(key.groupId())
                            .ifPresent(group -> parts.classic.onJoinTimer(group, turn));
            case CLASSIC_SYNC ->
                    groups.classic(key.groupId())
                            .ifPresent(group -> parts.classic.onSyncTimer(group, turn));
            case CONSUMER_SESSION -> giveUp(key, "was not heard of for its session time-out");
            case CONSUMER_REBALANCE ->
                    giveUp(key, "did not give up partitions within its rebalance time-out");
            case CONSUMER_JOIN -> giveUp(key, "did not rejoin within its rebalance time-out");
            case CONSUMER_SYNC -> giveUp(key, "did not sync within its rebalance time-out");
            case CONSUMER_REGEX ->
                    groups.consumer(key.groupId())
                            .ifPresent(group -> parts.consumer.onRegexTimer(group, turn));
            case OFFSET_EXPIRY ->
                    throw new IllegalArgumentException(key + " is no timer of a member");
        }
    }

    private void giveUp(TimerKey key, String cause) {
        Optional<ConsumerGroup> group = groups.consumer(key.groupId());
        if (group.isEmpty() || !parts.consumer.hasExpired(group.get(), key, turn)) return;
        parts.migration.remove(group.get(), Set.of(key.memberId()), cause, parts.topics(), turn);
    }
}
