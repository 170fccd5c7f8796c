package dev.ottla.group.assignor;

import dev.ottla.wire.Uuid;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// A group as an assignor sees it.
///
/// @param members in order
/// @param partitionCounts of every topic that a member subscribes to and that exists
public record GroupSpec(List<MemberSpec> members, Map<Uuid, Integer> partitionCounts) {
    public GroupSpec {
        members = members.stream().sorted().toList();
        partitionCounts = Map.copyOf(partitionCounts);
    }

    /// Whether all members subscribe to the same topics.
    boolean isHomogeneous() {
        if (members.isEmpty()) return true;
        Set<Uuid> first = members.getFirst().topics();
        return members.stream().allMatch(member -> member.topics().equals(first));
    }
}
