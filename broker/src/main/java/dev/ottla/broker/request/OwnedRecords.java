package dev.ottla.broker.request;

import dev.ottla.wire.RecordsPayload;

/// Records in a response that hold something: pooled memory or a pinned range of a file. Passes
/// with the response to the connection, which sends it or releases it, once.
public sealed interface OwnedRecords extends RecordsPayload permits PooledRecords, FileRecords {
    void release();
}
