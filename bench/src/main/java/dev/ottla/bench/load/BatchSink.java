package dev.ottla.bench.load;

import java.nio.ByteBuffer;

/// Takes what a consumer fetched. Owned by the loop's thread.
public interface BatchSink {
    /// Whole batches and perhaps the front of one more, from position to limit, which stay as they
    /// are; the first batch may begin before `fetchOffset`. Valid during the call.
    void accept(int partition, long fetchOffset, ByteBuffer batches, long nowNs);

    /// Looks at nothing: a consumer at its cheapest.
    BatchSink NOTHING = (_, _, _, _) -> {};
}
