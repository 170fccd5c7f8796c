package dev.ottla.broker.handler.controller;

import dev.ottla.broker.controlling.Envelopes;
import dev.ottla.broker.request.ApiHandler;
import dev.ottla.broker.request.HandlerTable;
import dev.ottla.broker.request.RequestContext;
import dev.ottla.broker.request.Responder;
import dev.ottla.metadata.service.MetadataService;
import dev.ottla.wire.ApiMessage;
import dev.ottla.wire.ErrorCode;
import dev.ottla.wire.WireException;
import dev.ottla.wire.WireReader;
import dev.ottla.wire.message.ApiKey;
import dev.ottla.wire.message.EnvelopeRequest;
import dev.ottla.wire.message.EnvelopeResponse;
import dev.ottla.wire.message.RequestHeader;
import java.util.Optional;
import java.util.function.Supplier;

/// Envelope: a request that a client sent to another broker (KIP-590).
///
/// Errors: NOT_CONTROLLER; INVALID_REQUEST for what is no forwarded request; UNKNOWN_SERVER_ERROR.
public final class EnvelopeHandler implements ApiHandler<EnvelopeRequest> {
    private final MetadataService metadata;
    private final Supplier<HandlerTable> table;

    /// @param table the table that this handler is in
    public EnvelopeHandler(MetadataService metadata, Supplier<HandlerTable> table) {
        this.metadata = metadata;
        this.table = table;
    }

    @Override
    public ApiKey api() {
        return ApiKey.ENVELOPE;
    }

    @Override
    public boolean internal() {
        return true;
    }

    @Override
    public void handle(RequestContext context, EnvelopeRequest request, Responder responder) {
        if (!metadata.leads()) {
            responder.respond(refused(ErrorCode.NOT_CONTROLLER));
            return;
        }
        try {
            WireReader reader = new WireReader(request.requestData());
            int apiId = request.requestData().getShort(request.requestData().position());
            Optional<ApiKey> api = ApiKey.forId(apiId);
            short version = request.requestData().getShort(request.requestData().position() + 2);
            Optional<ApiHandler<?>> handler = table.get().handler(apiId);
            if (api.isEmpty()
                    || handler.isEmpty()
                    || !(handler.get() instanceof Forwarding<?> forwarding)
                    || !table.get().serves(api.get(), version)) {
                responder.respond(refused(ErrorCode.INVALID_REQUEST));
                return;
            }
            RequestHeader header =
                    RequestHeader.read(reader, api.get().requestHeaderVersion(version));
            ApiMessage inside = api.get().readRequest(reader, version);
            String clientId = header.clientId();
            RequestContext inner =
                    new RequestContext(
                            api.get(),
                            version,
                            header.correlationId(),
                            clientId == null ? "" : clientId,
                            context.connection(),
                            context.memory(),
                            context.receivedNs());
            handle(forwarding.inner(), inner, inside, new Inside(inner, metadata, responder));
        } catch (WireException | IndexOutOfBoundsException e) {
            responder.respond(refused(ErrorCode.INVALID_REQUEST));
        }
    }

    /// The table pairs each API with a handler of its request type.
    @SuppressWarnings("unchecked")
    private static void handle(
            ApiHandler<?> handler, RequestContext context, ApiMessage request, Responder answer) {
        ((ApiHandler<ApiMessage>) handler).handle(context, request, answer);
    }

    private static EnvelopeResponse refused(ErrorCode error) {
        return EnvelopeResponse.builder().errorCode(error.code()).build();
    }

    /// Puts the answer into an envelope of its own.
    private record Inside(RequestContext inner, MetadataService metadata, Responder outer)
            implements Responder {
        @Override
        public void respond(ApiMessage response) {
            outer.respond(Envelopes.answer(inner, response, metadata.image().version().offset()));
        }

        @Override
        public void noResponse() {
            outer.respond(refused(ErrorCode.UNKNOWN_SERVER_ERROR));
        }

        @Override
        public void failed(Throwable failure) {
            outer.failed(failure);
        }

        @Override
        public void close(String reason) {
            outer.respond(refused(ErrorCode.UNKNOWN_SERVER_ERROR));
        }
    }
}
