package dev.ottla.broker.handler.group;

import dev.ottla.broker.coordinator.GroupCoordinators;
import dev.ottla.broker.request.ApiHandler;
import dev.ottla.broker.request.RequestContext;
import dev.ottla.broker.request.Responder;
import dev.ottla.group.classic.LeaveGroup;
import dev.ottla.group.shell.MemberIdentity;
import dev.ottla.group.shell.Refusal;
import dev.ottla.wire.ErrorCode;
import dev.ottla.wire.message.ApiKey;
import dev.ottla.wire.message.LeaveGroupRequest;
import dev.ottla.wire.message.LeaveGroupResponse;
import dev.ottla.wire.message.LeaveGroupResponse.MemberResponse;
import java.util.List;
import java.util.Optional;

/// LeaveGroup: members go, one in old versions, several from version 3 on.
///
/// Errors: UNKNOWN_MEMBER_ID, FENCED_INSTANCE_ID (per member from version 3 on), and those of
/// finding the coordinator.
public final class LeaveGroupHandler implements ApiHandler<LeaveGroupRequest> {
    private static final short FIRST_WITH_MEMBERS = 3;

    private final GroupCoordinators groups;

    public LeaveGroupHandler(GroupCoordinators groups) {
        this.groups = groups;
    }

    @Override
    public ApiKey api() {
        return ApiKey.LEAVE_GROUP;
    }

    @Override
    public void handle(RequestContext context, LeaveGroupRequest request, Responder responder) {
        boolean several = context.version() >= FIRST_WITH_MEMBERS;
        List<LeaveGroup.Leaver> leavers =
                several
                        ? request.members().stream()
                                .map(member ->
                                        new LeaveGroup.Leaver(
                                                GroupReplies.member(
                                                        member.memberId(),
                                                        member.groupInstanceId()),
                                                Optional.ofNullable(member.reason())))
                                .toList()
                        : List.of(
                                new LeaveGroup.Leaver(
                                        MemberIdentity.dynamic(request.memberId()),
                                        Optional.empty()));
        LeaveGroup.Request leave = new LeaveGroup.Request(request.groupId(), leavers);
        GroupCoordinators.Operation<LeaveGroup.Response> operation =
                (coordinator, reply, nowMs) -> coordinator.leaveGroup(leave, reply, nowMs);
        groups.call(
                request.groupId(),
                operation,
                GroupReplies.to(
                        responder,
                        response -> several ? answer(response) : answerOne(response),
                        refusal -> failed(refusal.error())));
    }

    private static LeaveGroupResponse answer(LeaveGroup.Response response) {
        return LeaveGroupResponse.builder()
                .members(
                        response.members().stream()
                                .map(left ->
                                        MemberResponse.builder()
                                                .memberId(left.member().memberId())
                                                .groupInstanceId(
                                                        left.member()
                                                                .groupInstanceId()
                                                                .orElse(null))
                                                .errorCode(error(left.refusal()).code())
                                                .build())
                                .toList())
                .build();
    }

    private static LeaveGroupResponse answerOne(LeaveGroup.Response response) {
        return failed(error(response.members().getFirst().refusal()));
    }

    private static ErrorCode error(Optional<Refusal> refusal) {
        return refusal.map(Refusal::error).orElse(ErrorCode.NONE);
    }

    private static LeaveGroupResponse failed(ErrorCode error) {
        return LeaveGroupResponse.builder().errorCode(error.code()).build();
    }
}
