package dev.ottla.group.consumer;

import static dev.ottla.group.consumer.ConsumerHeartbeat.JOIN_EPOCH;
import static dev.ottla.group.consumer.ConsumerHeartbeat.LEAVE_EPOCH;
import static dev.ottla.group.consumer.ConsumerHeartbeat.LEAVE_STATIC_EPOCH;

import com.google.re2j.PatternSyntaxException;
import dev.ottla.config.ClientPattern;
import dev.ottla.group.partition.Assignment;
import dev.ottla.group.partition.OwnedPartitions;
import dev.ottla.group.shell.Refusal;
import dev.ottla.wire.ErrorCode;
import java.util.List;
import java.util.Optional;

/// What a ConsumerGroupHeartbeat must be like. Pure functions; each says why a request is refused,
/// if it is.
final class HeartbeatCheck {
    private HeartbeatCheck() {}

    /// Checks the request by itself.
    static Optional<Refusal> form(ConsumerHeartbeat.Request request, List<String> assignors) {
        Optional<Refusal> refusal = identity(request);
        if (refusal.isEmpty() && request.memberEpoch() == JOIN_EPOCH) refusal = join(request);
        if (refusal.isPresent()) return refusal;
        if (request.serverAssignor().filter(name -> !assignors.contains(name)).isPresent()) {
            return Optional.of(
                    Refusal.of(
                            ErrorCode.UNSUPPORTED_ASSIGNOR,
                            "Group %s: there is no server-side assignor '%s'. Set group.remote.assignor to"
                                    + " one of %s, or leave it out.",
                            request.groupId(),
                            request.serverAssignor().get(),
                            String.join(", ", assignors)));
        }
        return request.subscribedTopicRegex().flatMap(regex -> regex(request.groupId(), regex));
    }

    private static Optional<Refusal> identity(ConsumerHeartbeat.Request request) {
        int epoch = request.memberEpoch();
        boolean needsId = request.apiVersion() >= 1 || epoch > 0 || epoch == LEAVE_EPOCH;
        if (needsId && request.memberId().isEmpty()) {
            return invalid(
                    request, "the member id is empty. Send the same non-empty id every time");
        }
        if (request.groupId().isEmpty()) {
            return invalid(request, "the group id is empty. Set group.id");
        }
        if (request.instanceId().filter(String::isEmpty).isPresent()) {
            return invalid(
                    request, "the instance id is empty. Give group.instance.id a value or none");
        }
        if (request.rackId().filter(String::isEmpty).isPresent()) {
            return invalid(request, "the rack id is empty. Give client.rack a value or none");
        }
        if (epoch < LEAVE_STATIC_EPOCH) {
            return invalid(
                    request, "the member epoch is " + epoch + ", and −2 is the least there is");
        }
        if (epoch == LEAVE_STATIC_EPOCH && request.instanceId().isEmpty()) {
            return invalid(
                    request,
                    "member epoch −2 is for static members, and there is no instance id. Leave with"
                            + " −1");
        }
        return Optional.empty();
    }

    private static Optional<Refusal> join(ConsumerHeartbeat.Request request) {
        if (request.rebalanceTimeoutMs() == -1) {
            return invalid(request, "a member that joins must tell its rebalance time-out");
        }
        if (request.owned().filter(Assignment::isEmpty).isEmpty()) {
            return invalid(
                    request,
                    "a member that joins owns nothing: it must send an empty list of partitions");
        }
        if (request.subscribedTopicNames().isEmpty() && request.subscribedTopicRegex().isEmpty()) {
            return invalid(
                    request, "a member that joins must subscribe to topics, by name or by pattern");
        }
        return Optional.empty();
    }

    private static Optional<Refusal> invalid(ConsumerHeartbeat.Request request, String what) {
        return Optional.of(
                Refusal.of(
                        ErrorCode.INVALID_REQUEST,
                        "Heartbeat to group %s: %s.",
                        request.groupId(),
                        what));
    }

    /// Whether RE2/J understands `regex`, and can be trusted with it.
    static Optional<Refusal> regex(String groupId, String regex) {
        try {
            var _ = ClientPattern.compile(regex);
            return Optional.empty();
        } catch (PatternSyntaxException e) {
            return Optional.of(
                    Refusal.of(
                            ErrorCode.INVALID_REGULAR_EXPRESSION,
                            "Group %s: '%s' is not a regular expression in RE2 syntax: %s. Correct the"
                                    + " subscription pattern.",
                            groupId,
                            regex,
                            e.getDescription()));
        }
    }

    /// Whether the member epoch of a request that does not join is good for `member`.
    ///
    /// The epoch before the current one is accepted with partitions that the member has: the answer
    /// that told it of the new one may have been lost.
    static Optional<Refusal> epoch(
            String groupId, ConsumerMember member, int epoch, Optional<Assignment> owned) {
        boolean current = epoch == member.epoch();
        boolean repeated =
                epoch == member.current().previousMemberEpoch()
                        && epoch < member.epoch()
                        && owned.filter(partitions ->
                                        isPartOf(partitions, member.current().assigned()))
                                .isPresent();
        if (current || repeated) return Optional.empty();
        return Optional.of(
                Refusal.of(
                        ErrorCode.FENCED_MEMBER_EPOCH,
                        "Group %s: member %s is at epoch %d, the request names %d. Give up all partitions"
                                + " and join again with epoch 0.",
                        groupId,
                        member.memberId(),
                        member.epoch(),
                        epoch));
    }

    private static boolean isPartOf(Assignment owned, OwnedPartitions assigned) {
        return owned.topics().entrySet().stream()
                .allMatch(entry ->
                        entry.getValue().stream()
                                .allMatch(
                                        partition -> assigned.contains(entry.getKey(), partition)));
    }

    static Refusal unknownMember(String groupId, String memberId) {
        return Refusal.of(
                ErrorCode.UNKNOWN_MEMBER_ID,
                "Group %s has no member %s: it left, timed out or never joined. Join with epoch 0.",
                groupId,
                memberId);
    }

    static Refusal fencedInstance(
            String groupId, String instanceId, String owner, String memberId) {
        return Refusal.of(
                ErrorCode.FENCED_INSTANCE_ID,
                "Group %s: instance %s is member %s, not %s: another process uses the same"
                        + " group.instance.id. Give each its own, or stop this one.",
                groupId,
                instanceId,
                owner,
                memberId);
    }

    static Refusal unreleasedInstance(String groupId, String instanceId, String owner) {
        return Refusal.of(
                ErrorCode.UNRELEASED_INSTANCE_ID,
                "Group %s: instance %s is in use by member %s. Stop that one, wait for its session to"
                        + " end, or use another group.instance.id.",
                groupId,
                instanceId,
                owner);
    }
}
