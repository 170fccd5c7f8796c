package dev.ottla.group.classic;

import dev.ottla.group.shell.MemberIdentity;
import dev.ottla.group.shell.Refusal;
import java.util.List;
import java.util.Optional;

/// LeaveGroup in the coordinator's own types; versions before 3 name one member.
public final class LeaveGroup {
    private LeaveGroup() {}

    public record Request(String groupId, List<Leaver> members) {
        public Request {
            members = List.copyOf(members);
        }
    }

    public record Leaver(MemberIdentity member, Optional<String> reason) {}

    /// One result for each leaver, in the order of the request.
    public record Response(List<Left> members) {
        public Response {
            members = List.copyOf(members);
        }
    }

    /// What became of one leaver.
    ///
    /// @param refusal empty when the member left
    public record Left(MemberIdentity member, Optional<Refusal> refusal) {}
}
