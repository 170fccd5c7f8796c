package dev.ottla.broker.handler.controller;

import dev.ottla.broker.controlling.AlterPartitionMessages;
import dev.ottla.broker.handler.cluster.Failures;
import dev.ottla.broker.request.ApiHandler;
import dev.ottla.broker.request.RequestContext;
import dev.ottla.broker.request.Responder;
import dev.ottla.metadata.controller.AlterPartition;
import dev.ottla.metadata.service.MetadataService;
import dev.ottla.wire.message.AlterPartitionRequest;
import dev.ottla.wire.message.AlterPartitionResponse;
import dev.ottla.wire.message.ApiKey;
import java.util.List;

/// AlterPartition: leaders say which replicas are in sync (KIP-497, KIP-903).
///
/// Errors for all: NOT_CONTROLLER, STALE_BROKER_EPOCH, BROKER_ID_NOT_REGISTERED; per partition
/// those of the controller's command.
public final class AlterPartitionHandler implements ApiHandler<AlterPartitionRequest> {
    private final MetadataService metadata;

    public AlterPartitionHandler(MetadataService metadata) {
        this.metadata = metadata;
    }

    @Override
    public ApiKey api() {
        return ApiKey.ALTER_PARTITION;
    }

    @Override
    public boolean internal() {
        return true;
    }

    @Override
    public void handle(RequestContext context, AlterPartitionRequest request, Responder responder) {
        List<AlterPartition> changes = AlterPartitionMessages.read(request, context.version());
        Failures.whenEnded(
                metadata.submit(controller ->
                        controller.alterPartitions(
                                request.brokerId(), request.brokerEpoch(), changes)),
                reply -> responder.respond(AlterPartitionMessages.response(reply)),
                error ->
                        responder.respond(
                                AlterPartitionResponse.builder()
                                        .errorCode(error.code().code())
                                        .build()),
                responder);
    }
}
