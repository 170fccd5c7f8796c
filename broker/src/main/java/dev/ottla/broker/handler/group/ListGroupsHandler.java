package dev.ottla.broker.handler.group;

import dev.ottla.broker.coordinator.GroupCoordinators;
import dev.ottla.broker.request.ApiHandler;
import dev.ottla.broker.request.RequestContext;
import dev.ottla.broker.request.Responder;
import dev.ottla.group.ListedGroup;
import dev.ottla.group.shell.Refusal;
import dev.ottla.wire.ErrorCode;
import dev.ottla.wire.message.ApiKey;
import dev.ottla.wire.message.ListGroupsRequest;
import dev.ottla.wire.message.ListGroupsResponse;
import java.util.List;

/// ListGroups: every group of this broker's coordinators, filtered by state (KIP-518) and type
/// (KIP-848).
///
/// Errors: COORDINATOR_LOAD_IN_PROGRESS while one of the coordinators is read, for the list would
/// not be whole.
public final class ListGroupsHandler implements ApiHandler<ListGroupsRequest> {
    private final GroupCoordinators groups;

    public ListGroupsHandler(GroupCoordinators groups) {
        this.groups = groups;
    }

    @Override
    public ApiKey api() {
        return ApiKey.LIST_GROUPS;
    }

    @Override
    public void handle(RequestContext context, ListGroupsRequest request, Responder responder) {
        GroupCoordinators.Operation<List<ListedGroup>> operation =
                (coordinator, reply, nowMs) ->
                        coordinator.listGroups(
                                request.statesFilter(), request.typesFilter(), reply, nowMs);
        groups.callAll(
                operation,
                GroupReplies.to(
                        responder, ListGroupsHandler::answer, refusal -> failed(refusal.error())));
    }

    private static ListGroupsResponse answer(GroupCoordinators.All<List<ListedGroup>> all) {
        if (!all.refusals().isEmpty()) {
            Refusal first = all.refusals().getFirst();
            return failed(first.error());
        }
        return ListGroupsResponse.builder()
                .groups(
                        all.results().stream()
                                .flatMap(List::stream)
                                .map(group ->
                                        ListGroupsResponse.ListedGroup.builder()
                                                .groupId(group.groupId())
                                                .protocolType(group.protocolType())
                                                .groupState(group.state())
                                                .groupType(group.type().label())
                                                .build())
                                .toList())
                .build();
    }

    private static ListGroupsResponse failed(ErrorCode error) {
        return ListGroupsResponse.builder().errorCode(error.code()).build();
    }
}
