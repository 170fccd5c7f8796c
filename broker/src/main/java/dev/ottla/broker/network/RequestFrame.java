package dev.ottla.broker.network;

import dev.ottla.wire.message.ApiKey;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;

/// The first fields of every request, whatever its header version.
///
///     | api key int16 | api version int16 | correlation id int32 | rest of header | body |
///
/// @param buffer the whole frame, without its size field
record RequestFrame(ApiKey api, short version, int correlationId, ByteBuf buffer) {
    static final int MIN_BYTES = 8;

    /// The frame as the reader of messages takes it; shares the memory.
    ByteBuffer bytes() {
        return buffer.nioBuffer(0, buffer.capacity());
    }
}
