package dev.ottla.broker.request;

import dev.ottla.wire.ApiMessage;
import dev.ottla.wire.message.ApiKey;

/// Answers all versions of one API. One API, one class, one file.
///
/// @param <Q> the generated request
public interface ApiHandler<Q extends ApiMessage> {
    ApiKey api();

    /// Called on the connection's network loop, which must not be kept: no files, no locks, no
    /// waiting. What takes long or belongs to a shard is posted there; `responder` may be answered
    /// by any thread, later.
    ///
    /// Byte views inside `request` (records, bytes) point into the frame, whose memory returns to
    /// the pool when the responder was answered, unless `context.memory()` was retained.
    void handle(RequestContext context, Q request, Responder responder);

    /// Whether only other nodes ask for it: ApiVersions does not tell of it.
    default boolean internal() {
        return false;
    }

    /// The lowest version that ApiVersions advertises.
    default short oldestAdvertised() {
        return api().oldestVersion();
    }
}
