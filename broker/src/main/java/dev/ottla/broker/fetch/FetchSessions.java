package dev.ottla.broker.fetch;

import dev.ottla.wire.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/// All fetch sessions of a broker, kept by the network loop on which they began. Immutable; what
/// belongs to a loop is used on that loop only.
public final class FetchSessions {
    private static final int INITIAL_EPOCH = 0;
    private static final int FINAL_EPOCH = -1;

    private final List<SessionCache> caches = new ArrayList<>();

    /// What a request says about its session.
    ///
    /// @param targets in the order of the request
    public record Request(
            int sessionId,
            int sessionEpoch,
            boolean usesTopicIds,
            List<FetchTarget> targets,
            List<FetchTarget.SessionKey> forgotten) {
        /// Whether the request names all its partitions; otherwise only those that changed.
        public boolean isFull() {
            return sessionEpoch == INITIAL_EPOCH || sessionEpoch == FINAL_EPOCH;
        }
    }

    /// @param slots for all loops together (`max.incremental.fetch.session.cache.slots`)
    /// @param random gives session ids
    public FetchSessions(int slots, int loops, LongSupplier nanoClock, RandomGenerator random) {
        int each = (slots + loops - 1) / loops;
        for (int loop = 0; loop < loops; loop++) {
            caches.add(new SessionCache(each, loop, loops, nanoClock, random));
        }
    }

    /// The loop that owns a session.
    public int loopOf(int sessionId) {
        return Math.floorMod(sessionId, caches.size());
    }

    /// Forgets a session. On its own loop.
    public void remove(int sessionId) {
        caches.get(loopOf(sessionId)).remove(sessionId);
    }

    /// Opens a request on the loop of that index: for an incremental request the one that owns the
    /// session, for a full one the connection's.
    public FetchContext open(int loop, Request request) {
        SessionCache cache = caches.get(loop);
        if (request.isFull()) {
            return request.sessionEpoch() == FINAL_EPOCH
                    ? new FetchContext.Sessionless(request.targets())
                    : new FetchContext.First(cache, request.usesTopicIds(), request.targets());
        }
        Optional<FetchSession> found = cache.use(request.sessionId());
        if (found.isEmpty()) {
            return new FetchContext.Refused(ErrorCode.FETCH_SESSION_ID_NOT_FOUND);
        }
        FetchSession session = found.get();
        if (session.usesTopicIds() != request.usesTopicIds()) {
            return new FetchContext.Refused(ErrorCode.FETCH_SESSION_TOPIC_ID_ERROR);
        }
        if (session.epoch() != request.sessionEpoch()) {
            return new FetchContext.Refused(ErrorCode.INVALID_FETCH_SESSION_EPOCH);
        }
        session.update(request.targets(), request.forgotten());
        if (session.size() == 0) {
            cache.remove(session.id());
            return new FetchContext.Sessionless(List.of());
        }
        session.nextEpoch();
        return new FetchContext.Incremental(session);
    }
}
