package dev.ottla.group.classic;

import dev.ottla.group.record.Bytes;
import dev.ottla.group.record.GroupRecord.ClassicProtocolValue;
import dev.ottla.group.shell.ClientIdentity;
import dev.ottla.group.shell.MemberIdentity;
import java.util.List;

/// A member of a classic group at one moment, for moving a group between the protocols.
public record ClassicMemberSnapshot(
        MemberIdentity identity,
        ClientIdentity client,
        int sessionTimeoutMs,
        int rebalanceTimeoutMs,
        List<ClassicProtocolValue> protocols,
        Bytes assignment) {
    public ClassicMemberSnapshot {
        protocols = List.copyOf(protocols);
    }
}
