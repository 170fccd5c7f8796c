package dev.ottla.group.consumer;

import dev.ottla.group.partition.Assignment;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// What ConsumerGroupDescribe tells about a consumer group.
public record DescribedConsumerGroup(
        String groupId,
        String state,
        int groupEpoch,
        int assignmentEpoch,
        String assignorName,
        List<Member> members) {
    public DescribedConsumerGroup {
        members = List.copyOf(members);
    }

    /// A member of the group.
    ///
    /// @param assigned what the member owns now
    /// @param target what it shall own in the end
    /// @param classic whether it speaks the classic protocol
    public record Member(
            String memberId,
            Optional<String> instanceId,
            Optional<String> rackId,
            int memberEpoch,
            String clientId,
            String clientHost,
            Set<String> subscribedTopicNames,
            Optional<String> subscribedTopicRegex,
            Assignment assigned,
            Assignment target,
            boolean classic) {
        public Member {
            subscribedTopicNames = Set.copyOf(subscribedTopicNames);
        }
    }
}
