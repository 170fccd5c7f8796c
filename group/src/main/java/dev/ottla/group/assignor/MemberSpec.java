package dev.ottla.group.assignor;

import dev.ottla.group.partition.Assignment;
import dev.ottla.wire.Uuid;
import java.util.Optional;
import java.util.Set;

/// One member as an assignor sees it.
///
/// @param instanceId of a static member; gives it a fixed place among the members
/// @param topics ids of the topics it subscribes to; members with the same topics should share one
///   set
/// @param previous its part in the last target assignment
public record MemberSpec(
        String memberId, Optional<String> instanceId, Set<Uuid> topics, Assignment previous)
        implements Comparable<MemberSpec> {
    public MemberSpec {
        topics = Set.copyOf(topics);
    }

    /// Static members first, by instance; the others by member id.
    @Override
    public int compareTo(MemberSpec other) {
        if (instanceId.isPresent() != other.instanceId.isPresent()) {
            return instanceId.isPresent() ? -1 : 1;
        }
        String mine = instanceId.orElse(memberId);
        String theirs = other.instanceId.orElse(other.memberId);
        int order = mine.compareTo(theirs);
        return order != 0 ? order : memberId.compareTo(other.memberId);
    }
}
