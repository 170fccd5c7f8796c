package dev.ottla.broker.request;

import dev.ottla.wire.message.ApiKey;

/// What surrounds one request. Immutable.
///
/// @param api which API
/// @param version the request's version, which is the response's too
/// @param correlationId chosen by the client
/// @param clientId as sent, empty when the client sent none
/// @param connection where it came from
/// @param memory what the request's byte views point into
/// @param receivedNs monotonic time at which the frame was complete
public record RequestContext(
        ApiKey api,
        short version,
        int correlationId,
        String clientId,
        ClientConnection connection,
        RequestMemory memory,
        long receivedNs) {}
