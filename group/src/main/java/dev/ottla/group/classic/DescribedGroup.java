package dev.ottla.group.classic;

import dev.ottla.group.record.Bytes;
import java.util.List;
import java.util.Optional;

/// What DescribeGroups tells about a classic group. Protocol, metadata and assignments are filled
/// in while the group is stable.
public record DescribedGroup(
        String groupId,
        String state,
        String protocolType,
        String protocolName,
        List<Member> members) {
    public DescribedGroup {
        members = List.copyOf(members);
    }

    public record Member(
            String memberId,
            Optional<String> groupInstanceId,
            String clientId,
            String clientHost,
            Bytes metadata,
            Bytes assignment) {}
}
