package dev.ottla.broker.handler.group;

import dev.ottla.broker.coordinator.GroupCoordinators;
import dev.ottla.broker.request.ApiHandler;
import dev.ottla.broker.request.RequestContext;
import dev.ottla.broker.request.Responder;
import dev.ottla.group.classic.JoinGroup;
import dev.ottla.group.record.Bytes;
import dev.ottla.group.record.GroupRecord.ClassicProtocolValue;
import dev.ottla.group.shell.Refusal;
import dev.ottla.wire.ErrorCode;
import dev.ottla.wire.message.ApiKey;
import dev.ottla.wire.message.JoinGroupRequest;
import dev.ottla.wire.message.JoinGroupResponse;
import dev.ottla.wire.message.JoinGroupResponse.JoinGroupResponseMember;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// JoinGroup: a classic member enters a group or a new generation. The answer waits until the
/// generation is complete.
///
/// Errors: MEMBER_ID_REQUIRED, UNKNOWN_MEMBER_ID, INCONSISTENT_GROUP_PROTOCOL, INVALID_GROUP_ID,
/// INVALID_SESSION_TIMEOUT, GROUP_MAX_SIZE_REACHED, FENCED_INSTANCE_ID, REBALANCE_IN_PROGRESS, and
/// those of finding the coordinator.
public final class JoinGroupHandler implements ApiHandler<JoinGroupRequest> {
    private static final int NO_GENERATION = -1;
    private static final short FIRST_WITH_REBALANCE_TIMEOUT = 1;
    private static final short FIRST_WITH_REQUIRED_ID = 4;
    private static final short FIRST_WITH_NULL_PROTOCOL = 7;
    private static final short FIRST_WITH_SKIPPED_ASSIGNMENT = 9;

    private final GroupCoordinators groups;

    public JoinGroupHandler(GroupCoordinators groups) {
        this.groups = groups;
    }

    @Override
    public ApiKey api() {
        return ApiKey.JOIN_GROUP;
    }

    @Override
    public void handle(RequestContext context, JoinGroupRequest request, Responder responder) {
        short version = context.version();
        JoinGroup.Request join =
                new JoinGroup.Request(
                        request.groupId(),
                        GroupReplies.member(request.memberId(), request.groupInstanceId()),
                        GroupReplies.client(context),
                        request.sessionTimeoutMs(),
                        version >= FIRST_WITH_REBALANCE_TIMEOUT
                                ? request.rebalanceTimeoutMs()
                                : request.sessionTimeoutMs(),
                        request.protocolType(),
                        request.protocols().stream()
                                .map(p ->
                                        new ClassicProtocolValue(
                                                p.name(), Bytes.copyOf(p.metadata())))
                                .toList(),
                        Optional.ofNullable(request.reason()),
                        version >= FIRST_WITH_REQUIRED_ID && request.groupInstanceId() == null,
                        version >= FIRST_WITH_SKIPPED_ASSIGNMENT);
        GroupCoordinators.Operation<JoinGroup.Response> operation =
                (coordinator, reply, nowMs) -> coordinator.joinGroup(join, reply, nowMs);
        groups.call(
                request.groupId(),
                operation,
                GroupReplies.to(
                        responder,
                        joined -> answer(joined, version),
                        refusal -> refused(refusal, request.memberId(), version)));
    }

    private static JoinGroupResponse answer(JoinGroup.Response response, short version) {
        return switch (response) {
            case JoinGroup.Joined joined ->
                    JoinGroupResponse.builder()
                            .generationId(joined.generationId())
                            .protocolType(joined.protocolType().orElse(null))
                            .protocolName(protocolName(joined.protocolName().orElse(null), version))
                            .leader(joined.leader())
                            .skipAssignment(joined.skipAssignment())
                            .memberId(joined.memberId())
                            .members(
                                    joined.members().stream()
                                            .map(JoinGroupHandler::describe)
                                            .toList())
                            .build();
            case JoinGroup.MemberIdRequired required ->
                    failed(ErrorCode.MEMBER_ID_REQUIRED, required.memberId(), version);
        };
    }

    private static JoinGroupResponseMember describe(JoinGroup.Member member) {
        return JoinGroupResponseMember.builder()
                .memberId(member.memberId())
                .groupInstanceId(member.groupInstanceId().orElse(null))
                .metadata(member.metadata().buffer())
                .build();
    }

    private static JoinGroupResponse refused(Refusal refusal, String memberId, short version) {
        return failed(refusal.error(), memberId, version);
    }

    private static JoinGroupResponse failed(ErrorCode error, String memberId, short version) {
        return JoinGroupResponse.builder()
                .errorCode(error.code())
                .generationId(NO_GENERATION)
                .protocolName(protocolName(null, version))
                .memberId(memberId)
                .build();
    }

    private static @Nullable String protocolName(@Nullable String name, short version) {
        return name == null && version < FIRST_WITH_NULL_PROTOCOL ? "" : name;
    }
}
