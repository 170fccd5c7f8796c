package dev.ottla.broker.peer;

import dev.ottla.wire.ApiMessage;
import dev.ottla.wire.BufferWriter;
import dev.ottla.wire.WireException;
import dev.ottla.wire.WireReader;
import dev.ottla.wire.message.ApiKey;
import dev.ottla.wire.message.RequestHeader;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.util.concurrent.ScheduledFuture;
import org.jspecify.annotations.Nullable;

/// One request on its way through a connection. Owned by the loop.
final class Call {
    private static final int SIZE_FIELD_BYTES = 4;
    private static final int CORRELATION_ID_BYTES = 4;

    final ApiKey api;
    final long timeoutMs;
    final PeerCallback callback;
    private final ApiMessage request;
    private final boolean ownsAnswer;
    private short version;
    private int correlationId;

    /// Set while it waits for its answer, cancelled with it.
    @Nullable ScheduledFuture<?> timeout;

    /// @param ownsAnswer whether the answer gets memory of its own, which needs no release
    Call(ApiMessage request, long timeoutMs, PeerCallback callback, boolean ownsAnswer) {
        this.request = request;
        this.api = ApiKey.forId(request.apiKey()).orElseThrow();
        this.timeoutMs = timeoutMs;
        this.callback = callback;
        this.ownsAnswer = ownsAnswer;
    }

    int correlationId() {
        return correlationId;
    }

    /// The whole frame, its size field included.
    ///
    ///     | size int32 | request header | message |
    ByteBuf write(ByteBufAllocator allocator, short version, int correlationId, String clientId) {
        this.version = version;
        this.correlationId = correlationId;
        short headerVersion = api.requestHeaderVersion(version);
        RequestHeader header =
                RequestHeader.builder()
                        .requestApiKey(api.id())
                        .requestApiVersion(version)
                        .correlationId(correlationId)
                        .clientId(clientId)
                        .build();
        int bytes = header.size(headerVersion) + request.size(version);
        int frameBytes = Math.addExact(SIZE_FIELD_BYTES, bytes);
        ByteBuf frame = allocator.directBuffer(frameBytes, frameBytes);
        try {
            BufferWriter writer = new BufferWriter(frame.nioBuffer(0, frameBytes));
            writer.writeInt(bytes);
            header.write(writer, headerVersion);
            request.write(writer, version);
            return frame.writerIndex(frameBytes);
        } catch (Throwable e) {
            frame.release();
            throw e;
        }
    }

    /// The answer whose frame this is. Takes over the frame.
    ///
    ///     | correlation id int32 | tagged fields, from header version 1 | message |
    PeerResponse read(ByteBuf frame) {
        ByteBuf memory = frame;
        if (ownsAnswer) {
            memory = Unpooled.copiedBuffer(frame);
            frame.release();
        }
        try {
            WireReader reader = new WireReader(memory.nioBuffer(0, memory.capacity()));
            reader.readInt();
            if (api.responseHeaderVersion(version) > 0) {
                reader.readTaggedFields();
            }
            return new PeerResponse(api.readResponse(reader, version), memory);
        } catch (WireException e) {
            memory.release();
            throw e;
        }
    }

    static int correlationIdOf(ByteBuf frame) {
        return frame.capacity() < CORRELATION_ID_BYTES ? -1 : frame.getInt(0);
    }

    void cancelTimeout() {
        if (timeout != null) {
            timeout.cancel(false);
        }
    }
}
