package dev.ottla.group;

import dev.ottla.group.classic.ClassicGroup;
import dev.ottla.group.classic.ClassicMemberSnapshot;
import dev.ottla.group.classic.ClassicProtocol;
import dev.ottla.group.consumer.ConsumerGroup;
import dev.ottla.group.consumer.ConsumerProtocol;
import dev.ottla.group.consumer.ConsumerSettings;
import dev.ottla.group.partition.Assignment;
import dev.ottla.group.partition.OwnedPartitions;
import dev.ottla.group.partition.PartitionSet;
import dev.ottla.group.record.ConsumerProtocolCodec;
import dev.ottla.group.record.ConsumerProtocolCodec.Assigned;
import dev.ottla.group.record.ConsumerProtocolCodec.Subscription;
import dev.ottla.group.record.GroupRecord;
import dev.ottla.group.record.GroupRecord.ClassicMemberMetadata;
import dev.ottla.group.record.GroupRecord.ConsumerEpochValue;
import dev.ottla.group.record.GroupRecord.ConsumerMemberValue;
import dev.ottla.group.record.GroupRecord.CurrentAssignmentValue;
import dev.ottla.group.record.GroupRecord.TargetEpochValue;
import dev.ottla.group.shell.Refusal;
import dev.ottla.group.shell.TopicsView;
import dev.ottla.group.shell.Turn;
import dev.ottla.wire.ErrorCode;
import dev.ottla.wire.Uuid;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Moves groups between the protocols while they run. A classic group of consumers becomes a
/// consumer group when the first member of that protocol joins; its classic members stay as they
/// are and are told to rejoin. A consumer group becomes classic when the last member of its own
/// protocol leaves and classic ones remain. Owned by the coordinator's thread.
final class Migration {
    private static final Logger LOG = LoggerFactory.getLogger(Migration.class);
    private static final byte STABLE = 0;

    private final GroupConfigs configs;
    private final Groups groups;
    private final ClassicProtocol classic;
    private final ConsumerProtocol consumer;

    Migration(
            GroupConfigs configs,
            Groups groups,
            ClassicProtocol classic,
            ConsumerProtocol consumer) {
        this.configs = configs;
        this.groups = groups;
        this.classic = classic;
        this.consumer = consumer;
    }

    // Classic to consumer.

    /// Why `group` cannot become a consumer group, if so.
    Optional<Refusal> checkUpgrade(ClassicGroup group) {
        if (group.isEmpty()) return Optional.empty();
        ConsumerSettings settings = configs.consumer(group.groupId());
        String obstacle = "";
        if (!settings.migrationPolicy().allowsUpgrade()) {
            obstacle =
                    "group.consumer.migration.policy does not allow it to be upgraded. Stop its classic"
                            + " members first, or set the policy to bidirectional";
        } else if (!group.usesConsumerProtocol()) {
            obstacle =
                    "its members are of type '%s', no consumers. Use another group id"
                            .formatted(group.protocolType().orElse(""));
        } else if (group.size() >= settings.maxSize()) {
            obstacle =
                    "it has %d members, and group.consumer.max.size allows %d. Stop some"
                            .formatted(group.size(), settings.maxSize());
        } else if (group.snapshot().stream().anyMatch(member -> subscription(member).isEmpty())) {
            obstacle = "a member's subscription cannot be read. Stop the classic members first";
        } else if (group.snapshot().stream().anyMatch(Migration::hasOwnAssignor)) {
            obstacle =
                    "its assignor keeps data in the assignments that would be lost. Switch the classic"
                            + " members to an assignor of Kafka's first";
        }
        if (obstacle.isEmpty()) return Optional.empty();
        LOG.info("Group {} stays classic: {}", group.groupId(), obstacle);
        return Optional.of(
                Refusal.of(
                        ErrorCode.GROUP_ID_NOT_FOUND,
                        "Group %s is a classic group and cannot become a consumer group: %s.",
                        group.groupId(),
                        obstacle));
    }

    private static Optional<Subscription> subscription(ClassicMemberSnapshot member) {
        return ConsumerProtocolCodec.subscription(member.protocols().getFirst().metadata());
    }

    private static boolean hasOwnAssignor(ClassicMemberSnapshot member) {
        return ConsumerProtocolCodec.assignment(member.assignment())
                .map(Assigned::hasUserData)
                .orElse(true);
    }

    /// Makes `group`, which [#checkUpgrade] let pass, a consumer group.
    ConsumerGroup upgrade(ClassicGroup group, TopicsView topics, Turn turn) {
        String groupId = group.groupId();
        int epoch = group.generationId();
        List<ClassicMemberSnapshot> members = group.snapshot();
        classic.abandon(
                group,
                Refusal.of(
                        ErrorCode.REBALANCE_IN_PROGRESS,
                        "Group %s is moving to the consumer protocol. Join the group again.",
                        groupId),
                turn);
        turn.write(new GroupRecord.Classic(groupId, Optional.empty()));
        ConsumerGroup upgraded = groups.addConsumer(groupId);
        if (members.isEmpty()) return upgraded;
        members.forEach(member ->
                turn.write(
                        new GroupRecord.ConsumerMember(
                                groupId, member.identity().memberId(), Optional.of(info(member)))));
        turn.write(
                new GroupRecord.ConsumerEpoch(
                        groupId,
                        Optional.of(
                                new ConsumerEpochValue(
                                        epoch, upgraded.computeMetadataHash(topics)))));
        writeAssignments(groupId, epoch, members, topics, turn);
        members.forEach(member ->
                ConsumerProtocol.touch(
                        upgraded, member.identity().memberId(), member.sessionTimeoutMs(), turn));
        LOG.info(
                "Group {} moved to the consumer protocol with {} members", groupId, members.size());
        return upgraded;
    }

    private static ConsumerMemberValue info(ClassicMemberSnapshot member) {
        Subscription subscription = subscription(member).orElseThrow();
        return new ConsumerMemberValue(
                member.identity().groupInstanceId(),
                subscription.rackId(),
                member.client().id(),
                member.client().host(),
                subscription.topics(),
                Optional.empty(),
                member.rebalanceTimeoutMs(),
                Optional.empty(),
                Optional.of(
                        new ClassicMemberMetadata(member.sessionTimeoutMs(), member.protocols())));
    }

    private static void writeAssignments(
            String groupId,
            int epoch,
            List<ClassicMemberSnapshot> members,
            TopicsView topics,
            Turn turn) {
        Set<String> given = new HashSet<>();
        Map<String, Assignment> assignments = new HashMap<>();
        for (ClassicMemberSnapshot member : members) {
            Assignment assignment = assignment(member, topics, given);
            assignments.put(member.identity().memberId(), assignment);
            turn.write(
                    new GroupRecord.TargetAssignment(
                            groupId, member.identity().memberId(), Optional.of(assignment)));
        }
        turn.write(
                new GroupRecord.TargetEpoch(groupId, Optional.of(new TargetEpochValue(epoch, 0))));
        for (ClassicMemberSnapshot member : members) {
            String memberId = member.identity().memberId();
            OwnedPartitions owned =
                    OwnedPartitions.of(assignments.getOrDefault(memberId, Assignment.EMPTY), epoch);
            turn.write(
                    new GroupRecord.CurrentAssignment(
                            groupId,
                            memberId,
                            Optional.of(
                                    new CurrentAssignmentValue(
                                            epoch, epoch, STABLE, owned, OwnedPartitions.EMPTY))));
        }
    }

    /// What the leader assigned to `member`. A partition that it gave to two stays with the first.
    ///
    /// @param given what earlier members have
    private static Assignment assignment(
            ClassicMemberSnapshot member, TopicsView topics, Set<String> given) {
        Map<Uuid, PartitionSet> partitions = new HashMap<>();
        ConsumerProtocolCodec.assignment(member.assignment())
                .map(Assigned::partitions)
                .orElse(Map.of())
                .forEach((name, ofTopic) ->
                        topics.byName(name)
                                .ifPresent(topic ->
                                        partitions.put(
                                                topic.id(),
                                                ofTopic.filter(partition ->
                                                        given.add(name + "-" + partition)))));
        return new Assignment(partitions);
    }

    // Consumer to classic.

    /// Removes members from a consumer group, which becomes classic if only classic members remain.
    void remove(
            ConsumerGroup group, Set<String> leaving, String cause, TopicsView topics, Turn turn) {
        if (leaving.isEmpty()) return;
        if (mayDowngrade(group, leaving)) downgrade(group, leaving, cause, topics, turn);
        else consumer.removeAll(group, leaving, cause, turn);
    }

    /// Whether the group without `leaving` should be classic.
    boolean mayDowngrade(ConsumerGroup group, Set<String> leaving) {
        int remaining = group.size() - leaving.size();
        return remaining > 0
                && group.isClassicWithout(leaving)
                && configs.consumer(group.groupId()).migrationPolicy().allowsDowngrade()
                && remaining <= configs.classic().maxSize();
    }

    /// Makes a group classic that [#mayDowngrade] says yes to.
    ClassicGroup downgrade(
            ConsumerGroup group, Set<String> leaving, String cause, TopicsView topics, Turn turn) {
        String groupId = group.groupId();
        List<ClassicMemberSnapshot> members = group.classicMembers(leaving, topics);
        int generation = group.groupEpoch();
        consumer.delete(group, turn);
        ClassicGroup downgraded =
                groups.addClassic(
                        ClassicGroup.stable(
                                groupId,
                                generation,
                                members,
                                turn.nowMs(),
                                groups.history(groupId)));
        classic.onConverted(
                downgraded,
                leaving.stream().findFirst().orElse(""),
                cause + "; the group is classic again",
                turn);
        LOG.info("Group {} moved to the classic protocol with {} members", groupId, members.size());
        return downgraded;
    }
}
