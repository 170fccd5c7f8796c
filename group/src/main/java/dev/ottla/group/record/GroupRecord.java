package dev.ottla.group.record;

import dev.ottla.group.partition.Assignment;
import dev.ottla.group.partition.OwnedPartitions;
import dev.ottla.wire.Uuid;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// The content of one record of `__consumer_offsets`. An empty value is a tombstone. The comments
/// name Kafka's record and the type number its key starts with.
public sealed interface GroupRecord {
    /// A committed offset (OffsetCommit, key types 0 and 1).
    record Offset(String groupId, String topic, int partition, Optional<CommittedOffset> value)
            implements GroupRecord {}

    /// A classic group with its members and their assignments (GroupMetadata, 2).
    record Classic(String groupId, Optional<ClassicGroupValue> value) implements GroupRecord {}

    /// Epoch of a consumer group (ConsumerGroupMetadata, 3). It goes up with every change of the
    /// members, their subscriptions or the topics.
    record ConsumerEpoch(String groupId, Optional<ConsumerEpochValue> value)
            implements GroupRecord {}

    /// What a member of a consumer group told about itself (ConsumerGroupMemberMetadata, 5).
    record ConsumerMember(String groupId, String memberId, Optional<ConsumerMemberValue> value)
            implements GroupRecord {}

    /// The group epoch that the target assignments were made for
    /// (ConsumerGroupTargetAssignmentMetadata, 6).
    record TargetEpoch(String groupId, Optional<TargetEpochValue> value) implements GroupRecord {}

    /// What a member shall own in the end (ConsumerGroupTargetAssignmentMember, 7).
    record TargetAssignment(String groupId, String memberId, Optional<Assignment> value)
            implements GroupRecord {}

    /// What a member owns now (ConsumerGroupCurrentMemberAssignment, 8).
    record CurrentAssignment(
            String groupId, String memberId, Optional<CurrentAssignmentValue> value)
            implements GroupRecord {}

    /// The topics that a regular expression matched (ConsumerGroupRegularExpression, 16).
    record ResolvedRegex(String groupId, String regex, Optional<ResolvedRegexValue> value)
            implements GroupRecord {}

    /// A record of a kind that this version does not know or no longer needs; skipped.
    record Unknown(int keyType) implements GroupRecord {}

    /// An offset as it was committed.
    ///
    /// @param leaderEpoch epoch of the last consumed record, −1 if unknown
    /// @param topicId the zero id if unknown
    /// @param expireTimestampMs when the committing client wanted the offset to expire, −1 for
    ///   never
    record CommittedOffset(
            long offset,
            int leaderEpoch,
            String metadata,
            Uuid topicId,
            long commitTimestampMs,
            long expireTimestampMs) {}

    /// A classic group at the moment its state was stored.
    ///
    /// @param protocol the protocol all members agreed on; none while the group is empty
    /// @param stateTimestampMs when the group entered its state, −1 if unknown
    record ClassicGroupValue(
            String protocolType,
            int generation,
            Optional<String> protocol,
            Optional<String> leader,
            long stateTimestampMs,
            List<ClassicMemberValue> members) {
        public ClassicGroupValue {
            members = List.copyOf(members);
        }

        /// The same group, marked as one that still has to form its first generation: a group
        /// without a leader rebalances when it is loaded.
        public ClassicGroupValue unfinished() {
            return new ClassicGroupValue(
                    protocolType,
                    generation,
                    protocol,
                    Optional.empty(),
                    stateTimestampMs,
                    members);
        }

        public boolean isUnfinished() {
            return leader.isEmpty() && !members.isEmpty();
        }
    }

    /// A member of a classic group.
    ///
    /// @param subscription the member's metadata for the group's protocol
    record ClassicMemberValue(
            String memberId,
            Optional<String> groupInstanceId,
            String clientId,
            String clientHost,
            int rebalanceTimeoutMs,
            int sessionTimeoutMs,
            Bytes subscription,
            Bytes assignment) {}

    /// The epoch of a consumer group.
    ///
    /// @param metadataHash a hash over the subscribed topics; another one means the topics changed
    record ConsumerEpochValue(int epoch, long metadataHash) {}

    /// What a member of a consumer group told about itself.
    ///
    /// @param rebalanceTimeoutMs −1 until the member gave one
    /// @param classic present while the member speaks the classic protocol
    record ConsumerMemberValue(
            Optional<String> instanceId,
            Optional<String> rackId,
            String clientId,
            String clientHost,
            Set<String> subscribedTopicNames,
            Optional<String> subscribedTopicRegex,
            int rebalanceTimeoutMs,
            Optional<String> serverAssignor,
            Optional<ClassicMemberMetadata> classic) {
        public ConsumerMemberValue {
            subscribedTopicNames = Set.copyOf(subscribedTopicNames);
        }
    }

    /// What a member still says in the classic protocol.
    ///
    /// @param protocols in the member's order of preference
    record ClassicMemberMetadata(int sessionTimeoutMs, List<ClassicProtocolValue> protocols) {
        public ClassicMemberMetadata {
            protocols = List.copyOf(protocols);
        }
    }

    record ClassicProtocolValue(String name, Bytes metadata) {}

    /// The group epoch of the target assignments.
    ///
    /// @param timestampMs when the assignment was made, 0 if unknown
    record TargetEpochValue(int epoch, long timestampMs) {}

    /// What a member owns and how far it is on the way to its target.
    ///
    /// @param state number of the member's state, see `MemberState`
    /// @param assigned what the member may use
    /// @param pendingRevocation what it was told to give up and has not yet
    record CurrentAssignmentValue(
            int memberEpoch,
            int previousMemberEpoch,
            byte state,
            OwnedPartitions assigned,
            OwnedPartitions pendingRevocation) {}

    /// The matches of a regular expression.
    ///
    /// @param version of the topic image it was evaluated on
    record ResolvedRegexValue(Set<String> topics, long version, long timestampMs) {
        public ResolvedRegexValue {
            topics = Set.copyOf(topics);
        }
    }
}
