package dev.ottla.broker.fetch;

import static dev.ottla.broker.fetch.FetchSessions.MAX_LOOPS;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/// The fetch sessions of one network loop, at most as many as there are slots. Owned by the loop.
///
/// When all slots are taken, a new session gets that of the one that was unused for longest, if
/// that is two minutes or more; otherwise its client goes on without. The loop's number is in the
/// session id, so a client that comes back over another loop is led here.
final class SessionCache {
    private static final long EVICTION_NS = TimeUnit.MINUTES.toNanos(2);

    private final IntSupplier slots;
    private final int loop;
    private final LongSupplier nanoClock;
    private final RandomGenerator random;

    /// Least recently used first.
    private final LinkedHashMap<Integer, FetchSession> sessions = new LinkedHashMap<>();

    SessionCache(IntSupplier slots, int loop, LongSupplier nanoClock, RandomGenerator random) {
        this.slots = slots;
        this.loop = loop;
        this.nanoClock = nanoClock;
        this.random = random;
    }

    /// Remembers a new session; returns its id, or [FetchContext#NO_SESSION] when there is no room.
    int create(boolean usesTopicIds, List<FetchPart> parts) {
        long nowNs = nanoClock.getAsLong();
        if (parts.isEmpty() || (sessions.size() >= slots.getAsInt() && !evictStale(nowNs))) {
            return FetchContext.NO_SESSION;
        }
        int id = freshId();
        sessions.put(id, new FetchSession(id, usesTopicIds, parts, nanoClock));
        return id;
    }

    boolean hasRoom() {
        return sessions.size() < slots.getAsInt();
    }

    Optional<FetchSession> use(int id) {
        FetchSession session = sessions.get(id);
        if (session == null) {
            return Optional.empty();
        }
        session.lastUsedNs = nanoClock.getAsLong();
        sessions.putLast(id, session);
        return Optional.of(session);
    }

    void remove(int id) {
        sessions.remove(id);
    }

    int size() {
        return sessions.size();
    }

    private boolean evictStale(long nowNs) {
        Map.Entry<Integer, FetchSession> oldest = sessions.firstEntry();
        if (oldest == null || nowNs - oldest.getValue().lastUsedNs < EVICTION_NS) {
            return false;
        }
        sessions.pollFirstEntry();
        return true;
    }

    /// Positive, with this loop as the remainder of a division by the largest number of loops.
    private int freshId() {
        while (true) {
            int id = random.nextInt(1, Integer.MAX_VALUE / MAX_LOOPS) * MAX_LOOPS + loop;
            if (!sessions.containsKey(id)) {
                return id;
            }
        }
    }

    /// The sessions, for tests.
    List<FetchSession> all() {
        return new ArrayList<>(sessions.values());
    }
}
