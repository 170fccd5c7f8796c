package dev.ottla.group.consumer;

import dev.ottla.group.offset.OffsetStore;
import dev.ottla.group.shell.MemberIdentity;
import dev.ottla.group.shell.Refusal;
import dev.ottla.group.shell.TopicsView;
import dev.ottla.wire.ErrorCode;
import dev.ottla.wire.Uuid;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Whether a client may commit or fetch offsets of a consumer group. Pure functions.
///
/// A commit under the current member epoch passes. One under an older epoch passes for partitions
/// that the member has had since then: nobody else can have owned them in between (KIP-1251).
public final class CommitCheck {
    private static final int FIRST_VERSION_FOR_MEMBERS = 9;

    private CommitCheck() {}

    /// Whether the client may commit at all.
    public static Optional<Refusal> client(
            ConsumerGroup group,
            MemberIdentity identity,
            int epoch,
            boolean transactional,
            int apiVersion) {
        if (epoch < 0 && group.isEmpty()) return Optional.empty();
        if (transactional
                && epoch == -1
                && identity.isUnknown()
                && identity.groupInstanceId().isEmpty()) {
            return Optional.empty();
        }
        @Nullable ConsumerMember member = group.member(identity.memberId()).orElse(null);
        if (member == null) {
            return Optional.of(HeartbeatCheck.unknownMember(group.groupId(), identity.toString()));
        }
        if (!transactional && !member.isClassic() && apiVersion < FIRST_VERSION_FOR_MEMBERS) {
            return Optional.of(
                    Refusal.of(
                            ErrorCode.UNSUPPORTED_VERSION,
                            "Group %s: member %s uses the consumer protocol and must commit with version 9"
                                    + " or newer of OffsetCommit. Update the client.",
                            group.groupId(),
                            member.memberId()));
        }
        if (epoch <= member.epoch()) return Optional.empty();
        return Optional.of(stale(group, member, epoch, "has not been reached yet"));
    }

    /// Which partitions the client may commit, once [#client] let it pass.
    public static OffsetStore.PartitionCheck partitions(
            ConsumerGroup group, MemberIdentity identity, int epoch, TopicsView topics) {
        @Nullable ConsumerMember member = group.member(identity.memberId()).orElse(null);
        if (member == null || epoch == member.epoch()) return OffsetStore.PartitionCheck.NONE;
        return (topic, topicId, partition) -> {
            Uuid id =
                    topicId.isZero()
                            ? topics.byName(topic).map(TopicsView.Topic::id).orElse(Uuid.ZERO)
                            : topicId;
            @Nullable Integer since = member.current().assigned().of(id).get(partition);
            if (since == null) since = member.current().pendingRevocation().of(id).get(partition);
            if (since != null && since <= epoch) return Optional.empty();
            return Optional.of(
                    stale(
                            group,
                            member,
                            epoch,
                            since == null
                                    ? "is over, and %s-%d is not the member's any more"
                                            .formatted(topic, partition)
                                    : "is older than epoch %d, at which the member got %s-%d"
                                            .formatted(since, topic, partition)));
        };
    }

    /// Whether the client may fetch offsets.
    public static Optional<Refusal> fetch(
            ConsumerGroup group, Optional<String> memberId, int epoch) {
        if (memberId.filter(id -> !id.isEmpty()).isEmpty() && epoch < 0) return Optional.empty();
        @Nullable ConsumerMember member = memberId.flatMap(group::member).orElse(null);
        if (member == null) {
            return Optional.of(HeartbeatCheck.unknownMember(group.groupId(), memberId.orElse("")));
        }
        if (epoch == member.epoch()) return Optional.empty();
        return Optional.of(stale(group, member, epoch, "is not the current one"));
    }

    private static Refusal stale(
            ConsumerGroup group, ConsumerMember member, int epoch, String what) {
        return Refusal.of(
                member.isClassic() ? ErrorCode.ILLEGAL_GENERATION : ErrorCode.STALE_MEMBER_EPOCH,
                "Group %s: member %s is at epoch %d; epoch %d of the request %s. Heartbeat first, then"
                        + " try again with the epoch that the answer names.",
                group.groupId(),
                member.memberId(),
                member.epoch(),
                epoch,
                what);
    }
}
