package dev.ottla.group.classic;

import static dev.ottla.wire.Check.check;

import dev.ottla.group.history.RebalanceHistory;
import dev.ottla.group.record.Bytes;
import dev.ottla.group.record.ConsumerProtocolCodec;
import dev.ottla.group.record.GroupRecord.ClassicGroupValue;
import dev.ottla.group.record.GroupRecord.ClassicProtocolValue;
import dev.ottla.group.shell.ClientIdentity;
import dev.ottla.group.shell.MemberIdentity;
import dev.ottla.group.shell.Refusal;
import dev.ottla.wire.ErrorCode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;

/// State of one group of the classic protocol: its members, their protocols and the generation. Owned by
/// the shard thread of the coordinator; [ClassicProtocol] drives it.
///
///     | from                | to                  | cause
///     |---------------------|---------------------|------------------------------------------------
///     | Empty               | PreparingRebalance  | a member joins
///     | Stable              | PreparingRebalance  | a member joins, leaves, fails or changes what it speaks
///     | CompletingRebalance | PreparingRebalance  | the same, or a member does not sync in time
///     | PreparingRebalance  | CompletingRebalance | everyone rejoined, or the time for it ran out
///     | PreparingRebalance  | Empty               | nobody is left
///     | CompletingRebalance | Stable              | the leader brought the assignment
///     | any                 | Dead                | the group is deleted or becomes a consumer group
///
/// Members and generation are persisted when an assignment is complete; what happens in between is lost
/// with the coordinator, and its clients join again.
public final class ClassicGroup {
    private static final String CONSUMER = "consumer";

    private final String groupId;
    private final RebalanceHistory history;
    private final LinkedHashMap<String, ClassicMember> members = new LinkedHashMap<>();
    private final Map<String, String> staticMembers = new HashMap<>(); // instance id → member id
    private final Map<String, Long> pendingJoin =
            new HashMap<>(); // member id handed out → when it expires
    private final Set<String> pendingSync = new HashSet<>();
    private final Map<String, Integer> protocolCounts =
            new HashMap<>(); // protocol → members that speak it
    private ClassicState state = ClassicState.EMPTY;
    private ClassicState previousState = ClassicState.DEAD;
    private long stateTimestampMs;
    private int generationId;
    private Optional<String> protocolType = Optional.empty();
    private Optional<String> protocolName = Optional.empty();
    private Optional<String> leaderId = Optional.empty();
    private int awaitingJoinCount;
    private boolean newMemberAdded;
    private boolean unfinished;
    private long initialDelayLeftMs;

    public ClassicGroup(String groupId, long nowMs, RebalanceHistory history) {
        this.groupId = groupId;
        this.stateTimestampMs = nowMs;
        this.history = history;
    }

    /// The group as its record describes it.
    public static ClassicGroup restore(
            String groupId, ClassicGroupValue value, RebalanceHistory history) {
        ClassicGroup group = new ClassicGroup(groupId, value.stateTimestampMs(), history);
        group.generationId = value.generation();
        group.protocolType = Optional.of(value.protocolType()).filter(type -> !type.isEmpty());
        group.protocolName = value.protocol();
        value.members()
                .forEach(persisted -> {
                    String protocol = value.protocol().orElse("");
                    ClassicMember member =
                            new ClassicMember(
                                    new MemberIdentity(
                                            persisted.memberId(), persisted.groupInstanceId()),
                                    new ClientIdentity(
                                            persisted.clientId(), persisted.clientHost()),
                                    persisted.sessionTimeoutMs(),
                                    persisted.rebalanceTimeoutMs() < 0
                                            ? persisted.sessionTimeoutMs()
                                            : persisted.rebalanceTimeoutMs(),
                                    List.of(
                                            new ClassicProtocolValue(
                                                    protocol, persisted.subscription())));
                    member.assignment = persisted.assignment();
                    group.add(member, value.protocolType());
                });
        group.leaderId = value.leader().filter(group.members::containsKey).or(() -> group.leaderId);
        if (!group.members.isEmpty()) group.state = ClassicState.STABLE;
        group.unfinished = value.isUnfinished();
        return group;
    }

    /// A stable group of members that come from elsewhere, each with its part of the assignment.
    public static ClassicGroup stable(
            String groupId,
            int generationId,
            List<ClassicMemberSnapshot> members,
            long nowMs,
            RebalanceHistory history) {
        ClassicGroup group = new ClassicGroup(groupId, nowMs, history);
        group.generationId = generationId;
        for (ClassicMemberSnapshot snapshot : members) {
            ClassicMember member =
                    new ClassicMember(
                            snapshot.identity(),
                            snapshot.client(),
                            snapshot.sessionTimeoutMs(),
                            snapshot.rebalanceTimeoutMs(),
                            snapshot.protocols());
            member.assignment = snapshot.assignment();
            group.add(member, CONSUMER);
        }
        group.protocolName = Optional.of(group.selectProtocol());
        group.state = ClassicState.STABLE;
        return group;
    }

    /// The members as they are, to take them elsewhere.
    public List<ClassicMemberSnapshot> snapshot() {
        return members.values().stream().map(ClassicMember::snapshot).toList();
    }

    public String groupId() {
        return groupId;
    }

    public ClassicState state() {
        return state;
    }

    ClassicState previousState() {
        return previousState;
    }

    boolean is(ClassicState candidate) {
        return state == candidate;
    }

    public int generationId() {
        return generationId;
    }

    public Optional<String> protocolType() {
        return protocolType;
    }

    public Optional<String> protocolName() {
        return protocolName;
    }

    public Optional<String> leaderId() {
        return leaderId;
    }

    public RebalanceHistory history() {
        return history;
    }

    public long stateTimestampMs() {
        return stateTimestampMs;
    }

    public int size() {
        return members.size();
    }

    public boolean isEmpty() {
        return state == ClassicState.EMPTY;
    }

    /// Nobody is in the group or on the way into it.
    public boolean isUnused() {
        return members.isEmpty() && pendingJoin.isEmpty();
    }

    Collection<ClassicMember> members() {
        return Collections.unmodifiableCollection(members.values());
    }

    Optional<ClassicMember> member(String memberId) {
        return Optional.ofNullable(members.get(memberId));
    }

    boolean hasMember(String memberId) {
        return members.containsKey(memberId);
    }

    Optional<String> staticMemberId(String groupInstanceId) {
        return Optional.ofNullable(staticMembers.get(groupInstanceId));
    }

    boolean isLeader(String memberId) {
        return leaderId.isPresent() && leaderId.get().equals(memberId);
    }

    // Membership.

    void addPendingJoin(String memberId, long expiresMs) {
        check(
                !members.containsKey(memberId),
                "group %s: %s is a member already",
                groupId,
                memberId);
        pendingJoin.put(memberId, expiresMs);
    }

    Optional<Long> pendingJoinExpiryMs(String memberId) {
        return Optional.ofNullable(pendingJoin.get(memberId));
    }

    Set<String> pendingJoinIds() {
        return Set.copyOf(pendingJoin.keySet());
    }

    int pendingJoinCount() {
        return pendingJoin.size();
    }

    boolean isPendingJoin(String memberId) {
        return pendingJoin.containsKey(memberId);
    }

    boolean removePendingJoin(String memberId) {
        return pendingJoin.remove(memberId) != null;
    }

    /// Adds `member`; the first one decides the group's protocol type and becomes its leader.
    void add(ClassicMember member, String memberProtocolType) {
        if (members.isEmpty()) protocolType = Optional.of(memberProtocolType);
        check(
                protocolType.orElse("").equals(memberProtocolType),
                "group %s: a %s member among %s",
                groupId,
                memberProtocolType,
                protocolType);
        member.groupInstanceId.ifPresent(instanceId ->
                check(
                        staticMembers.putIfAbsent(instanceId, member.memberId) == null,
                        "group %s: instance %s is taken",
                        groupId,
                        instanceId));
        if (leaderId.isEmpty()) leaderId = Optional.of(member.memberId);
        check(
                members.putIfAbsent(member.memberId, member) == null,
                "group %s: member %s is there already",
                groupId,
                member.memberId);
        count(member.protocols, 1);
        if (member.isAwaitingJoin()) awaitingJoinCount++;
        pendingJoin.remove(member.memberId);
    }

    /// Removes a member; the caller has answered what it waited for.
    void remove(ClassicMember member) {
        check(
                !member.isAwaitingJoin() && !member.isAwaitingSync(),
                "group %s: member %s still waits",
                groupId,
                member.memberId);
        check(
                members.remove(member.memberId) == member,
                "group %s: no member %s",
                groupId,
                member.memberId);
        member.groupInstanceId.ifPresent(
                instanceId -> staticMembers.remove(instanceId, member.memberId));
        count(member.protocols, -1);
        pendingSync.remove(member.memberId);
        if (isLeader(member.memberId)) leaderId = members.keySet().stream().findFirst();
    }

    /// Whether the group was stored while it waited for its first generation.
    boolean isUnfinished() {
        return unfinished;
    }

    /// Puts `replacement` where `member` was, the leadership included.
    void replace(ClassicMember member, ClassicMember replacement) {
        boolean wasLeader = isLeader(member.memberId);
        replacement.assignment = member.assignment;
        remove(member);
        add(replacement, protocolType.orElseThrow());
        if (wasLeader) leaderId = Optional.of(replacement.memberId);
    }

    void updateProtocols(ClassicMember member, List<ClassicProtocolValue> protocols) {
        count(member.protocols, -1);
        member.protocols = List.copyOf(protocols);
        count(member.protocols, 1);
    }

    private void count(List<ClassicProtocolValue> protocols, int difference) {
        for (ClassicProtocolValue protocol : protocols) {
            if (protocolCounts.merge(protocol.name(), difference, Integer::sum) == 0) {
                protocolCounts.remove(protocol.name());
            }
        }
    }

    // Waiting joins and syncs.

    void joinArrived(ClassicMember member) {
        awaitingJoinCount++;
        check(
                awaitingJoinCount <= members.size(),
                "group %s: %d joins of %d members",
                groupId,
                awaitingJoinCount,
                members.size());
    }

    void joinAnswered() {
        awaitingJoinCount--;
        check(awaitingJoinCount >= 0, "group %s: %d waiting joins", groupId, awaitingJoinCount);
    }

    int awaitingJoinCount() {
        return awaitingJoinCount;
    }

    boolean hasAllMembersJoined() {
        return awaitingJoinCount == members.size() && pendingJoin.isEmpty();
    }

    void expectSync(String memberId) {
        pendingSync.add(memberId);
    }

    /// True when this was the last sync the group waited for.
    boolean syncArrived(String memberId) {
        return pendingSync.remove(memberId) && pendingSync.isEmpty();
    }

    Set<String> pendingSync() {
        return Set.copyOf(pendingSync);
    }

    void forgetSyncs() {
        pendingSync.clear();
    }

    // Protocols.

    boolean supports(String candidateType, List<ClassicProtocolValue> protocols) {
        if (members.isEmpty()) return !candidateType.isEmpty() && !protocols.isEmpty();
        return protocolType.orElse("").equals(candidateType)
                && protocols.stream()
                        .anyMatch(protocol ->
                                protocolCounts.getOrDefault(protocol.name(), 0) == members.size());
    }

    /// The protocol that most members prefer among those that all speak. A tie goes to the one that
    /// an earlier member voted for.
    String selectProtocol() {
        check(!members.isEmpty(), "group %s: no members to select a protocol", groupId);
        Set<String> candidates =
                protocolCounts.entrySet().stream()
                        .filter(entry -> entry.getValue() == members.size())
                        .map(Map.Entry::getKey)
                        .collect(Collectors.toSet());
        Map<String, Integer> votes = new LinkedHashMap<>();
        members.values().forEach(member -> votes.merge(member.vote(candidates), 1, Integer::sum));
        int most = Collections.max(votes.values());
        return votes.entrySet().stream()
                .filter(entry -> entry.getValue() == most)
                .map(Map.Entry::getKey)
                .findFirst()
                .orElseThrow();
    }

    /// Whether the members are consumers with the embedded consumer protocol.
    public boolean usesConsumerProtocol() {
        return protocolType.filter(CONSUMER::equals).isPresent();
    }

    /// The topics the members of a group of consumers subscribe to; empty when that cannot be told,
    /// for example during a rebalance or when a member's metadata is of an unknown form.
    public Optional<Set<String>> subscribedTopics() {
        if (!usesConsumerProtocol()) return Optional.empty();
        if (members.isEmpty()) return Optional.of(Set.of());
        if (protocolName.isEmpty()) return Optional.empty();
        Set<String> topics = new TreeSet<>();
        for (ClassicMember member : members.values()) {
            var subscription =
                    ConsumerProtocolCodec.subscription(member.metadata(protocolName.get()));
            if (subscription.isEmpty()) return Optional.empty();
            topics.addAll(subscription.get().topics());
        }
        return Optional.of(topics);
    }

    /// Whether offsets of `topic` are still in use by subscription. A group of consumers whose
    /// topics cannot be told counts as subscribed.
    public boolean isSubscribedTo(String topic) {
        return subscribedTopics()
                .map(topics -> topics.contains(topic))
                .orElse(usesConsumerProtocol());
    }

    // Leader and generation.

    /// Makes sure that a member that rejoined leads; false when no member rejoined.
    boolean electJoinedLeader() {
        Optional<ClassicMember> leader = leaderId.flatMap(this::member);
        if (leader.isEmpty()) return false;
        if (leader.get().isAwaitingJoin()) return true;
        Optional<ClassicMember> joined =
                members.values().stream().filter(ClassicMember::isAwaitingJoin).findFirst();
        joined.ifPresent(member -> leaderId = Optional.of(member.memberId));
        return joined.isPresent();
    }

    /// The longest time any member needs to rejoin.
    int rebalanceTimeoutMs() {
        return members.values().stream()
                .mapToInt(member -> member.rebalanceTimeoutMs)
                .max()
                .orElse(0);
    }

    void markNewMember(boolean added) {
        newMemberAdded = added;
    }

    boolean hasNewMember() {
        return newMemberAdded;
    }

    void becomePreparing(long nowMs, long initialDelayLeftMs) {
        become(
                ClassicState.PREPARING_REBALANCE,
                nowMs,
                ClassicState.EMPTY,
                ClassicState.STABLE,
                ClassicState.COMPLETING_REBALANCE);
        this.initialDelayLeftMs = initialDelayLeftMs;
    }

    /// How much longer a new group may wait for more members, 0 when it may not.
    long initialDelayLeftMs() {
        return initialDelayLeftMs;
    }

    void shortenInitialDelay(long leftMs) {
        initialDelayLeftMs = leftMs;
    }

    void becomeCompleting(long nowMs) {
        generationId++;
        protocolName = Optional.of(selectProtocol());
        become(ClassicState.COMPLETING_REBALANCE, nowMs, ClassicState.PREPARING_REBALANCE);
    }

    void becomeEmpty(long nowMs) {
        check(members.isEmpty(), "group %s: empty with %d members", groupId, members.size());
        generationId++;
        protocolName = Optional.empty();
        leaderId = Optional.empty();
        become(ClassicState.EMPTY, nowMs, ClassicState.PREPARING_REBALANCE);
    }

    void becomeStable(long nowMs) {
        become(ClassicState.STABLE, nowMs, ClassicState.COMPLETING_REBALANCE);
    }

    public void becomeDead(long nowMs) {
        become(ClassicState.DEAD, nowMs, ClassicState.values());
    }

    private void become(ClassicState target, long nowMs, ClassicState... allowedFrom) {
        check(
                List.of(allowedFrom).contains(state),
                "group %s cannot go from %s to %s",
                groupId,
                state,
                target);
        previousState = state;
        state = target;
        stateTimestampMs = nowMs;
    }

    // What others see.

    /// The record of a group that has just been made and has no members yet.
    ClassicGroupValue newGroupValue() {
        return new ClassicGroupValue(
                "", 0, Optional.empty(), Optional.empty(), stateTimestampMs, List.of());
    }

    /// The group's record with each member's part as `assignment` says.
    ClassicGroupValue value(Function<ClassicMember, Bytes> assignment) {
        String protocol = protocolName.orElse("");
        check(
                members.isEmpty() || protocolName.isPresent(),
                "group %s: members without a protocol",
                groupId);
        return new ClassicGroupValue(
                protocolType.orElse(""),
                generationId,
                protocolName,
                leaderId,
                stateTimestampMs,
                members.values().stream()
                        .map(member -> member.value(protocol, assignment.apply(member)))
                        .toList());
    }

    /// The group's record as it is.
    public ClassicGroupValue value() {
        return value(member -> member.assignment);
    }

    /// The members as the leader gets to see them.
    List<JoinGroup.Member> joinMembers() {
        String protocol = protocolName.orElseThrow();
        List<JoinGroup.Member> list = new ArrayList<>(members.size());
        members.values()
                .forEach(member ->
                        list.add(
                                new JoinGroup.Member(
                                        member.memberId,
                                        member.groupInstanceId,
                                        member.metadata(protocol))));
        return list;
    }

    public DescribedGroup describe() {
        boolean stable = state == ClassicState.STABLE;
        String protocol = stable ? protocolName.orElse("") : "";
        return new DescribedGroup(
                groupId,
                state.label(),
                protocolType.orElse(""),
                protocol,
                members.values().stream()
                        .map(member ->
                                new DescribedGroup.Member(
                                        member.memberId,
                                        member.groupInstanceId,
                                        member.clientId,
                                        member.clientHost,
                                        stable ? member.metadata(protocol) : Bytes.EMPTY,
                                        stable ? member.assignment : Bytes.EMPTY))
                        .toList());
    }

    // What requests may do.

    /// Why `identity` may not speak for a member of this group, if it may not.
    Optional<Refusal> checkMember(MemberIdentity identity) {
        if (identity.groupInstanceId().isPresent()) {
            String instanceId = identity.groupInstanceId().get();
            String owner = staticMembers.get(instanceId);
            if (owner == null) return Optional.of(unknownMember(identity));
            if (!owner.equals(identity.memberId())) {
                return Optional.of(
                        Refusal.of(
                                ErrorCode.FENCED_INSTANCE_ID,
                                "Group %s: instance %s is now member %s, not %s: another process uses"
                                        + " the same group.instance.id. Give each its own, or stop this"
                                        + " one.",
                                groupId,
                                instanceId,
                                owner,
                                identity.memberId()));
            }
        }
        return members.containsKey(identity.memberId())
                ? Optional.empty()
                : Optional.of(unknownMember(identity));
    }

    Refusal unknownMember(MemberIdentity identity) {
        return Refusal.of(
                ErrorCode.UNKNOWN_MEMBER_ID,
                "Group %s has no member %s: it left, timed out or never joined. Join the group again"
                        + " without a member id.",
                groupId,
                identity);
    }

    Optional<Refusal> checkGeneration(int requestGeneration) {
        return requestGeneration == generationId
                ? Optional.empty()
                : Optional.of(
                        Refusal.of(
                                ErrorCode.ILLEGAL_GENERATION,
                                "Group %s is at generation %d, the request names %d: the group"
                                        + " rebalanced since. Join the group again.",
                                groupId,
                                generationId,
                                requestGeneration));
    }

    /// Whether an OffsetCommit may pass.
    ///
    /// @param transactional whether it comes from a producer on behalf of the group
    public Optional<Refusal> checkCommit(
            MemberIdentity identity, int requestGeneration, boolean transactional) {
        if (requestGeneration < 0 && state == ClassicState.EMPTY) return Optional.empty();
        if (requestGeneration >= 0
                || !identity.isUnknown()
                || identity.groupInstanceId().isPresent()) {
            Optional<Refusal> refusal =
                    checkMember(identity).or(() -> checkGeneration(requestGeneration));
            if (refusal.isPresent()) return refusal;
        } else if (!transactional && state != ClassicState.EMPTY) {
            return Optional.of(
                    Refusal.of(
                            ErrorCode.UNKNOWN_MEMBER_ID,
                            "Group %s has members, so only they may commit offsets. Stop them first,"
                                    + " or commit as a member.",
                            groupId));
        }
        if (!transactional && state == ClassicState.COMPLETING_REBALANCE) {
            return Optional.of(
                    Refusal.of(
                            ErrorCode.REBALANCE_IN_PROGRESS,
                            "Group %s is rebalancing and generation %d has no assignment yet. Sync,"
                                    + " then commit what is still assigned.",
                            groupId,
                            generationId));
        }
        return Optional.empty();
    }

    /// Whether offsets may be deleted, topics aside.
    public Optional<Refusal> checkOffsetDelete() {
        boolean mayDelete = state == ClassicState.EMPTY || usesConsumerProtocol();
        return mayDelete ? Optional.empty() : Optional.of(nonEmpty());
    }

    public Optional<Refusal> checkDelete() {
        return state == ClassicState.EMPTY ? Optional.empty() : Optional.of(nonEmpty());
    }

    private Refusal nonEmpty() {
        return Refusal.of(
                ErrorCode.NON_EMPTY_GROUP,
                "Group %s has %d members and is in state %s. Stop its members first.",
                groupId,
                members.size(),
                state.label());
    }

    /// Throws when the group contradicts itself. For simulations.
    public void checkInvariants() {
        long waiting = members.values().stream().filter(ClassicMember::isAwaitingJoin).count();
        check(
                waiting == awaitingJoinCount,
                "group %s: %d waiting joins, counted %d",
                groupId,
                waiting,
                awaitingJoinCount);
        check(
                leaderId.isPresent() != members.isEmpty(),
                "group %s: leader %s of %d members",
                groupId,
                leaderId,
                members.size());
        leaderId.ifPresent(
                id -> check(members.containsKey(id), "group %s: leader %s is gone", groupId, id));
        check(
                members.keySet().containsAll(pendingSync),
                "group %s: syncs expected of strangers",
                groupId);
        check(
                state != ClassicState.EMPTY || members.isEmpty(),
                "group %s: empty with members",
                groupId);
        check(
                state != ClassicState.STABLE
                        || (!members.isEmpty()
                                && members.values().stream()
                                        .noneMatch(ClassicMember::isAwaitingSync)),
                "group %s: stable with waiting syncs or without members",
                groupId);
    }
}
