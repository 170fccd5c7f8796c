package dev.ottla.group.classic;

import dev.ottla.group.shell.MemberIdentity;

/// Heartbeat in the coordinator's own types.
public final class Heartbeat {
    private Heartbeat() {}

    public record Request(String groupId, int generationId, MemberIdentity member) {}

    /// The member is known and its generation is current.
    public enum Response {
        ALIVE
    }
}
