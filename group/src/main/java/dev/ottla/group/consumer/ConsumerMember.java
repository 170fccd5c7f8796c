package dev.ottla.group.consumer;

import dev.ottla.group.partition.OwnedPartitions;
import dev.ottla.group.record.GroupRecord.ConsumerMemberValue;
import dev.ottla.group.record.GroupRecord.CurrentAssignmentValue;
import java.util.Optional;
import java.util.Set;

/// A member of a consumer group as its records describe it. Immutable.
///
/// @param info what it told about itself
/// @param current what it owns now
record ConsumerMember(String memberId, ConsumerMemberValue info, CurrentAssignmentValue current) {
    /// What a member owns before its first assignment.
    static final CurrentAssignmentValue NOTHING =
            new CurrentAssignmentValue(
                    0, -1, MemberState.STABLE.code(), OwnedPartitions.EMPTY, OwnedPartitions.EMPTY);

    /// Stands in for a member until its own record comes.
    static final ConsumerMemberValue UNDESCRIBED =
            new ConsumerMemberValue(
                    Optional.empty(),
                    Optional.empty(),
                    "",
                    "",
                    Set.of(),
                    Optional.empty(),
                    -1,
                    Optional.empty(),
                    Optional.empty());

    int epoch() {
        return current.memberEpoch();
    }

    MemberState state() {
        return MemberState.of(current.state());
    }

    boolean isClassic() {
        return info.classic().isPresent();
    }

    boolean isReconciledTo(int targetEpoch) {
        return state() == MemberState.STABLE && epoch() == targetEpoch;
    }

    ConsumerMember with(ConsumerMemberValue changed) {
        return new ConsumerMember(memberId, changed, current);
    }

    ConsumerMember with(CurrentAssignmentValue changed) {
        return new ConsumerMember(memberId, info, changed);
    }
}
