package dev.ottla.group.classic;

import dev.ottla.group.classic.LeaveGroup.Left;
import dev.ottla.group.record.Bytes;
import dev.ottla.group.record.GroupRecord;
import dev.ottla.group.record.GroupRecordCodec;
import dev.ottla.group.shell.MemberIdentity;
import dev.ottla.group.shell.Refusal;
import dev.ottla.group.shell.Reply;
import dev.ottla.group.shell.TimerKey;
import dev.ottla.group.shell.Turn;
import dev.ottla.wire.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The classic protocol over any number of [ClassicGroup]s: takes requests and timers, moves the
/// group on, and answers through the [Turn]. Has no state of its own besides its settings. Owned by
/// the shard thread of the coordinator.
///
/// Sessions cost one timer per member, not one per heartbeat: a heartbeat moves the deadline, and
/// the timer is set again only when it goes off too early.
public final class ClassicProtocol {
    private static final Logger LOG = LoggerFactory.getLogger(ClassicProtocol.class);

    /// How long a new member may wait in its first join. It cannot heartbeat, and its connection
    /// may be gone.
    private static final long NEW_MEMBER_JOIN_TIMEOUT_MS = 300_000;

    /// Member ids that a group may have handed out and not seen again.
    private static final int MAX_PENDING_JOINS = 10_000;

    /// How much of a client id goes into the member id.
    private static final int MAX_CLIENT_ID_CHARS = 255;

    private final Supplier<ClassicSettings> settings;
    private final Supplier<String> uniqueIds;

    /// @param uniqueIds gives the unique part of each new member id
    public ClassicProtocol(Supplier<ClassicSettings> settings, Supplier<String> uniqueIds) {
        this.settings = settings;
        this.uniqueIds = uniqueIds;
    }

    // JoinGroup.

    /// A member joins, for the first time or again.
    ///
    /// @param isNew the group was made for this request and is not in the log yet
    public void join(
            ClassicGroup group,
            boolean isNew,
            JoinGroup.Request request,
            Reply<JoinGroup.Response> reply,
            Turn turn) {
        Optional<Refusal> refusal = checkJoin(group, request);
        if (refusal.isPresent()) {
            turn.refuse(reply, refusal.get());
            return;
        }
        if (isNew) {
            turn.writeApplied(
                    new GroupRecord.Classic(group.groupId(), Optional.of(group.newGroupValue())));
        }
        if (request.member().isUnknown()) {
            joinNew(group, request, reply, turn);
        } else {
            joinKnown(group, request, reply, turn);
        }
    }

    private Optional<Refusal> checkJoin(ClassicGroup group, JoinGroup.Request request) {
        if (!hasRoom(group, request.member().memberId())) {
            group.removePendingJoin(request.member().memberId());
            return Optional.of(
                    Refusal.of(
                            ErrorCode.GROUP_MAX_SIZE_REACHED,
                            "Group %s has %d members, and group.max.size allows %d. Stop some members"
                                    + " or raise the setting.",
                            group.groupId(),
                            group.size(),
                            settings.get().maxSize()));
        }
        if (!group.supports(request.protocolType(), request.protocols())) {
            return Optional.of(
                    Refusal.of(
                            ErrorCode.INCONSISTENT_GROUP_PROTOCOL,
                            "Group %s is of type '%s'; a member of type '%s' that speaks %s shares no"
                                    + " protocol with all of its members. Give all members of the group at"
                                    + " least one common assignor.",
                            group.groupId(),
                            group.protocolType().orElse(""),
                            request.protocolType(),
                            request.protocols().stream()
                                    .map(protocol -> protocol.name())
                                    .toList()));
        }
        return Optional.empty();
    }

    private boolean hasRoom(ClassicGroup group, String memberId) {
        int maxSize = settings.get().maxSize();
        return switch (group.state()) {
            case EMPTY, DEAD -> true;
            case PREPARING_REBALANCE ->
                    group.member(memberId).filter(ClassicMember::isAwaitingJoin).isPresent()
                            || group.awaitingJoinCount() < maxSize;
            case COMPLETING_REBALANCE, STABLE ->
                    group.hasMember(memberId) || group.size() < maxSize;
        };
    }

    private void joinNew(
            ClassicGroup group,
            JoinGroup.Request request,
            Reply<JoinGroup.Response> reply,
            Turn turn) {
        Optional<String> instanceId = request.member().groupInstanceId();
        String prefix = instanceId.orElse(request.client().id());
        String memberId =
                prefix.substring(0, Math.min(prefix.length(), MAX_CLIENT_ID_CHARS))
                        + "-"
                        + uniqueIds.get();
        MemberIdentity identity = new MemberIdentity(memberId, instanceId);
        if (instanceId.isEmpty() && request.requiresKnownMemberId()) {
            if (group.pendingJoinCount() >= MAX_PENDING_JOINS) {
                turn.refuse(reply, tooManyPending(group));
                return;
            }
            long expiresMs = turn.nowMs() + request.sessionTimeoutMs();
            group.addPendingJoin(memberId, expiresMs);
            turn.schedule(sessionKey(group, memberId), expiresMs);
            turn.complete(reply, new JoinGroup.MemberIdRequired(memberId));
            return;
        }
        Optional<ClassicMember> previous =
                instanceId.flatMap(group::staticMemberId).flatMap(group::member);
        if (previous.isPresent()) {
            replaceStatic(group, previous.get(), identity, request, reply, turn);
        } else {
            addMember(group, identity, request, reply, turn);
        }
    }

    private static Refusal tooManyPending(ClassicGroup group) {
        return Refusal.of(
                ErrorCode.GROUP_MAX_SIZE_REACHED,
                "Group %s has given out %d member ids that nobody used yet. Wait a session time-out, and look"
                        + " for a client that asks to join again and again.",
                group.groupId(),
                group.pendingJoinCount());
    }

    private void joinKnown(
            ClassicGroup group,
            JoinGroup.Request request,
            Reply<JoinGroup.Response> reply,
            Turn turn) {
        MemberIdentity identity = request.member();
        if (group.isPendingJoin(identity.memberId())) {
            if (identity.groupInstanceId().isPresent()) {
                // Such ids are given out to dynamic members only.
                turn.refuse(reply, group.unknownMember(identity));
                return;
            }
            addMember(group, identity, request, reply, turn);
            return;
        }
        Optional<Refusal> refusal = group.checkMember(identity);
        if (refusal.isPresent()) {
            turn.refuse(reply, refusal.get());
            return;
        }
        ClassicMember member = group.member(identity.memberId()).orElseThrow();
        boolean same = member.protocols.equals(request.protocols());
        switch (group.state()) {
            case PREPARING_REBALANCE -> rejoin(group, member, request, reply, "rejoined", turn);
            case COMPLETING_REBALANCE -> {
                // The answer to the member's first join may have been lost: tell it again.
                if (same) turn.complete(reply, joined(group, member, false));
                else rejoin(group, member, request, reply, "changed its protocols", turn);
            }
            case STABLE -> {
                if (group.isLeader(member.memberId)) {
                    rejoin(group, member, request, reply, "rejoined as the leader", turn);
                } else if (!same) {
                    rejoin(group, member, request, reply, "changed its protocols", turn);
                } else {
                    turn.complete(reply, joined(group, member, false));
                }
            }
            case EMPTY, DEAD -> turn.refuse(reply, group.unknownMember(identity));
        }
    }

    private void addMember(
            ClassicGroup group,
            MemberIdentity identity,
            JoinGroup.Request request,
            Reply<JoinGroup.Response> reply,
            Turn turn) {
        ClassicMember member =
                new ClassicMember(
                        identity,
                        request.client(),
                        request.sessionTimeoutMs(),
                        request.rebalanceTimeoutMs(),
                        request.protocols());
        member.isNew = true;
        member.awaitingJoin = reply;
        if (group.is(ClassicState.PREPARING_REBALANCE)
                && group.previousState() == ClassicState.EMPTY) {
            group.markNewMember(true);
        }
        group.add(member, request.protocolType());
        touch(group, member, NEW_MEMBER_JOIN_TIMEOUT_MS, turn);
        rebalanceOrComplete(
                group, member.memberId, "joined the group" + request.reasonOrDefault(), turn);
    }

    private void rejoin(
            ClassicGroup group,
            ClassicMember member,
            JoinGroup.Request request,
            Reply<JoinGroup.Response> reply,
            String cause,
            Turn turn) {
        update(group, member, request, reply, turn);
        rebalanceOrComplete(group, member.memberId, cause + request.reasonOrDefault(), turn);
    }

    private void update(
            ClassicGroup group,
            ClassicMember member,
            JoinGroup.Request request,
            Reply<JoinGroup.Response> reply,
            Turn turn) {
        group.updateProtocols(member, request.protocols());
        member.rebalanceTimeoutMs = request.rebalanceTimeoutMs();
        member.sessionTimeoutMs = request.sessionTimeoutMs();
        if (member.awaitingJoin == null) {
            group.joinArrived(member);
        } else {
            // The client gave up on its first request and sent another one.
            turn.refuse(member.awaitingJoin, rebalanceInProgress(group));
        }
        member.awaitingJoin = reply;
    }

    /// A static member came back under a new member id.
    private void replaceStatic(
            ClassicGroup group,
            ClassicMember previous,
            MemberIdentity identity,
            JoinGroup.Request request,
            Reply<JoinGroup.Response> reply,
            Turn turn) {
        Optional<String> previousLeader = group.leaderId();
        Refusal fenced =
                Refusal.of(
                        ErrorCode.FENCED_INSTANCE_ID,
                        "Group %s: instance %s joined again as member %s. If that was another process,"
                                + " give each its own group.instance.id.",
                        group.groupId(),
                        identity.groupInstanceId().orElse(""),
                        identity.memberId());
        answerJoin(group, previous, fenced, turn);
        answerSync(previous, fenced, turn);
        turn.cancel(sessionKey(group, previous.memberId));
        ClassicMember member =
                new ClassicMember(
                        identity,
                        request.client(),
                        request.sessionTimeoutMs(),
                        request.rebalanceTimeoutMs(),
                        request.protocols());
        group.replace(previous, member);
        touch(group, member, member.sessionTimeoutMs, turn);
        String cause = "static member " + identity + " joined again" + request.reasonOrDefault();
        switch (group.state()) {
            case STABLE -> {
                if (group.protocolName().equals(Optional.of(group.selectProtocol()))) {
                    // Its part of the assignment stays valid, so nobody else need know.
                    turn.writeApplied(
                            new GroupRecord.Classic(group.groupId(), Optional.of(group.value())));
                    turn.complete(reply, replaced(group, member, request, previousLeader));
                } else {
                    awaitJoin(group, member, reply);
                    rebalanceOrComplete(
                            group, member.memberId, cause + ", which changes the protocol", turn);
                }
            }
            case COMPLETING_REBALANCE -> {
                // The leader may be assigning to the old member id: start over.
                awaitJoin(group, member, reply);
                prepareRebalance(group, member.memberId, cause, turn);
            }
            case PREPARING_REBALANCE -> {
                awaitJoin(group, member, reply);
                maybeCompleteJoin(group, turn);
            }
            case EMPTY, DEAD ->
                    throw new IllegalStateException(
                            "group %s is %s and has static member %s"
                                    .formatted(group.groupId(), group.state(), identity));
        }
    }

    private static void awaitJoin(
            ClassicGroup group, ClassicMember member, Reply<JoinGroup.Response> reply) {
        member.awaitingJoin = reply;
        group.joinArrived(member);
    }

    private JoinGroup.Joined replaced(
            ClassicGroup group,
            ClassicMember member,
            JoinGroup.Request request,
            Optional<String> previousLeader) {
        if (request.supportsSkippingAssignment()) {
            return joined(group, member, group.isLeader(member.memberId));
        }
        // An older client must not believe it leads, or it would assign and expect a rebalance: it
        // is told
        // the leader's previous id, which may be its own old one.
        return new JoinGroup.Joined(
                member.memberId,
                group.generationId(),
                group.protocolType(),
                group.protocolName(),
                previousLeader.orElse(""),
                false,
                List.of());
    }

    private static JoinGroup.Joined joined(
            ClassicGroup group, ClassicMember member, boolean skipAssignment) {
        return new JoinGroup.Joined(
                member.memberId,
                group.generationId(),
                group.protocolType(),
                group.protocolName(),
                group.leaderId().orElse(""),
                skipAssignment,
                group.isLeader(member.memberId) ? group.joinMembers() : List.of());
    }

    // The rebalance.

    private void rebalanceOrComplete(ClassicGroup group, String memberId, String cause, Turn turn) {
        switch (group.state()) {
            case EMPTY, STABLE, COMPLETING_REBALANCE ->
                    prepareRebalance(group, memberId, cause, turn);
            case PREPARING_REBALANCE -> maybeCompleteJoin(group, turn);
            case DEAD -> {}
        }
    }

    private void prepareRebalance(ClassicGroup group, String memberId, String cause, Turn turn) {
        if (group.is(ClassicState.COMPLETING_REBALANCE)) {
            refuseSyncs(group, rebalanceInProgress(group), turn);
        }
        stopWaitingForSyncs(group, turn);
        group.history().add(turn.nowMs(), group.generationId(), memberId, cause);
        LOG.debug("Group {} rebalances: member {} {}", group.groupId(), memberId, cause);
        if (group.isEmpty()) {
            long delayMs = settings.get().initialRebalanceDelayMs();
            long leftMs = Math.max(group.rebalanceTimeoutMs() - delayMs, 0);
            group.becomePreparing(turn.nowMs(), leftMs);
            group.markNewMember(false);
            turn.schedule(joinKey(group), turn.nowMs() + delayMs);
        } else {
            group.becomePreparing(turn.nowMs(), 0);
            turn.schedule(joinKey(group), turn.nowMs() + group.rebalanceTimeoutMs());
            maybeCompleteJoin(group, turn);
        }
    }

    private void maybeCompleteJoin(ClassicGroup group, Turn turn) {
        if (group.is(ClassicState.PREPARING_REBALANCE)
                && group.hasAllMembersJoined()
                && group.previousState() != ClassicState.EMPTY) {
            completeJoin(group, turn);
        }
    }

    /// The time to join is over: those who are there form the next generation.
    public void onJoinTimer(ClassicGroup group, Turn turn) {
        if (!group.is(ClassicState.PREPARING_REBALANCE)) return;
        long leftMs = group.initialDelayLeftMs();
        if (group.previousState() == ClassicState.EMPTY && group.hasNewMember() && leftMs > 0) {
            // Someone came while a new group waited: wait for more, within the rebalance time-out.
            long initialDelayMs = settings.get().initialRebalanceDelayMs();
            group.markNewMember(false);
            group.shortenInitialDelay(Math.max(leftMs - initialDelayMs, 0));
            turn.schedule(joinKey(group), turn.nowMs() + Math.min(initialDelayMs, leftMs));
            return;
        }
        completeJoin(group, turn);
    }

    private void completeJoin(ClassicGroup group, Turn turn) {
        turn.cancel(joinKey(group));
        for (ClassicMember member : List.copyOf(group.members())) {
            if (member.isAwaitingJoin() || member.isStatic()) continue;
            removeQuietly(group, member, turn);
        }
        if (group.size() > 0 && !group.electJoinedLeader()) {
            // Only static members are left and none came back. They keep their place until their
            // session
            // ends.
            turn.schedule(joinKey(group), turn.nowMs() + group.rebalanceTimeoutMs());
            return;
        }
        if (group.size() == 0) {
            group.becomeEmpty(turn.nowMs());
            turn.writeApplied(new GroupRecord.Classic(group.groupId(), Optional.of(group.value())));
            return;
        }
        group.becomeCompleting(turn.nowMs());
        for (ClassicMember member : group.members()) {
            if (member.awaitingJoin != null) {
                turn.complete(member.awaitingJoin, joined(group, member, false));
                member.awaitingJoin = null;
                group.joinAnswered();
            }
            touch(group, member, member.sessionTimeoutMs, turn);
            member.isNew = false;
            group.expectSync(member.memberId);
        }
        turn.schedule(syncKey(group), turn.nowMs() + group.rebalanceTimeoutMs());
    }

    private void removeQuietly(ClassicGroup group, ClassicMember member, Turn turn) {
        answerJoin(group, member, group.unknownMember(member.identity()), turn);
        answerSync(member, group.unknownMember(member.identity()), turn);
        group.remove(member);
        turn.cancel(sessionKey(group, member.memberId));
    }

    // SyncGroup.

    public void sync(
            ClassicGroup group,
            SyncGroup.Request request,
            Reply<SyncGroup.Response> reply,
            Turn turn) {
        Optional<Refusal> refusal =
                group.checkMember(request.member())
                        .or(() -> group.checkGeneration(request.generationId()))
                        .or(() -> checkProtocol(group, request));
        if (refusal.isPresent()) {
            turn.refuse(reply, refusal.get());
            return;
        }
        ClassicMember member = group.member(request.member().memberId()).orElseThrow();
        switch (group.state()) {
            case EMPTY, DEAD -> turn.refuse(reply, group.unknownMember(request.member()));
            case PREPARING_REBALANCE -> turn.refuse(reply, rebalanceInProgress(group));
            case COMPLETING_REBALANCE -> {
                answerSync(member, rebalanceInProgress(group), turn);
                member.awaitingSync = reply;
                syncArrived(group, member, turn);
                if (group.isLeader(member.memberId)) {
                    storeAssignment(group, request.assignments(), turn);
                }
            }
            case STABLE -> {
                syncArrived(group, member, turn);
                turn.complete(reply, synced(group, member));
            }
        }
    }

    private static Optional<Refusal> checkProtocol(ClassicGroup group, SyncGroup.Request request) {
        boolean otherType =
                request.protocolType().isPresent()
                        && !request.protocolType().equals(group.protocolType());
        boolean otherName =
                request.protocolName().isPresent()
                        && !request.protocolName().equals(group.protocolName());
        if (!otherType && !otherName) return Optional.empty();
        return Optional.of(
                Refusal.of(
                        ErrorCode.INCONSISTENT_GROUP_PROTOCOL,
                        "Group %s uses protocol '%s' of type '%s', the member syncs with '%s' of type"
                                + " '%s'. Join the group again.",
                        group.groupId(),
                        group.protocolName().orElse(""),
                        group.protocolType().orElse(""),
                        request.protocolName().orElse(""),
                        request.protocolType().orElse("")));
    }

    private void syncArrived(ClassicGroup group, ClassicMember member, Turn turn) {
        if (group.syncArrived(member.memberId)) turn.cancel(syncKey(group));
    }

    private void storeAssignment(ClassicGroup group, Map<String, Bytes> assignments, Turn turn) {
        GroupRecord.Classic record =
                new GroupRecord.Classic(
                        group.groupId(),
                        Optional.of(
                                group.value(member ->
                                        assignments.getOrDefault(member.memberId, Bytes.EMPTY))));
        int sizeBytes = GroupRecordCodec.encode(record).sizeBytes();
        int maxBytes = settings.get().maxRecordBytes();
        if (sizeBytes > maxBytes) {
            LOG.error(
                    "Group {} cannot be stored: its {} members take {} bytes, the limit is {}",
                    group.groupId(),
                    group.size(),
                    sizeBytes,
                    maxBytes);
            Refusal refusal =
                    Refusal.of(
                            ErrorCode.UNKNOWN_SERVER_ERROR,
                            "Group %s needs a record of %d bytes for its %d members, more than the %d that"
                                    + " __consumer_offsets takes. Use fewer members, shorter subscriptions or"
                                    + " the consumer protocol.",
                            group.groupId(),
                            sizeBytes,
                            group.size(),
                            maxBytes);
            refuseSyncs(group, refusal, turn);
            prepareRebalance(group, "", "the assignment was too large to store", turn);
            return;
        }
        group.becomeStable(turn.nowMs());
        turn.writeApplied(record);
        for (ClassicMember member : group.members()) {
            member.assignment = assignments.getOrDefault(member.memberId, Bytes.EMPTY);
            if (member.awaitingSync == null) continue;
            turn.complete(member.awaitingSync, synced(group, member));
            member.awaitingSync = null;
            // Its session could not run out while it waited.
            touch(group, member, member.sessionTimeoutMs, turn);
        }
    }

    private static SyncGroup.Response synced(ClassicGroup group, ClassicMember member) {
        return new SyncGroup.Response(
                group.protocolType(), group.protocolName(), member.assignment);
    }

    /// Members that did not sync in time leave, and the others start over.
    public void onSyncTimer(ClassicGroup group, Turn turn) {
        if (!group.is(ClassicState.COMPLETING_REBALANCE) && !group.is(ClassicState.STABLE)) return;
        List<String> late = group.pendingSync().stream().sorted().toList();
        if (late.isEmpty()) return;
        late.forEach(memberId ->
                group.member(memberId).ifPresent(member -> removeQuietly(group, member, turn)));
        prepareRebalance(
                group,
                late.getFirst(),
                "did not sync in time, %d in all".formatted(late.size()),
                turn);
    }

    private void stopWaitingForSyncs(ClassicGroup group, Turn turn) {
        group.forgetSyncs();
        turn.cancel(syncKey(group));
    }

    /// Refuses the syncs that wait. What members had of the last complete assignment stays on
    /// record: a cooperative member keeps it during the rebalance.
    private void refuseSyncs(ClassicGroup group, Refusal refusal, Turn turn) {
        for (ClassicMember member : group.members()) {
            if (member.awaitingSync == null) continue;
            answerSync(member, refusal, turn);
            touch(group, member, member.sessionTimeoutMs, turn);
        }
    }

    private static Refusal rebalanceInProgress(ClassicGroup group) {
        return Refusal.of(
                ErrorCode.REBALANCE_IN_PROGRESS,
                "Group %s is rebalancing after generation %d. Join the group again.",
                group.groupId(),
                group.generationId());
    }

    // Heartbeat and sessions.

    public void heartbeat(
            ClassicGroup group,
            Heartbeat.Request request,
            Reply<Heartbeat.Response> reply,
            Turn turn) {
        Optional<Refusal> refusal =
                group.checkMember(request.member())
                        .or(() -> group.checkGeneration(request.generationId()));
        if (refusal.isPresent()) {
            turn.refuse(reply, refusal.get());
            return;
        }
        ClassicMember member = group.member(request.member().memberId()).orElseThrow();
        switch (group.state()) {
            case EMPTY, DEAD -> turn.refuse(reply, group.unknownMember(request.member()));
            case PREPARING_REBALANCE -> {
                touch(group, member, member.sessionTimeoutMs, turn);
                turn.refuse(reply, rebalanceInProgress(group));
            }
            case COMPLETING_REBALANCE, STABLE -> {
                touch(group, member, member.sessionTimeoutMs, turn);
                turn.complete(reply, Heartbeat.Response.ALIVE);
            }
        }
    }

    /// A commit of a member shows that it lives.
    public void onCommit(ClassicGroup group, String memberId, Turn turn) {
        if (!group.is(ClassicState.STABLE) && !group.is(ClassicState.PREPARING_REBALANCE)) return;
        group.member(memberId)
                .ifPresent(member -> touch(group, member, member.sessionTimeoutMs, turn));
    }

    private static void touch(ClassicGroup group, ClassicMember member, long timeoutMs, Turn turn) {
        member.sessionDeadlineMs = turn.nowMs() + timeoutMs;
        if (member.sessionDeadlineMs < member.sessionTimerMs) {
            member.sessionTimerMs = member.sessionDeadlineMs;
            turn.schedule(sessionKey(group, member.memberId), member.sessionTimerMs);
        }
    }

    public void onSessionTimer(ClassicGroup group, String memberId, Turn turn) {
        Optional<Long> pendingExpiryMs = group.pendingJoinExpiryMs(memberId);
        if (pendingExpiryMs.isPresent()) {
            if (pendingExpiryMs.get() > turn.nowMs()) return;
            group.removePendingJoin(memberId);
            maybeCompleteJoin(group, turn);
            return;
        }
        @Nullable ClassicMember member = group.member(memberId).orElse(null);
        if (member == null) return;
        member.sessionTimerMs = ClassicMember.NEVER;
        if (member.sessionDeadlineMs > turn.nowMs()) {
            member.sessionTimerMs = member.sessionDeadlineMs;
            turn.schedule(sessionKey(group, memberId), member.sessionTimerMs);
            return;
        }
        // A member whose request we hold cannot heartbeat; the answer will start its session again.
        boolean waits = !member.isNew && (member.isAwaitingJoin() || member.isAwaitingSync());
        if (waits) return;
        removeMember(
                group,
                member,
                "was not heard of for %d ms".formatted(member.sessionTimeoutMs),
                turn);
    }

    private void removeMember(ClassicGroup group, ClassicMember member, String cause, Turn turn) {
        removeQuietly(group, member, turn);
        switch (group.state()) {
            case STABLE, COMPLETING_REBALANCE ->
                    prepareRebalance(group, member.memberId, cause, turn);
            case PREPARING_REBALANCE -> maybeCompleteJoin(group, turn);
            case EMPTY, DEAD -> {}
        }
    }

    private static void answerJoin(
            ClassicGroup group, ClassicMember member, Refusal refusal, Turn turn) {
        if (member.awaitingJoin == null) return;
        turn.refuse(member.awaitingJoin, refusal);
        member.awaitingJoin = null;
        group.joinAnswered();
    }

    private static void answerSync(ClassicMember member, Refusal refusal, Turn turn) {
        if (member.awaitingSync == null) return;
        turn.refuse(member.awaitingSync, refusal);
        member.awaitingSync = null;
    }

    // LeaveGroup.

    public LeaveGroup.Response leave(ClassicGroup group, LeaveGroup.Request request, Turn turn) {
        List<Left> results = new ArrayList<>(request.members().size());
        List<String> removed = new ArrayList<>();
        String reason = "";
        for (LeaveGroup.Leaver leaver : request.members()) {
            MemberIdentity identity = leaver.member();
            Optional<Refusal> refusal = leaveOne(group, identity, removed, turn);
            if (refusal.isEmpty()) {
                reason = leaver.reason().map(text -> "; client reason: " + text).orElse(reason);
            }
            results.add(new Left(identity, refusal));
        }
        if (!removed.isEmpty()) {
            String cause =
                    removed.size() == 1
                            ? "left the group" + reason
                            : "left with %d others%s".formatted(removed.size() - 1, reason);
            switch (group.state()) {
                case STABLE, COMPLETING_REBALANCE ->
                        prepareRebalance(group, removed.getFirst(), cause, turn);
                case PREPARING_REBALANCE -> maybeCompleteJoin(group, turn);
                case EMPTY, DEAD -> {}
            }
        }
        return new LeaveGroup.Response(results);
    }

    private Optional<Refusal> leaveOne(
            ClassicGroup group, MemberIdentity identity, List<String> removed, Turn turn) {
        if (identity.isUnknown()) {
            // Named by its instance alone: an administrator removes a static member.
            Optional<ClassicMember> member =
                    identity.groupInstanceId()
                            .flatMap(group::staticMemberId)
                            .flatMap(group::member);
            if (member.isEmpty()) return Optional.of(group.unknownMember(identity));
            removed.add(member.get().memberId);
            removeQuietly(group, member.get(), turn);
            return Optional.empty();
        }
        if (group.removePendingJoin(identity.memberId())) {
            turn.cancel(sessionKey(group, identity.memberId()));
            maybeCompleteJoin(group, turn);
            return Optional.empty();
        }
        Optional<Refusal> refusal = group.checkMember(identity);
        if (refusal.isPresent()) return refusal;
        removed.add(identity.memberId());
        removeQuietly(group, group.member(identity.memberId()).orElseThrow(), turn);
        return Optional.empty();
    }

    // The life of the coordinator.

    /// Starts the sessions of a group that was read from the log. Every member gets a full one.
    public void onLoaded(ClassicGroup group, Turn turn) {
        group.members().forEach(member -> touch(group, member, member.sessionTimeoutMs, turn));
        if (group.isUnfinished()) {
            prepareRebalance(group, "", "the group had just become classic", turn);
        } else if (group.size() > settings.get().maxSize()) {
            prepareRebalance(group, "", "the group is larger than group.max.size", turn);
        }
    }

    /// A group has become classic with its members as they are: their sessions start, and they form
    /// a generation of their own.
    public void onConverted(ClassicGroup group, String memberId, String cause, Turn turn) {
        turn.writeApplied(
                new GroupRecord.Classic(group.groupId(), Optional.of(group.value().unfinished())));
        group.members().forEach(member -> touch(group, member, member.sessionTimeoutMs, turn));
        prepareRebalance(group, memberId, cause, turn);
    }

    /// Refuses everything that waits in `group` and stops its timers.
    public void abandon(ClassicGroup group, Refusal refusal, Turn turn) {
        for (ClassicMember member : group.members()) {
            answerJoin(group, member, refusal, turn);
            answerSync(member, refusal, turn);
            turn.cancel(sessionKey(group, member.memberId));
        }
        group.pendingJoinIds().forEach(memberId -> turn.cancel(sessionKey(group, memberId)));
        turn.cancel(joinKey(group));
        turn.cancel(syncKey(group));
    }

    private static TimerKey sessionKey(ClassicGroup group, String memberId) {
        return new TimerKey(TimerKey.Kind.CLASSIC_SESSION, group.groupId(), memberId);
    }

    private static TimerKey joinKey(ClassicGroup group) {
        return TimerKey.ofGroup(TimerKey.Kind.CLASSIC_JOIN, group.groupId());
    }

    private static TimerKey syncKey(ClassicGroup group) {
        return TimerKey.ofGroup(TimerKey.Kind.CLASSIC_SYNC, group.groupId());
    }
}
