package dev.ottla.group.classic;

import dev.ottla.group.record.Bytes;
import dev.ottla.group.shell.MemberIdentity;
import java.util.Map;
import java.util.Optional;

/// SyncGroup in the coordinator's own types.
public final class SyncGroup {
    private SyncGroup() {}

    /// A member asks for its part; the leader brings the parts of all.
    ///
    /// @param assignments by member id; from the leader, empty from the others
    public record Request(
            String groupId,
            int generationId,
            MemberIdentity member,
            Optional<String> protocolType,
            Optional<String> protocolName,
            Map<String, Bytes> assignments) {
        public Request {
            assignments = Map.copyOf(assignments);
        }
    }

    public record Response(
            Optional<String> protocolType, Optional<String> protocolName, Bytes assignment) {}
}
