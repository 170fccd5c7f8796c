package dev.ottla.broker.handler.controller;

import dev.ottla.broker.controlling.DirectoryMessages;
import dev.ottla.broker.handler.cluster.Failures;
import dev.ottla.broker.request.ApiHandler;
import dev.ottla.broker.request.RequestContext;
import dev.ottla.broker.request.Responder;
import dev.ottla.metadata.controller.AssignDirectory;
import dev.ottla.metadata.service.MetadataService;
import dev.ottla.wire.message.ApiKey;
import dev.ottla.wire.message.AssignReplicasToDirsRequest;
import dev.ottla.wire.message.AssignReplicasToDirsResponse;
import java.util.List;

/// AssignReplicasToDirs: a broker says in which directories it holds its replicas (KIP-858).
///
/// Errors for all: NOT_CONTROLLER, STALE_BROKER_EPOCH, BROKER_ID_NOT_REGISTERED; per partition
/// those of the controller's command.
public final class AssignReplicasToDirsHandler implements ApiHandler<AssignReplicasToDirsRequest> {
    private final MetadataService metadata;

    public AssignReplicasToDirsHandler(MetadataService metadata) {
        this.metadata = metadata;
    }

    @Override
    public ApiKey api() {
        return ApiKey.ASSIGN_REPLICAS_TO_DIRS;
    }

    @Override
    public boolean internal() {
        return true;
    }

    @Override
    public void handle(
            RequestContext context, AssignReplicasToDirsRequest request, Responder responder) {
        List<AssignDirectory> asked = DirectoryMessages.read(request);
        Failures.whenEnded(
                metadata.submit(controller ->
                        controller.assignDirectories(
                                request.brokerId(), request.brokerEpoch(), asked)),
                reply -> responder.respond(DirectoryMessages.response(asked, reply)),
                error ->
                        responder.respond(
                                AssignReplicasToDirsResponse.builder()
                                        .errorCode(error.code().code())
                                        .build()),
                responder);
    }
}
