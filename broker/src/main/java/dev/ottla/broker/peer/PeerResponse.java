package dev.ottla.broker.peer;

import dev.ottla.wire.ApiMessage;
import io.netty.buffer.ByteBuf;

/// An answer and the frame that its byte views (records, bytes) point into. Released once, by any
/// thread; views are dead afterwards.
public final class PeerResponse {
    private final ApiMessage message;
    private final ByteBuf frame;

    PeerResponse(ApiMessage message, ByteBuf frame) {
        this.message = message;
        this.frame = frame;
    }

    public ApiMessage message() {
        return message;
    }

    /// Memory that the answer holds until its release.
    public int sizeBytes() {
        return frame.capacity();
    }

    public void release() {
        frame.release();
    }
}
