package dev.ottla.broker.coordinator;

import dev.ottla.group.offset.OffsetCommit;
import dev.ottla.group.offset.OffsetFetch;
import dev.ottla.group.shell.MemberIdentity;
import dev.ottla.wire.Uuid;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/// Requests of the group "group", which has no members, about partition 0 of topic "orders".
final class GroupRequests {
    private GroupRequests() {}

    static OffsetCommit.Request commit(long offset) {
        return new OffsetCommit.Request(
                "group",
                MemberIdentity.dynamic(""),
                -1,
                8,
                OptionalLong.empty(),
                List.of(
                        new OffsetCommit.Topic(
                                "orders",
                                Uuid.ZERO,
                                List.of(new OffsetCommit.Partition(0, offset, -1, "")))));
    }

    static OffsetFetch.Request fetch() {
        return new OffsetFetch.Request("group", Optional.empty(), -1, Optional.empty(), false);
    }
}
