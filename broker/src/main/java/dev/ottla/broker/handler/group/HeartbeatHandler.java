package dev.ottla.broker.handler.group;

import dev.ottla.broker.coordinator.GroupCoordinators;
import dev.ottla.broker.request.ApiHandler;
import dev.ottla.broker.request.RequestContext;
import dev.ottla.broker.request.Responder;
import dev.ottla.group.classic.Heartbeat;
import dev.ottla.wire.message.ApiKey;
import dev.ottla.wire.message.HeartbeatRequest;
import dev.ottla.wire.message.HeartbeatResponse;

/// Heartbeat: a classic member is alive.
///
/// Errors: REBALANCE_IN_PROGRESS, ILLEGAL_GENERATION, UNKNOWN_MEMBER_ID, FENCED_INSTANCE_ID,
/// INVALID_GROUP_ID, and those of finding the coordinator.
public final class HeartbeatHandler implements ApiHandler<HeartbeatRequest> {
    private final GroupCoordinators groups;

    public HeartbeatHandler(GroupCoordinators groups) {
        this.groups = groups;
    }

    @Override
    public ApiKey api() {
        return ApiKey.HEARTBEAT;
    }

    @Override
    public void handle(RequestContext context, HeartbeatRequest request, Responder responder) {
        Heartbeat.Request heartbeat =
                new Heartbeat.Request(
                        request.groupId(),
                        request.generationId(),
                        GroupReplies.member(request.memberId(), request.groupInstanceId()));
        GroupCoordinators.Operation<Heartbeat.Response> operation =
                (coordinator, reply, nowMs) -> coordinator.heartbeat(heartbeat, reply, nowMs);
        groups.read(
                request.groupId(),
                operation,
                GroupReplies.to(
                        responder,
                        alive -> HeartbeatResponse.builder().build(),
                        refusal ->
                                HeartbeatResponse.builder()
                                        .errorCode(refusal.error().code())
                                        .build()));
    }
}
