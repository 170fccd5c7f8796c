package dev.ottla.group.classic;

import dev.ottla.group.record.Bytes;
import dev.ottla.group.record.GroupRecord.ClassicProtocolValue;
import dev.ottla.group.shell.ClientIdentity;
import dev.ottla.group.shell.MemberIdentity;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// JoinGroup in the coordinator's own types.
public final class JoinGroup {
    private JoinGroup() {}

    /// A member wants to join, or to join again.
    ///
    /// @param protocols in the member's order of preference
    /// @param requiresKnownMemberId a dynamic member is first told its id and joins with it the
    ///   second time (versions 4 and up)
    /// @param supportsSkippingAssignment the leader may be told to skip the assignment (versions 9
    ///   and up)
    public record Request(
            String groupId,
            MemberIdentity member,
            ClientIdentity client,
            int sessionTimeoutMs,
            int rebalanceTimeoutMs,
            String protocolType,
            List<ClassicProtocolValue> protocols,
            Optional<String> reason,
            boolean requiresKnownMemberId,
            boolean supportsSkippingAssignment) {
        public Request {
            protocols = distinct(protocols);
            if (rebalanceTimeoutMs < 0) rebalanceTimeoutMs = sessionTimeoutMs;
        }

        /// What the client gave as its reason, as a phrase.
        public String reasonOrDefault() {
            return reason.filter(text -> !text.isEmpty())
                    .map(text -> "; client reason: " + text)
                    .orElse("");
        }
    }

    /// A client that names a protocol twice means the first.
    private static List<ClassicProtocolValue> distinct(List<ClassicProtocolValue> protocols) {
        Map<String, ClassicProtocolValue> byName = new LinkedHashMap<>();
        protocols.forEach(protocol -> byName.putIfAbsent(protocol.name(), protocol));
        return List.copyOf(byName.values());
    }

    public sealed interface Response {}

    /// The member belongs to the new generation.
    ///
    /// @param members all members, for the leader; empty for the others
    /// @param skipAssignment the leader must not compute an assignment
    public record Joined(
            String memberId,
            int generationId,
            Optional<String> protocolType,
            Optional<String> protocolName,
            String leader,
            boolean skipAssignment,
            List<Member> members)
            implements Response {
        public Joined {
            members = List.copyOf(members);
        }
    }

    /// MEMBER_ID_REQUIRED: join again with this id.
    public record MemberIdRequired(String memberId) implements Response {}

    /// A member as the leader sees it.
    ///
    /// @param metadata the member's metadata for the chosen protocol
    public record Member(String memberId, Optional<String> groupInstanceId, Bytes metadata) {}
}
