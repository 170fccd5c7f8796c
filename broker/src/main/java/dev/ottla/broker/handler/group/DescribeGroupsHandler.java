package dev.ottla.broker.handler.group;

import dev.ottla.broker.coordinator.GroupCoordinators;
import dev.ottla.broker.handler.cluster.AuthorizedOperations;
import dev.ottla.broker.request.ApiHandler;
import dev.ottla.broker.request.RequestContext;
import dev.ottla.broker.request.Responder;
import dev.ottla.group.shell.Refusal;
import dev.ottla.wire.ErrorCode;
import dev.ottla.wire.message.ApiKey;
import dev.ottla.wire.message.DescribeGroupsRequest;
import dev.ottla.wire.message.DescribeGroupsResponse;
import dev.ottla.wire.message.DescribeGroupsResponse.DescribedGroup;
import dev.ottla.wire.message.DescribeGroupsResponse.DescribedGroupMember;
import java.util.function.Consumer;

/// DescribeGroups: state and members of classic groups.
///
/// A group that is not there is in the state Dead; from version 6 on it has the error
/// GROUP_ID_NOT_FOUND too. Other errors per group: those of finding the coordinator.
public final class DescribeGroupsHandler implements ApiHandler<DescribeGroupsRequest> {
    private static final short FIRST_WITH_NOT_FOUND = 6;
    private static final String DEAD = "Dead";

    private final GroupCoordinators groups;

    public DescribeGroupsHandler(GroupCoordinators groups) {
        this.groups = groups;
    }

    @Override
    public ApiKey api() {
        return ApiKey.DESCRIBE_GROUPS;
    }

    @Override
    public void handle(RequestContext context, DescribeGroupsRequest request, Responder responder) {
        GroupReplies.<String, DescribedGroup>forEach(
                request.groups(),
                (groupId, answer) ->
                        describe(groupId, request, context.version(), answer, responder),
                answers ->
                        responder.respond(
                                DescribeGroupsResponse.builder().groups(answers).build()));
    }

    private void describe(
            String groupId,
            DescribeGroupsRequest request,
            short version,
            Consumer<DescribedGroup> done,
            Responder responder) {
        GroupCoordinators.Operation<dev.ottla.group.classic.DescribedGroup> operation =
                (coordinator, reply, nowMs) -> coordinator.describeGroup(groupId, reply, nowMs);
        groups.read(
                groupId,
                operation,
                GroupReplies.of(
                        responder,
                        group ->
                                done.accept(describe(group, request.includeAuthorizedOperations())),
                        refusal -> done.accept(refused(groupId, refusal, version))));
    }

    private static DescribedGroup describe(
            dev.ottla.group.classic.DescribedGroup group, boolean operations) {
        return DescribedGroup.builder()
                .groupId(group.groupId())
                .groupState(group.state())
                .protocolType(group.protocolType())
                .protocolData(group.protocolName())
                .members(
                        group.members().stream()
                                .map(member ->
                                        DescribedGroupMember.builder()
                                                .memberId(member.memberId())
                                                .groupInstanceId(
                                                        member.groupInstanceId().orElse(null))
                                                .clientId(member.clientId())
                                                .clientHost(member.clientHost())
                                                .memberMetadata(member.metadata().buffer())
                                                .memberAssignment(member.assignment().buffer())
                                                .build())
                                .toList())
                .authorizedOperations(AuthorizedOperations.onGroup(operations))
                .build();
    }

    private static DescribedGroup refused(String groupId, Refusal refusal, short version) {
        DescribedGroup.Builder answer = DescribedGroup.builder().groupId(groupId);
        if (refusal.error() != ErrorCode.GROUP_ID_NOT_FOUND) {
            return answer.errorCode(refusal.error().code()).build();
        }
        answer.groupState(DEAD);
        if (version >= FIRST_WITH_NOT_FOUND) {
            answer.errorCode(refusal.error().code()).errorMessage(refusal.message());
        }
        return answer.build();
    }
}
