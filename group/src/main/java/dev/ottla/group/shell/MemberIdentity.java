package dev.ottla.group.shell;

import java.util.Optional;

/// How a member names itself in a request.
///
/// @param memberId empty when the member has none yet, or is named by its instance id alone
/// @param groupInstanceId present for a static member
public record MemberIdentity(String memberId, Optional<String> groupInstanceId) {
    public static MemberIdentity dynamic(String memberId) {
        return new MemberIdentity(memberId, Optional.empty());
    }

    public static MemberIdentity fixed(String memberId, String groupInstanceId) {
        return new MemberIdentity(memberId, Optional.of(groupInstanceId));
    }

    public boolean isUnknown() {
        return memberId.isEmpty();
    }

    @Override
    public String toString() {
        String id = memberId.isEmpty() ? "(no id yet)" : memberId;
        return groupInstanceId.map(instanceId -> id + ", instance " + instanceId).orElse(id);
    }
}
