package dev.ottla.broker.handler.controller;

import dev.ottla.broker.controlling.RegistrationMessages;
import dev.ottla.broker.controlling.Takeover;
import dev.ottla.broker.handler.cluster.Failures;
import dev.ottla.broker.request.ApiHandler;
import dev.ottla.broker.request.RequestContext;
import dev.ottla.broker.request.Responder;
import dev.ottla.metadata.controller.RegisterBroker;
import dev.ottla.metadata.controller.RegisteredBroker;
import dev.ottla.metadata.service.MetadataService;
import dev.ottla.wire.ErrorCode;
import dev.ottla.wire.Uuid;
import dev.ottla.wire.message.ApiKey;
import dev.ottla.wire.message.BrokerRegistrationRequest;
import dev.ottla.wire.message.BrokerRegistrationResponse;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// BrokerRegistration: begins an incarnation of a broker, fenced at first (KIP-631).
///
/// Errors: NOT_CONTROLLER, INCONSISTENT_CLUSTER_ID, DUPLICATE_BROKER_REGISTRATION,
/// INVALID_REGISTRATION, UNSUPPORTED_VERSION (a feature level of the cluster), INVALID_REQUEST.
public final class BrokerRegistrationHandler implements ApiHandler<BrokerRegistrationRequest> {
    private static final Logger LOG = LoggerFactory.getLogger(BrokerRegistrationHandler.class);

    private static final int MOST_REFUSED = 100;

    /// Incarnations of brokers; any thread.
    private final Set<Uuid> refused = ConcurrentHashMap.newKeySet();

    private final MetadataService metadata;
    private final String clusterId;
    private final Takeover takeover;

    public BrokerRegistrationHandler(
            MetadataService metadata, String clusterId, Takeover takeover) {
        this.metadata = metadata;
        this.clusterId = clusterId;
        this.takeover = takeover;
    }

    @Override
    public ApiKey api() {
        return ApiKey.BROKER_REGISTRATION;
    }

    @Override
    public boolean internal() {
        return true;
    }

    @Override
    public void handle(
            RequestContext context, BrokerRegistrationRequest request, Responder responder) {
        if (!request.clusterId().equals(clusterId)) {
            responder.respond(refused(ErrorCode.INCONSISTENT_CLUSTER_ID));
            return;
        }
        RegisterBroker registration;
        try {
            registration = RegistrationMessages.read(request);
        } catch (IllegalArgumentException e) {
            responder.respond(refused(ErrorCode.INVALID_REQUEST));
            return;
        }
        Failures.whenEnded(
                takeover.problem(registration)
                        .thenCompose(problem ->
                                problem.map(error ->
                                                CompletableFuture.completedFuture(
                                                        new RegisteredBroker(error, -1)))
                                        .orElseGet(() ->
                                                metadata.submit(controller ->
                                                        controller.registerBroker(registration)))),
                registered -> {
                    if (!registered.error().isNone() && isNew(registration)) {
                        LOG.warn(
                                "A registration from {} is refused: {}",
                                context.connection().remoteAddress(),
                                registered.error().message());
                    }
                    responder.respond(RegistrationMessages.response(registered));
                },
                error -> responder.respond(refused(error.code())),
                responder);
    }

    /// Who is refused may go on trying, and is told of once.
    private boolean isNew(RegisterBroker registration) {
        if (refused.size() >= MOST_REFUSED) refused.clear();
        return refused.add(registration.incarnationId());
    }

    private static BrokerRegistrationResponse refused(ErrorCode error) {
        return BrokerRegistrationResponse.builder().errorCode(error.code()).brokerEpoch(-1).build();
    }
}
