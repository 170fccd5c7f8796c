package dev.ottla.bench.load;

import java.io.IOException;
import java.nio.ByteBuffer;

/// What one connection says and hears. Owned by the loop's thread.
interface Conversation {
    /// The bytes of what may be sent now, from position to limit; nothing remains in it when the
    /// conversation has to wait. Asked again only after all of it was taken.
    ByteBuffer next(long nowNs);

    /// One answer without its size, from position to limit; valid during the call.
    void onAnswer(ByteBuffer answer, long nowNs) throws IOException;
}
