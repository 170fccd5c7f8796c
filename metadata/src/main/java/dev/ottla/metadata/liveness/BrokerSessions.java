package dev.ottla.metadata.liveness;

import static dev.ottla.wire.Check.check;

import dev.ottla.metadata.image.BrokerState;
import dev.ottla.metadata.image.ClusterImage;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The sessions of all brokers that are not fenced, as the active controller keeps them. A session
/// is kept up by heartbeats and over when none came for the session time-out; its broker is then to
/// be fenced. Times are monotonic milliseconds. Owned by the metadata thread.
///
/// A silence that is the controller's own, because its process stood still, is nobody's fault: when
/// sessions were not looked at for long, everyone gets a full one. So does everyone when this node
/// becomes the controller, for it knows nothing of what others heard.
public final class BrokerSessions {
    private final int ownId;
    private final long timeoutMs;
    private final Map<Integer, Session> sessions = new HashMap<>();
    private long lastLookMs;

    private record Session(BrokerIncarnation broker, long heardMs) {}

    /// @param ownId of the broker in the controller's own process, which needs no session
    /// @param timeoutMs `broker.session.timeout.ms`
    public BrokerSessions(int ownId, long timeoutMs) {
        check(timeoutMs > 0, "session time-out of %s ms", timeoutMs);
        this.ownId = ownId;
        this.timeoutMs = timeoutMs;
    }

    /// This node has become the controller.
    public void begin(ClusterImage image, long nowMs) {
        sessions.clear();
        lastLookMs = nowMs;
        onImage(image, nowMs);
    }

    /// Brokers that were let in begin a session, those that left or were fenced have none.
    public void onImage(ClusterImage image, long nowMs) {
        sessions.values().removeIf(session -> !isDue(session.broker(), image));
        for (BrokerState broker : image.brokers().values()) {
            BrokerIncarnation incarnation = new BrokerIncarnation(broker.id(), broker.epoch());
            if (isDue(incarnation, image) && !isOf(incarnation, sessions.get(broker.id()))) {
                sessions.put(broker.id(), new Session(incarnation, nowMs));
            }
        }
    }

    private boolean isDue(BrokerIncarnation broker, ClusterImage image) {
        return broker.id() != ownId
                && image.broker(broker.id())
                        .map(state -> state.epoch() == broker.epoch() && !state.fenced())
                        .orElse(false);
    }

    private static boolean isOf(BrokerIncarnation broker, @Nullable Session session) {
        return session != null && session.broker().equals(broker);
    }

    /// A heartbeat came. One of another incarnation changes nothing.
    public void onHeartbeat(BrokerIncarnation broker, long nowMs) {
        sessions.computeIfPresent(
                broker.id(),
                (_, session) ->
                        session.broker().equals(broker) ? new Session(broker, nowMs) : session);
    }

    /// Those whose session is over. They are named again until the image says that they are fenced.
    public List<BrokerIncarnation> over(long nowMs) {
        boolean wasAway = nowMs - lastLookMs > timeoutMs / 3;
        lastLookMs = nowMs;
        if (wasAway) {
            sessions.replaceAll((_, session) -> new Session(session.broker(), nowMs));
            return List.of();
        }
        List<BrokerIncarnation> over = new ArrayList<>();
        for (Session session : sessions.values()) {
            if (nowMs - session.heardMs() >= timeoutMs) over.add(session.broker());
        }
        return over;
    }

    /// How often to look at least.
    public long lookEveryMs() {
        return Math.max(1, Math.min(500, timeoutMs / 10));
    }
}
