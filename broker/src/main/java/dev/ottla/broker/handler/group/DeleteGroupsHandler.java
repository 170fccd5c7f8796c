package dev.ottla.broker.handler.group;

import dev.ottla.broker.coordinator.GroupCoordinators;
import dev.ottla.broker.request.ApiHandler;
import dev.ottla.broker.request.RequestContext;
import dev.ottla.broker.request.Responder;
import dev.ottla.wire.message.ApiKey;
import dev.ottla.wire.message.DeleteGroupsRequest;
import dev.ottla.wire.message.DeleteGroupsResponse;
import dev.ottla.wire.message.DeleteGroupsResponse.DeletableGroupResult;
import java.util.function.Consumer;

/// DeleteGroups: empty groups go, with their offsets.
///
/// Errors per group: GROUP_ID_NOT_FOUND, NON_EMPTY_GROUP, INVALID_GROUP_ID, and those of finding
/// the coordinator.
public final class DeleteGroupsHandler implements ApiHandler<DeleteGroupsRequest> {
    private final GroupCoordinators groups;

    public DeleteGroupsHandler(GroupCoordinators groups) {
        this.groups = groups;
    }

    @Override
    public ApiKey api() {
        return ApiKey.DELETE_GROUPS;
    }

    @Override
    public void handle(RequestContext context, DeleteGroupsRequest request, Responder responder) {
        GroupReplies.<String, DeletableGroupResult>forEach(
                request.groupsNames().stream().distinct().toList(),
                (groupId, answer) -> delete(groupId, answer, responder),
                answers ->
                        responder.respond(DeleteGroupsResponse.builder().results(answers).build()));
    }

    private void delete(String groupId, Consumer<DeletableGroupResult> done, Responder responder) {
        GroupCoordinators.Operation<String> operation =
                (coordinator, reply, nowMs) -> coordinator.deleteGroup(groupId, reply, nowMs);
        groups.call(
                groupId,
                operation,
                GroupReplies.of(
                        responder,
                        deleted ->
                                done.accept(
                                        DeletableGroupResult.builder().groupId(groupId).build()),
                        refusal ->
                                done.accept(
                                        DeletableGroupResult.builder()
                                                .groupId(groupId)
                                                .errorCode(refusal.error().code())
                                                .build())));
    }
}
