package dev.ottla.group;

import dev.ottla.group.classic.ClassicGroup;
import dev.ottla.group.consumer.CommitCheck;
import dev.ottla.group.consumer.ConsumerGroup;
import dev.ottla.group.offset.ExpiryRule;
import dev.ottla.group.offset.OffsetCommit;
import dev.ottla.group.offset.OffsetDelete;
import dev.ottla.group.offset.OffsetFetch;
import dev.ottla.group.offset.OffsetStore;
import dev.ottla.group.record.GroupRecord;
import dev.ottla.group.shell.Refusal;
import dev.ottla.group.shell.Reply;
import dev.ottla.group.shell.TimerKey;
import dev.ottla.group.shell.Turn;
import dev.ottla.wire.ErrorCode;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;

/// The requests about offsets: asks the group whether they may pass, then the [OffsetStore] does
/// them. Owned by the coordinator's thread.
final class OffsetRequests {
    private final Parts parts;
    private final Groups groups;
    private final OffsetStore offsets;
    private final Turn turn;

    OffsetRequests(Parts parts) {
        this.parts = parts;
        this.groups = parts.groups;
        this.offsets = parts.offsets;
        this.turn = parts.turn;
    }

    void commit(OffsetCommit.Request request, Reply<OffsetCommit.Response> reply) {
        // The empty group id is allowed here and in fetch: simple consumers of old keep offsets by
        // it.
        Optional<Refusal> refusal = checkCommit(request);
        if (refusal.isPresent()) {
            turn.refuse(reply, refusal.get());
            return;
        }
        OffsetStore.PartitionCheck partitions =
                groups.consumer(request.groupId())
                        .map(group ->
                                CommitCheck.partitions(
                                        group,
                                        request.member(),
                                        request.generationIdOrMemberEpoch(),
                                        parts.topics()))
                        .orElse(OffsetStore.PartitionCheck.NONE);
        switch (offsets.commit(request, partitions, turn)) {
            case OffsetStore.CommitOutcome.Committed(var response) ->
                    turn.complete(reply, response);
            case OffsetStore.CommitOutcome.Refused(var reason) -> turn.refuse(reply, reason);
        }
    }

    private Optional<Refusal> checkCommit(OffsetCommit.Request request) {
        int epoch = request.generationIdOrMemberEpoch();
        Optional<ConsumerGroup> consumer = groups.consumer(request.groupId());
        if (consumer.isPresent()) {
            return CommitCheck.client(
                    consumer.get(), request.member(), epoch, false, request.apiVersion());
        }
        Optional<ClassicGroup> classic = groups.classic(request.groupId());
        if (classic.isEmpty()) {
            // Without a generation it is no member that commits: the first commit makes the group.
            if (epoch < 0) return Optional.empty();
            return Optional.of(
                    Parts.noSuchGroup(
                            request.apiVersion() >= 9
                                    ? ErrorCode.GROUP_ID_NOT_FOUND
                                    : ErrorCode.ILLEGAL_GENERATION,
                            request.groupId()));
        }
        Optional<Refusal> refusal = classic.get().checkCommit(request.member(), epoch, false);
        if (refusal.isEmpty()) {
            parts.classic.onCommit(classic.get(), request.member().memberId(), turn);
        }
        return refusal;
    }

    void fetch(OffsetFetch.Request request, Reply<OffsetFetch.Response> reply) {
        Optional<Refusal> refusal =
                groups.consumer(request.groupId())
                        .flatMap(group ->
                                CommitCheck.fetch(
                                        group, request.memberId(), request.memberEpoch()));
        if (refusal.isPresent()) turn.refuse(reply, refusal.get());
        else turn.complete(reply, offsets.fetch(request));
    }

    void delete(OffsetDelete.Request request, Reply<OffsetDelete.Response> reply) {
        Optional<ClassicGroup> classic = groups.classic(request.groupId());
        Optional<ConsumerGroup> consumer = groups.consumer(request.groupId());
        Optional<Refusal> refusal =
                Parts.checkGroupId(request.groupId())
                        .or(() -> classic.flatMap(ClassicGroup::checkOffsetDelete));
        if (refusal.isEmpty() && classic.isEmpty() && consumer.isEmpty()) {
            refusal =
                    Optional.of(Parts.noSuchGroup(ErrorCode.GROUP_ID_NOT_FOUND, request.groupId()));
        }
        if (refusal.isPresent()) {
            turn.refuse(reply, refusal.get());
            return;
        }
        Function<String, Boolean> subscribed =
                topic ->
                        classic.map(group -> group.isSubscribedTo(topic))
                                .or(() -> consumer.map(group -> group.isSubscribedTo(topic)))
                                .orElse(false);
        OffsetDelete.Response response = offsets.delete(request, subscribed, turn);
        turn.complete(reply, response);
    }

    // Expiry.

    void scheduleExpiry() {
        turn.schedule(
                new TimerKey(TimerKey.Kind.OFFSET_EXPIRY, "", ""),
                turn.nowMs() + parts.configs.offsets().checkIntervalMs());
    }

    /// Looks through all groups for offsets that have had their time, and forgets groups without
    /// anything.
    void expire() {
        for (String groupId : groups.ids()) {
            offsets.sweepDeletedTopics(groupId, parts.topics(), turn);
            expiryRule(groupId).ifPresent(rule -> offsets.expire(groupId, rule, turn));
            if (offsets.hasOffsets(groupId)) continue;
            groups.classic(groupId)
                    .filter(group -> group.isEmpty() && group.isUnused())
                    .ifPresent(_ -> turn.write(new GroupRecord.Classic(groupId, Optional.empty())));
            groups.consumer(groupId)
                    .filter(ConsumerGroup::isEmpty)
                    .ifPresent(group -> parts.consumer.delete(group, turn));
        }
        groups.forgetHistories();
        scheduleExpiry();
    }

    private Optional<ExpiryRule> expiryRule(String groupId) {
        return groups.consumer(groupId)
                .map(group -> new ExpiryRule(OptionalLong.empty(), group::isSubscribedTo))
                .or(() -> groups.classic(groupId).flatMap(OffsetRequests::expiryRule));
    }

    private static Optional<ExpiryRule> expiryRule(ClassicGroup group) {
        if (group.protocolType().isEmpty()) {
            return Optional.of(new ExpiryRule(OptionalLong.empty(), _ -> false));
        }
        return switch (group.state()) {
            case EMPTY ->
                    Optional.of(
                            new ExpiryRule(
                                    group.stateTimestampMs() < 0
                                            ? OptionalLong.empty()
                                            : OptionalLong.of(group.stateTimestampMs()),
                                    _ -> false));
            case STABLE ->
                    group.subscribedTopics()
                            .map(names -> new ExpiryRule(OptionalLong.empty(), names::contains));
            case PREPARING_REBALANCE, COMPLETING_REBALANCE, DEAD -> Optional.empty();
        };
    }
}
