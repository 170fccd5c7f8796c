package dev.ottla.broker.controlling;

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
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.List;

/// Requests and answers inside an Envelope (KIP-590): each is header and message, as on the wire but
/// without a size.
///
/// Our controllers add, in a tagged field of their own, which metadata the answer stands for, so
/// that the node in between can wait until it knows it too:
///
///     | tag 10000 | metadata offset int64 |
public final class Envelopes {
    private static final int OFFSET_TAG = 10_000;

    private Envelopes() {}

    /// Whose request it is.
    public record Origin(
            ApiKey api, short version, int correlationId, String clientId, InetAddress address) {
        public static Origin of(RequestContext context) {
            return new Origin(
                    context.api(),
                    context.version(),
                    context.correlationId(),
                    context.clientId(),
                    context.connection().remoteAddress().getAddress());
        }
    }

    public static EnvelopeRequest wrap(Origin origin, ApiMessage request) {
        ApiKey api = origin.api();
        short headerVersion = api.requestHeaderVersion(origin.version());
        RequestHeader header =
                RequestHeader.builder()
                        .requestApiKey(api.id())
                        .requestApiVersion(origin.version())
                        .correlationId(origin.correlationId())
                        .clientId(origin.clientId())
                        .build();
        ByteBuffer bytes =
                ByteBuffer.allocate(header.size(headerVersion) + request.size(origin.version()));
        BufferWriter writer = new BufferWriter(bytes);
        header.write(writer, headerVersion);
        request.write(writer, origin.version());
        return EnvelopeRequest.builder()
                .requestData(bytes.flip())
                .clientHostAddress(ByteBuffer.wrap(origin.address().getAddress()))
                .build();
    }

    public static ApiMessage unwrap(Origin origin, ByteBuffer responseData) {
        ApiKey api = origin.api();
        WireReader reader = new WireReader(responseData);
        reader.readInt();
        if (api.responseHeaderVersion(origin.version()) > 0) {
            reader.readTaggedFields();
        }
        return api.readResponse(reader, origin.version());
    }

    /// The envelope of an answer.
    ///
    /// @param offset of the metadata that the answer stands for
    public static EnvelopeResponse answer(RequestContext inner, ApiMessage response, long offset) {
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
    public static long offset(EnvelopeResponse response) {
        return response.unknownTaggedFields().stream()
                .filter(field ->
                        field.tag() == OFFSET_TAG && field.data().remaining() == Long.BYTES)
                .mapToLong(field -> field.data().getLong(field.data().position()))
                .findFirst()
                .orElse(-1);
    }
}
