package dev.ottla.broker.handler.controller;

import dev.ottla.broker.request.RequestContext;
import dev.ottla.wire.ApiMessage;
import dev.ottla.wire.BufferWriter;
import dev.ottla.wire.UnknownTaggedField;
import dev.ottla.wire.WireReader;
import dev.ottla.wire.message.ApiKey;
import dev.ottla.wire.message.EnvelopeRequest;
import dev.ottla.wire.message.EnvelopeResponse;
import dev.ottla.wire.message.RequestHeader;
import dev.ottla.wire.message.ResponseHeader;
import java.nio.ByteBuffer;
import java.util.List;

/// Requests and answers inside an Envelope (KIP-590): each is header and message, as on the wire but
/// without a size.
///
/// Our controllers add, in a tagged field of their own, which metadata the answer stands for, so
/// that the node in between can wait until it knows it too:
///
///     | tag 10000 | metadata offset int64 |
final class Envelopes {
    private static final int OFFSET_TAG = 10_000;

    private Envelopes() {}

    static EnvelopeRequest wrap(RequestContext context, ApiMessage request) {
        ApiKey api = context.api();
        short headerVersion = api.requestHeaderVersion(context.version());
        RequestHeader header =
                RequestHeader.builder()
                        .requestApiKey(api.id())
                        .requestApiVersion(context.version())
                        .correlationId(context.correlationId())
                        .clientId(context.clientId())
                        .build();
        ByteBuffer bytes =
                ByteBuffer.allocate(header.size(headerVersion) + request.size(context.version()));
        BufferWriter writer = new BufferWriter(bytes);
        header.write(writer, headerVersion);
        request.write(writer, context.version());
        return EnvelopeRequest.builder()
                .requestData(bytes.flip())
                .clientHostAddress(
                        ByteBuffer.wrap(
                                context.connection().remoteAddress().getAddress().getAddress()))
                .build();
    }

    static ApiMessage unwrap(RequestContext context, ByteBuffer responseData) {
        ApiKey api = context.api();
        WireReader reader = new WireReader(responseData);
        ResponseHeader.read(reader, api.responseHeaderVersion(context.version()));
        return api.readResponse(reader, context.version());
    }

    static EnvelopeResponse answer(RequestContext inner, ApiMessage response, long offset) {
        short version = inner.version();
        short headerVersion = inner.api().responseHeaderVersion(version);
        ResponseHeader header =
                ResponseHeader.builder().correlationId(inner.correlationId()).build();
        ByteBuffer bytes = ByteBuffer.allocate(header.size(headerVersion) + response.size(version));
        BufferWriter writer = new BufferWriter(bytes);
        header.write(writer, headerVersion);
        response.write(writer, version);
        return EnvelopeResponse.builder()
                .responseData(bytes.flip())
                .unknownTaggedFields(
                        List.of(
                                new UnknownTaggedField(
                                        OFFSET_TAG,
                                        ByteBuffer.allocate(Long.BYTES).putLong(0, offset))))
                .build();
    }

    /// The metadata that the answer stands for; -1 when it says nothing of it.
    static long offset(EnvelopeResponse response) {
        return response.unknownTaggedFields().stream()
                .filter(field ->
                        field.tag() == OFFSET_TAG && field.data().remaining() == Long.BYTES)
                .mapToLong(field -> field.data().getLong(field.data().position()))
                .findFirst()
                .orElse(-1);
    }
}
