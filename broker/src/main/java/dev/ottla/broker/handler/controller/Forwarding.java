package dev.ottla.broker.handler.controller;

import dev.ottla.broker.controlling.ControllerLink;
import dev.ottla.broker.controlling.Envelopes;
import dev.ottla.broker.controlling.ImageProgress;
import dev.ottla.broker.handler.voting.AddRaftVoterHandler;
import dev.ottla.broker.request.ApiHandler;
import dev.ottla.broker.request.RequestContext;
import dev.ottla.broker.request.Responder;
import dev.ottla.metadata.service.MetadataService;
import dev.ottla.wire.ApiMessage;
import dev.ottla.wire.WireException;
import dev.ottla.wire.message.AddRaftVoterRequest;
import dev.ottla.wire.message.AlterConfigsRequest;
import dev.ottla.wire.message.ApiKey;
import dev.ottla.wire.message.EnvelopeResponse;
import dev.ottla.wire.message.IncrementalAlterConfigsRequest;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A handler whose requests only the active controller can answer: on another node they go there in
/// an Envelope (KIP-590) and the answer comes back when this node knows the same metadata, so the
/// client notices no difference. Where no controller is found, the handler's own answer says so.
///
/// @param <Q> the generated request
public final class Forwarding<Q extends ApiMessage> implements ApiHandler<Q> {
    private static final Logger LOG = LoggerFactory.getLogger(Forwarding.class);
    private static final long QUORUM_MS = 5_000;
    private static final long KNOW_MS = 2_000;
    private static final byte BROKER_LOGGER = 8;

    private static final Set<ApiKey> FORWARDED =
            EnumSet.of(
                    ApiKey.CREATE_TOPICS,
                    ApiKey.DELETE_TOPICS,
                    ApiKey.CREATE_PARTITIONS,
                    ApiKey.ALTER_CONFIGS,
                    ApiKey.INCREMENTAL_ALTER_CONFIGS,
                    ApiKey.ELECT_LEADERS,
                    ApiKey.ALTER_PARTITION_REASSIGNMENTS,
                    ApiKey.LIST_PARTITION_REASSIGNMENTS,
                    ApiKey.UPDATE_FEATURES,
                    ApiKey.DESCRIBE_QUORUM,
                    ApiKey.UNREGISTER_BROKER,
                    ApiKey.ADD_RAFT_VOTER,
                    ApiKey.REMOVE_RAFT_VOTER,
                    ApiKey.UNREGISTER_CONTROLLER);

    /// What all of them share.
    ///
    /// @param progress of the metadata that requests of this node work with
    public record Parts(
            int nodeId, MetadataService metadata, ControllerLink link, ImageProgress progress) {}

    private final ApiHandler<Q> inner;
    private final Parts parts;

    private Forwarding(ApiHandler<Q> inner, Parts parts) {
        this.inner = inner;
        this.parts = parts;
    }

    /// The handler itself, or one that forwards if its API is the controller's.
    public static ApiHandler<?> wrap(ApiHandler<?> handler, Parts parts) {
        return FORWARDED.contains(handler.api()) ? new Forwarding<>(handler, parts) : handler;
    }

    /// The one that answers on the controller.
    ApiHandler<Q> inner() {
        return inner;
    }

    @Override
    public ApiKey api() {
        return inner.api();
    }

    @Override
    public short oldestAdvertised() {
        return inner.oldestAdvertised();
    }

    @Override
    public void handle(RequestContext context, Q request, Responder responder) {
        if (parts.metadata().leads() || isForThisNode(request)) {
            inner.handle(context, request, responder);
            return;
        }
        var _ =
                parts.link()
                        .forward(
                                Envelopes.wrap(Envelopes.Origin.of(context), request), patienceMs())
                        .whenComplete((answer, failure) ->
                                responder.guard(() ->
                                        onAnswer(context, request, responder, answer, failure)));
    }

    /// Levels of loggers are each broker's own, and so is the wish that it votes.
    private boolean isForThisNode(ApiMessage request) {
        return switch (request) {
            case AddRaftVoterRequest add ->
                    add.voterId() == parts.nodeId() && AddRaftVoterHandler.isWish(add);
            case IncrementalAlterConfigsRequest alter ->
                    alter.resources().stream()
                            .allMatch(each -> each.resourceType() == BROKER_LOGGER);
            case AlterConfigsRequest alter ->
                    alter.resources().stream()
                            .allMatch(each -> each.resourceType() == BROKER_LOGGER);
            default -> false;
        };
    }

    /// Who asks for the quorum may want to know why there is none: this node tells what it knows
    /// itself while the question is still of use.
    private long patienceMs() {
        return api() == ApiKey.DESCRIBE_QUORUM ? QUORUM_MS : ControllerLink.FORWARD_MS;
    }

    private void onAnswer(
            RequestContext context,
            Q request,
            Responder responder,
            Optional<EnvelopeResponse> answer,
            @Nullable Throwable failure) {
        if (failure != null) {
            LOG.info(
                    "A {} request of {} did not get to the controller: {}",
                    api().title(),
                    context.connection().remoteAddress(),
                    failure.getMessage());
        }
        ByteBuffer data =
                failure == null && answer.isPresent() ? answer.get().responseData() : null;
        if (data == null) {
            context.connection()
                    .loop()
                    .execute(responder.guarded(() -> inner.handle(context, request, responder)));
            return;
        }
        ApiMessage response;
        try {
            response = Envelopes.unwrap(Envelopes.Origin.of(context), data);
        } catch (WireException e) {
            throw new IllegalStateException("the controller's answer is broken", e);
        }
        parts.progress()
                .whenReached(
                        Envelopes.offset(answer.get()),
                        KNOW_MS,
                        responder.guarded(() -> responder.respond(response)));
    }
}
