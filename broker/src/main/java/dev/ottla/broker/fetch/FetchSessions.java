package dev.ottla.broker.fetch;

import dev.ottla.wire.ErrorCode;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// All fetch sessions of a broker, kept by the network loop on which they began. Thread-safe; what
/// belongs to a loop is made and used on that loop only.
public final class FetchSessions {
    private static final int INITIAL_EPOCH = 0;
    private static final int FINAL_EPOCH = -1;

    /// More network loops than anybody has processors for: one session id in so many belongs to a
    /// loop, however many there are.
    static final int MAX_LOOPS = 1024;

    private final int slots;
    private final IntSupplier loops;
    private final LongSupplier nanoClock;
    private final RandomGenerator random;

    /// By loop; each is made by its loop at the first use. A loop sees its own.
    private final AtomicReferenceArray<@Nullable SessionCache> caches =
            new AtomicReferenceArray<>(MAX_LOOPS);

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
    /// @param loops in use, each of which may remember its share
    /// @param random gives session ids
    public FetchSessions(
            int slots, IntSupplier loops, LongSupplier nanoClock, RandomGenerator random) {
        this.slots = slots;
        this.loops = loops;
        this.nanoClock = nanoClock;
        this.random = random;
    }

    /// The loop that owns a session; any loop when there cannot be such a session.
    public int loopOf(int sessionId) {
        int loop = Math.floorMod(sessionId, MAX_LOOPS);
        return caches.get(loop) == null ? 0 : loop;
    }

    /// Forgets a session. On its own loop.
    public void remove(int sessionId) {
        cache(loopOf(sessionId)).remove(sessionId);
    }

    private SessionCache cache(int loop) {
        SessionCache present = caches.get(loop);
        if (present != null) return present;
        SessionCache made = new SessionCache(this::share, loop, nanoClock, random);
        caches.set(loop, made);
        return made;
    }

    private int share() {
        int count = loops.getAsInt();
        return (slots + count - 1) / count;
    }

    /// Opens a request on the loop of that index: for an incremental request the one that owns the
    /// session, for a full one the connection's.
    public FetchContext open(int loop, Request request) {
        SessionCache cache = cache(loop);
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
