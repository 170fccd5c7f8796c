package dev.ottla.broker.network;

import dev.ottla.broker.metrics.ApiMetrics;
import dev.ottla.broker.metrics.BrokerMetrics;
import dev.ottla.broker.request.ApiHandler;
import dev.ottla.broker.request.HandlerTable;
import dev.ottla.broker.request.RequestContext;
import dev.ottla.wire.ApiMessage;
import dev.ottla.wire.ErrorCode;
import dev.ottla.wire.WireException;
import dev.ottla.wire.WireReader;
import dev.ottla.wire.message.ApiKey;
import dev.ottla.wire.message.ApiVersionsResponse;
import dev.ottla.wire.message.RequestHeader;
import io.netty.buffer.ByteBuf;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Turns a frame into a call of its handler. Called on the connection's loop; immutable.
///
/// A client that asks in a version this broker does not have is answered as Kafka does: ApiVersions
/// with the error and the versions of ApiVersions itself, in version 0, which every client can read
/// (KIP-511); anything else with the end of the connection, because the answer's form is as unknown
/// as the request's.
final class Dispatcher {
    private final HandlerTable handlers;
    private final Map<ApiKey, ApiMetrics> metrics = new EnumMap<>(ApiKey.class);

    Dispatcher(HandlerTable handlers, BrokerMetrics metrics) {
        this.handlers = handlers;
        for (ApiKey api : handlers.apis()) {
            this.metrics.put(api, metrics.api(api.title()));
        }
    }

    /// Takes over the frame.
    void dispatch(Connection connection, ByteBuf frame) {
        if (frame.capacity() < RequestFrame.MIN_BYTES) {
            refuse(connection, frame, "header", "sent a request of " + frame.capacity() + " bytes");
            return;
        }
        int apiId = frame.getShort(0);
        short version = frame.getShort(2);
        Optional<ApiKey> api = ApiKey.forId(apiId);
        Optional<ApiHandler<?>> handler = handlers.handler(apiId);
        if (api.isEmpty() || handler.isEmpty()) {
            refuse(connection, frame, "api", "asked for API " + apiId + ", which is not there");
        } else if (handlers.serves(api.get(), version)) {
            call(
                    handler.get(),
                    new RequestFrame(api.get(), version, frame.getInt(4), frame),
                    connection);
        } else if (api.get() == ApiKey.API_VERSIONS) {
            fallBack(new RequestFrame(api.get(), (short) 0, frame.getInt(4), frame), connection);
        } else {
            String what =
                    "asked for version "
                            + version
                            + " of "
                            + api.get().title()
                            + ", which is not there";
            refuse(connection, frame, "version", what);
        }
    }

    /// The request of `exchange` ended with an error in its answer, or without an answer because of
    /// a failure.
    void failed(Exchange exchange) {
        ApiMetrics counters = metrics.get(exchange.api);
        if (counters != null) {
            counters.failed();
        }
    }

    /// The answer of `exchange` was handed to the socket.
    void answered(Exchange exchange, int responseBytes, long nowNs) {
        ApiMetrics counters = metrics.get(exchange.api);
        if (counters != null) {
            long restedNs = Math.max(0, nowNs - exchange.receivedNs - exchange.handledNs);
            counters.answered(responseBytes, exchange.handledNs, restedNs);
        }
    }

    private void call(ApiHandler<?> handler, RequestFrame frame, Connection connection) {
        long startNs = connection.nowNs();
        RequestHeader header;
        ApiMessage request;
        try {
            WireReader reader = new WireReader(frame.bytes());
            header = RequestHeader.read(reader, frame.api().requestHeaderVersion(frame.version()));
            request = frame.api().readRequest(reader, frame.version());
        } catch (WireException e) {
            String what = "sent a broken " + frame.api().title() + " request: " + e.getMessage();
            refuse(connection, frame.buffer(), "request", what);
            return;
        }
        Exchange exchange = new Exchange(connection, frame, startNs);
        connection.begin(exchange);
        count(frame);
        RequestContext context =
                new RequestContext(
                        frame.api(),
                        frame.version(),
                        frame.correlationId(),
                        orEmpty(header.clientId()),
                        connection,
                        exchange,
                        startNs);
        handle(handler, context, request, exchange);
        exchange.handledNs += connection.nowNs() - startNs;
    }

    /// The table pairs each API with a handler of its request type.
    @SuppressWarnings("unchecked")
    private static void handle(
            ApiHandler<?> handler, RequestContext context, ApiMessage request, Exchange exchange) {
        exchange.guard(() -> ((ApiHandler<ApiMessage>) handler).handle(context, request, exchange));
    }

    private void fallBack(RequestFrame frame, Connection connection) {
        Exchange exchange = new Exchange(connection, frame, connection.nowNs());
        connection.begin(exchange);
        count(frame);
        List<ApiVersionsResponse.ApiVersion> itself =
                handlers.advertised().stream()
                        .filter(advertised -> advertised.api() == ApiKey.API_VERSIONS)
                        .map(advertised ->
                                ApiVersionsResponse.ApiVersion.builder()
                                        .apiKey(advertised.api().id())
                                        .minVersion(advertised.oldest())
                                        .maxVersion(advertised.latest())
                                        .build())
                        .toList();
        exchange.respond(
                ApiVersionsResponse.builder()
                        .errorCode(ErrorCode.UNSUPPORTED_VERSION.code())
                        .apiKeys(itself)
                        .build());
    }

    private void count(RequestFrame frame) {
        ApiMetrics counters = metrics.get(frame.api());
        if (counters != null) {
            counters.received(frame.buffer().capacity());
        }
    }

    private static void refuse(Connection connection, ByteBuf frame, String kind, String what) {
        connection.forgetFrame(frame);
        connection.closeBecause(kind, what);
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }
}
