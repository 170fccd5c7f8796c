package dev.ottla.broker.handler.group;

import dev.ottla.broker.coordinator.GroupCoordinators;
import dev.ottla.broker.request.ApiHandler;
import dev.ottla.broker.request.RequestContext;
import dev.ottla.broker.request.Responder;
import dev.ottla.group.classic.SyncGroup;
import dev.ottla.group.record.Bytes;
import dev.ottla.wire.ErrorCode;
import dev.ottla.wire.message.ApiKey;
import dev.ottla.wire.message.SyncGroupRequest;
import dev.ottla.wire.message.SyncGroupRequest.SyncGroupRequestAssignment;
import dev.ottla.wire.message.SyncGroupResponse;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// SyncGroup: the leader hands in the assignment, every member takes its own. The answer waits for
/// the leader.
///
/// Errors: REBALANCE_IN_PROGRESS, ILLEGAL_GENERATION, UNKNOWN_MEMBER_ID, FENCED_INSTANCE_ID,
/// INCONSISTENT_GROUP_PROTOCOL, and those of finding the coordinator.
public final class SyncGroupHandler implements ApiHandler<SyncGroupRequest> {
    private static final short FIRST_WITH_PROTOCOL = 5;

    private final GroupCoordinators groups;

    public SyncGroupHandler(GroupCoordinators groups) {
        this.groups = groups;
    }

    @Override
    public ApiKey api() {
        return ApiKey.SYNC_GROUP;
    }

    @Override
    public void handle(RequestContext context, SyncGroupRequest request, Responder responder) {
        boolean lacksProtocol = request.protocolType() == null || request.protocolName() == null;
        if (context.version() >= FIRST_WITH_PROTOCOL && lacksProtocol) {
            responder.respond(failed(ErrorCode.INCONSISTENT_GROUP_PROTOCOL));
            return;
        }
        Map<String, Bytes> assignments = new HashMap<>();
        for (SyncGroupRequestAssignment each : request.assignments()) {
            assignments.put(each.memberId(), Bytes.copyOf(each.assignment()));
        }
        SyncGroup.Request sync =
                new SyncGroup.Request(
                        request.groupId(),
                        request.generationId(),
                        GroupReplies.member(request.memberId(), request.groupInstanceId()),
                        Optional.ofNullable(request.protocolType()),
                        Optional.ofNullable(request.protocolName()),
                        assignments);
        GroupCoordinators.Operation<SyncGroup.Response> operation =
                (coordinator, reply, nowMs) -> coordinator.syncGroup(sync, reply, nowMs);
        groups.call(
                request.groupId(),
                operation,
                GroupReplies.to(
                        responder,
                        synced ->
                                SyncGroupResponse.builder()
                                        .protocolType(synced.protocolType().orElse(null))
                                        .protocolName(synced.protocolName().orElse(null))
                                        .assignment(synced.assignment().buffer())
                                        .build(),
                        refusal -> failed(refusal.error())));
    }

    private static SyncGroupResponse failed(ErrorCode error) {
        return SyncGroupResponse.builder().errorCode(error.code()).build();
    }
}
