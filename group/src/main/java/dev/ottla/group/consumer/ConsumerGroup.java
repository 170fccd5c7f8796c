package dev.ottla.group.consumer;

import static dev.ottla.wire.Check.check;

import dev.ottla.group.classic.ClassicMemberSnapshot;
import dev.ottla.group.history.RebalanceHistory;
import dev.ottla.group.partition.Assignment;
import dev.ottla.group.partition.OwnedPartitions;
import dev.ottla.group.record.GroupRecord.ConsumerEpochValue;
import dev.ottla.group.record.GroupRecord.ConsumerMemberValue;
import dev.ottla.group.record.GroupRecord.CurrentAssignmentValue;
import dev.ottla.group.record.GroupRecord.ResolvedRegexValue;
import dev.ottla.group.record.GroupRecord.TargetEpochValue;
import dev.ottla.group.shell.ClientIdentity;
import dev.ottla.group.shell.MemberIdentity;
import dev.ottla.group.shell.Refusal;
import dev.ottla.group.shell.TopicsView;
import dev.ottla.wire.ErrorCode;
import dev.ottla.wire.Uuid;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// State of one group of the consumer protocol. Everything persistent changes through the `replay…` methods
/// alone, live and when loading; what else is here (timers, the state of the regular expressions) begins
/// anew with each load. Owned by the shard thread of the coordinator.
///
/// Three epochs drive it. The **group epoch** goes up when members, subscriptions or topics change. The
/// **assignment epoch** is the group epoch that the target assignment was made for. A **member epoch** is
/// the assignment epoch that the member has caught up with.
///
///     | state       | when
///     |-------------|-----------------------------------------------
///     | Empty       | there are no members
///     | Assigning   | the assignment epoch is behind the group epoch
///     | Reconciling | a member is behind the assignment epoch
///     | Stable      | everyone has its target
public final class ConsumerGroup {
    /// What the group knows of a member besides its records.
    static final class Session {
        static final long NEVER = Long.MAX_VALUE;

        /// When the member is given up unless it is heard of before.
        long deadlineMs = NEVER;

        /// When the pending timer goes off; it may be early, and is then set again.
        long timerMs = NEVER;

        /// The epoch at which the member was told to give up partitions, while it has time for
        /// that.
        int revokingAtEpoch = -1;

        /// A classic member was told to rejoin, and a timer waits for it.
        boolean rejoinExpected;
    }

    /// The state of the group's regular expressions at the shell.
    static final class RegexLookup {
        /// An answer is on its way.
        boolean inFlight;

        /// Joins that wait for the answer.
        final List<ConsumerProtocol.Heartbeat> joins = new ArrayList<>();

        /// The answer will be out of date: ask again when it is there.
        boolean stale;

        /// When it was last asked.
        long askedMs = Long.MIN_VALUE;
    }

    private final String groupId;
    private final RebalanceHistory history;
    private final LinkedHashMap<String, ConsumerMember> members = new LinkedHashMap<>();
    private final Map<String, Session> sessions = new HashMap<>();
    private final Map<String, String> staticMembers = new HashMap<>(); // instance id → member id
    private final Map<String, Assignment> targets = new HashMap<>();
    private final PartitionOwners owners = new PartitionOwners();
    private final Counts namedTopics = new Counts();
    private final Counts regexes = new Counts();
    private final Counts assignors = new Counts();
    private final Counts classicProtocols = new Counts();
    private final Map<String, ResolvedRegexValue> resolved = new HashMap<>();
    private final RegexLookup regexLookup = new RegexLookup();
    private final ExpectedMembers expected = new ExpectedMembers();
    private int classicMemberCount;
    private int groupEpoch;
    private long metadataHash;
    private int assignmentEpoch;
    private long assignmentTimestampMs;

    public ConsumerGroup(String groupId, RebalanceHistory history) {
        this.groupId = groupId;
        this.history = history;
    }

    // Replay.

    public void replayEpoch(ConsumerEpochValue value) {
        groupEpoch = value.epoch();
        metadataHash = value.metadataHash();
    }

    public void replayTargetEpoch(TargetEpochValue value) {
        assignmentEpoch = value.epoch();
        assignmentTimestampMs = value.timestampMs();
    }

    public void replayMember(String memberId, Optional<ConsumerMemberValue> value) {
        @Nullable ConsumerMember before = members.get(memberId);
        if (before != null) countMember(before, -1);
        if (value.isEmpty()) {
            if (before == null) return;
            members.remove(memberId);
            sessions.remove(memberId);
            owners.remove(memberId, before.current().assigned());
            owners.remove(memberId, before.current().pendingRevocation());
            before.info()
                    .instanceId()
                    .ifPresent(instanceId -> staticMembers.remove(instanceId, memberId));
            return;
        }
        ConsumerMember after =
                before == null
                        ? new ConsumerMember(memberId, value.get(), ConsumerMember.NOTHING)
                        : before.with(value.get());
        members.put(memberId, after);
        sessions.computeIfAbsent(memberId, _ -> new Session());
        countMember(after, 1);
        after.info().instanceId().ifPresent(instanceId -> staticMembers.put(instanceId, memberId));
    }

    private void countMember(ConsumerMember member, int difference) {
        ConsumerMemberValue info = member.info();
        info.subscribedTopicNames().forEach(name -> namedTopics.add(name, difference));
        info.subscribedTopicRegex().ifPresent(regex -> regexes.add(regex, difference));
        info.serverAssignor().ifPresent(name -> assignors.add(name, difference));
        info.classic()
                .ifPresent(classic -> {
                    classicMemberCount += difference;
                    classic.protocols()
                            .forEach(protocol -> classicProtocols.add(protocol.name(), difference));
                });
    }

    public void replayTarget(String memberId, Optional<Assignment> value) {
        value.ifPresentOrElse(
                assignment -> targets.put(memberId, assignment), () -> targets.remove(memberId));
    }

    public void replayCurrent(String memberId, Optional<CurrentAssignmentValue> value) {
        @Nullable ConsumerMember before = members.get(memberId);
        if (before == null) {
            if (value.isEmpty()) return;
            // In a compacted log this record may stand before the one that describes the member.
            replayMember(memberId, Optional.of(ConsumerMember.UNDESCRIBED));
            before = existing(memberId);
        }
        owners.remove(memberId, before.current().assigned());
        owners.remove(memberId, before.current().pendingRevocation());
        ConsumerMember after = before.with(value.orElse(ConsumerMember.NOTHING));
        members.put(memberId, after);
        owners.add(memberId, after.current().assigned());
        owners.add(memberId, after.current().pendingRevocation());
    }

    public void replayRegex(String regex, Optional<ResolvedRegexValue> value) {
        value.ifPresentOrElse(
                matches -> resolved.put(regex, matches), () -> resolved.remove(regex));
    }

    // Members.

    public String groupId() {
        return groupId;
    }

    public RebalanceHistory history() {
        return history;
    }

    Collection<ConsumerMember> members() {
        return Collections.unmodifiableCollection(members.values());
    }

    Optional<ConsumerMember> member(String memberId) {
        return Optional.ofNullable(members.get(memberId));
    }

    /// A member that is known to be there.
    ConsumerMember existing(String memberId) {
        @Nullable ConsumerMember member = members.get(memberId);
        if (member == null) {
            throw new IllegalStateException("group " + groupId + " has no member " + memberId);
        }
        return member;
    }

    Optional<ConsumerMember> staticMember(String instanceId) {
        return Optional.ofNullable(staticMembers.get(instanceId)).flatMap(this::member);
    }

    public Optional<String> staticMemberId(String instanceId) {
        return Optional.ofNullable(staticMembers.get(instanceId));
    }

    ExpectedMembers expected() {
        return expected;
    }

    Session session(String memberId) {
        return sessions.computeIfAbsent(memberId, _ -> new Session());
    }

    public int size() {
        return members.size();
    }

    public boolean isEmpty() {
        return members.isEmpty();
    }

    /// Whether every member but `leaving` still speaks the classic protocol.
    public boolean isClassicWithout(Set<String> leaving) {
        long classicLeaving =
                leaving.stream()
                        .map(members::get)
                        .filter(member -> member != null && member.isClassic())
                        .count();
        return classicMemberCount - classicLeaving == members.size() - leaving.size();
    }

    /// The members that speak the classic protocol, without `leaving`, each with its part of the
    /// target.
    public List<ClassicMemberSnapshot> classicMembers(Set<String> leaving, TopicsView topics) {
        return members.values().stream()
                .filter(member -> !leaving.contains(member.memberId()))
                .flatMap(member -> snapshot(member, topics).stream())
                .toList();
    }

    private Optional<ClassicMemberSnapshot> snapshot(ConsumerMember member, TopicsView topics) {
        ConsumerMemberValue info = member.info();
        return info.classic()
                .map(classic ->
                        new ClassicMemberSnapshot(
                                new MemberIdentity(member.memberId(), info.instanceId()),
                                new ClientIdentity(info.clientId(), info.clientHost()),
                                classic.sessionTimeoutMs(),
                                info.rebalanceTimeoutMs(),
                                classic.protocols(),
                                ClassicMembers.encode(
                                        held(member.current()), classic.protocols(), topics)));
    }

    private static Assignment held(CurrentAssignmentValue current) {
        Map<Uuid, Map<Integer, Integer>> held = new HashMap<>();
        for (var part : List.of(current.assigned(), current.pendingRevocation())) {
            part.epochs()
                    .forEach((topicId, ofTopic) ->
                            held.computeIfAbsent(topicId, _ -> new HashMap<>()).putAll(ofTopic));
        }
        return new OwnedPartitions(held).assignment();
    }

    /// Whether a classic member with one of these protocols can talk to all classic members that
    /// are there.
    boolean supportsClassicProtocols(String protocolType, Collection<String> names) {
        if (!protocolType.equals("consumer") || names.isEmpty()) return false;
        return members.isEmpty()
                || names.stream().anyMatch(name -> classicProtocols.of(name) == classicMemberCount);
    }

    // Epochs and assignments.

    public int groupEpoch() {
        return groupEpoch;
    }

    long metadataHash() {
        return metadataHash;
    }

    int assignmentEpoch() {
        return assignmentEpoch;
    }

    long assignmentTimestampMs() {
        return assignmentTimestampMs;
    }

    Assignment target(String memberId) {
        return targets.getOrDefault(memberId, Assignment.EMPTY);
    }

    Set<String> targetMembers() {
        return Collections.unmodifiableSet(targets.keySet());
    }

    boolean isHeldByOther(String memberId, Uuid topicId, int partition) {
        return owners.isHeldByOther(memberId, topicId, partition);
    }

    /// Whether a partition of the member's target is still in other hands.
    boolean waitsForOthers(ConsumerMember member) {
        if (member.state() != MemberState.UNRELEASED_PARTITIONS) return false;
        return target(member.memberId()).topics().entrySet().stream()
                .anyMatch(entry ->
                        entry.getValue().stream()
                                .filter(partition ->
                                        !member.current()
                                                .assigned()
                                                .contains(entry.getKey(), partition))
                                .anyMatch(partition ->
                                        isHeldByOther(
                                                member.memberId(), entry.getKey(), partition)));
    }

    /// The assignor that most members ask for; the first by name when several are wanted alike.
    Optional<String> preferredAssignor() {
        return assignors.keys().stream().sorted().max(Comparator.comparingInt(assignors::of));
    }

    // Subscriptions.

    int regexSubscribers(String regex) {
        return regexes.of(regex);
    }

    Set<String> regexes() {
        return regexes.keys();
    }

    Optional<ResolvedRegexValue> resolved(String regex) {
        return Optional.ofNullable(resolved.get(regex));
    }

    Set<String> resolvedRegexes() {
        return Collections.unmodifiableSet(resolved.keySet());
    }

    RegexLookup regexLookup() {
        return regexLookup;
    }

    /// Whether a member subscribes to the topic, by name or by regular expression.
    public boolean isSubscribedTo(String topic) {
        if (namedTopics.of(topic) > 0) return true;
        return regexes.keys().stream()
                .anyMatch(regex ->
                        resolved(regex)
                                .filter(matches -> matches.topics().contains(topic))
                                .isPresent());
    }

    /// All names that members subscribe to, those without a topic included.
    Set<String> subscribedTopics() {
        Set<String> names = new HashSet<>(namedTopics.keys());
        regexes.keys()
                .forEach(regex ->
                        resolved(regex).ifPresent(matches -> names.addAll(matches.topics())));
        return names;
    }

    /// The ids of the topics that `info` subscribes to and that exist.
    Set<Uuid> subscribedTopicIds(ConsumerMemberValue info, TopicsView topics) {
        Set<Uuid> ids = new HashSet<>();
        info.subscribedTopicNames()
                .forEach(name -> topics.byName(name).ifPresent(topic -> ids.add(topic.id())));
        info.subscribedTopicRegex()
                .flatMap(this::resolved)
                .ifPresent(matches ->
                        matches.topics()
                                .forEach(name ->
                                        topics.byName(name)
                                                .ifPresent(topic -> ids.add(topic.id()))));
        return ids;
    }

    /// A hash over the subscribed topics as `topics` shows them, 0 when none exists.
    public long computeMetadataHash(TopicsView topics) {
        long hash = 0;
        for (String name : subscribedTopics()) {
            Optional<TopicsView.Topic> topic = topics.byName(name);
            // A sum does not depend on the order, and each part is mixed well before.
            if (topic.isPresent()) hash += hash(topic.get());
        }
        return hash;
    }

    private static long hash(TopicsView.Topic topic) {
        long hash = mix(topic.id().mostSignificantBits());
        hash = mix(hash ^ topic.id().leastSignificantBits());
        return mix(hash ^ topic.partitionCount());
    }

    private static long mix(long value) {
        long mixed = (value ^ (value >>> 30)) * 0xbf58476d1ce4e5b9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94d049bb133111ebL;
        return mixed ^ (mixed >>> 31);
    }

    /// Why the group may not be deleted, if so.
    public Optional<Refusal> checkDelete() {
        if (members.isEmpty()) return Optional.empty();
        return Optional.of(
                Refusal.of(
                        ErrorCode.NON_EMPTY_GROUP,
                        "Group %s has %d members and is in state %s. Stop its members first.",
                        groupId,
                        members.size(),
                        state()));
    }

    // What others see.

    /// The state's name on the wire.
    public String state() {
        if (members.isEmpty()) return "Empty";
        if (groupEpoch > assignmentEpoch) return "Assigning";
        boolean reconciled =
                members.values().stream()
                        .allMatch(member -> member.isReconciledTo(assignmentEpoch));
        return reconciled ? "Stable" : "Reconciling";
    }

    /// The group as an administrator sees it.
    public DescribedConsumerGroup describe(String defaultAssignor) {
        List<DescribedConsumerGroup.Member> described =
                members.values().stream()
                        .map(member ->
                                new DescribedConsumerGroup.Member(
                                        member.memberId(),
                                        member.info().instanceId(),
                                        member.info().rackId(),
                                        member.epoch(),
                                        member.info().clientId(),
                                        member.info().clientHost(),
                                        member.info().subscribedTopicNames(),
                                        member.info().subscribedTopicRegex(),
                                        member.current().assigned().assignment(),
                                        target(member.memberId()),
                                        member.isClassic()))
                        .toList();
        return new DescribedConsumerGroup(
                groupId,
                state(),
                groupEpoch,
                assignmentEpoch,
                preferredAssignor().orElse(defaultAssignor),
                described);
    }

    /// Throws when the group contradicts itself. For simulations.
    public void checkInvariants() {
        Map<String, String> seen = new TreeMap<>();
        for (ConsumerMember member : members.values()) {
            for (var held :
                    List.of(member.current().assigned(), member.current().pendingRevocation())) {
                held.epochs()
                        .forEach((topicId, ofTopic) ->
                                ofTopic.keySet()
                                        .forEach(partition ->
                                                checkOwner(seen, topicId, partition, member)));
            }
            check(
                    member.epoch() <= groupEpoch,
                    "group %s: member %s at epoch %d, the group at %d",
                    groupId,
                    member.memberId(),
                    member.epoch(),
                    groupEpoch);
        }
        check(
                assignmentEpoch <= groupEpoch,
                "group %s: assignment epoch %d, group epoch %d",
                groupId,
                assignmentEpoch,
                groupEpoch);
        check(
                members.keySet().containsAll(targets.keySet()),
                "group %s: targets %s for members %s",
                groupId,
                targets.keySet(),
                members.keySet());
        check(
                regexes.keys().containsAll(resolved.keySet()),
                "group %s: %s resolved, %s subscribed",
                groupId,
                resolved.keySet(),
                regexes.keys());
    }

    private void checkOwner(
            Map<String, String> seen, Uuid topicId, int partition, ConsumerMember member) {
        @Nullable String other = seen.put(topicId + "-" + partition, member.memberId());
        check(
                other == null,
                "group %s: members %s and %s both hold partition %d of %s",
                groupId,
                other,
                member.memberId(),
                partition,
                topicId);
        check(
                !isHeldByOther(member.memberId(), topicId, partition),
                "group %s: partition %d of %s is another's in the index than %s",
                groupId,
                partition,
                topicId,
                member.memberId());
    }
}
