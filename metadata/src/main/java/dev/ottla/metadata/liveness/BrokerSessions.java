package dev.ottla.metadata.liveness;

import static dev.ottla.wire.Check.check;

import dev.ottla.metadata.image.BrokerState;
import dev.ottla.metadata.image.ClusterImage;
import dev.ottla.metadata.liveness.Verdict.Reason;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The sessions of all brokers that are not fenced, as the active controller keeps them. A session
/// is kept up by heartbeats and over when none came for the session time-out; its broker is then to
/// be fenced. Before that, a broker is fenced when looks at its address tell more:
///
/// | who | what is looked for | fenced when |
/// |---|---|---|
/// | whose connection of heartbeats broke | is the process gone | its machine refuses once |
/// | everyone, when this node becomes the controller, until heard | is the process gone | its machine refuses twice in a row |
/// | whose heartbeat is overdue | is the process gone or frozen | the same; or two looks in a row hear nothing, and no heartbeat came for half a session |
///
/// A silence that is the controller's own is nobody's fault. Its turns are to come every
/// [#TURN_MS]: of a longer pause only a part counts, and after a long one everyone gets a full
/// session. So does everyone when this node becomes the controller, for it knows nothing of what
/// others heard. Times are monotonic milliseconds. Owned by the metadata thread.
public final class BrokerSessions {
    /// How long a look waits for an answer.
    public static final long LOOK_MS = 1_000;

    /// How often turns are to come.
    public static final long TURN_MS = 100;

    /// After a look that was refused the next turn may come as soon as this.
    public static final long AFTER_REFUSAL_MS = 50;

    /// So much of the time between two turns counts at most.
    private static final long MOST_OF_A_PAUSE_MS = 500;

    private final int ownId;
    private final long timeoutMs;
    private final long heartbeatMs;
    private final Map<Integer, Session> sessions = new HashMap<>();
    private final Returns returns = new Returns();
    private long lastTurnMs;

    /// Time that has passed while this process ran, at the last turn.
    private long witnessedMs;

    private long looks;

    /// @param ownId of the broker in the controller's own process, which needs no session
    /// @param timeoutMs `broker.session.timeout.ms`
    /// @param heartbeatMs `broker.heartbeat.interval.ms`
    public BrokerSessions(int ownId, long timeoutMs, long heartbeatMs) {
        check(timeoutMs > 0, "session time-out of %s ms", timeoutMs);
        this.ownId = ownId;
        this.timeoutMs = timeoutMs;
        this.heartbeatMs = heartbeatMs;
    }

    /// This node has become the controller.
    public void begin(ClusterImage image, long nowMs) {
        sessions.clear();
        returns.clear();
        lastTurnMs = nowMs;
        onImage(image, nowMs);
        sessions.values().forEach(session -> session.doubt(witnessedMs));
    }

    /// Brokers that were let in begin a session, those that left or were fenced have none.
    public void onImage(ClusterImage image, long nowMs) {
        sessions.values().removeIf(session -> !isDue(session.broker(), image));
        for (BrokerState broker : image.brokers().values()) {
            BrokerIncarnation incarnation = new BrokerIncarnation(broker.id(), broker.epoch());
            if (isDue(incarnation, image) && of(incarnation) == null) {
                sessions.put(
                        broker.id(),
                        new Session(incarnation, timeoutMs, heartbeatMs, witnessed(nowMs)));
            }
        }
    }

    private boolean isDue(BrokerIncarnation broker, ClusterImage image) {
        return broker.id() != ownId
                && image.broker(broker.id())
                        .map(state -> state.epoch() == broker.epoch() && !state.fenced())
                        .orElse(false);
    }

    private @Nullable Session of(BrokerIncarnation broker) {
        Session session = sessions.get(broker.id());
        return session != null && session.broker().equals(broker) ? session : null;
    }

    private long witnessed(long nowMs) {
        return witnessedMs + Math.clamp(nowMs - lastTurnMs, 0, MOST_OF_A_PAUSE_MS);
    }

    /// A heartbeat came. One of another incarnation changes nothing.
    public void onHeartbeat(BrokerIncarnation broker, long nowMs) {
        Session session = of(broker);
        if (session != null) session.hear(witnessed(nowMs));
    }

    /// A heartbeat came of a broker that is fenced and could be let in. Whether it may be now: one
    /// that was taken for frozen again and again has to be steady for some seconds first.
    public boolean mayReturn(BrokerIncarnation broker, long nowMs) {
        return returns.mayReturn(broker, witnessed(nowMs));
    }

    /// The connection has ended by which the last heartbeat of the broker came.
    public void onConnectionLost(BrokerIncarnation broker, long nowMs) {
        Session session = of(broker);
        if (session != null) session.lose(witnessed(nowMs));
    }

    public void onFound(Look look, Finding finding, long nowMs) {
        Session session = of(look.broker());
        if (session != null) session.found(look.number(), finding, witnessed(nowMs));
    }

    /// To be called every [#TURN_MS], and whenever something has happened.
    public Turn turn(long nowMs) {
        boolean wasAway = nowMs - lastTurnMs > timeoutMs / 3;
        witnessedMs = witnessed(nowMs);
        lastTurnMs = nowMs;
        if (wasAway) {
            sessions.values().forEach(session -> session.hear(witnessedMs));
            return Turn.NOTHING;
        }
        List<Look> due = new ArrayList<>();
        List<Verdict> verdicts = new ArrayList<>();
        for (Session session : sessions.values()) {
            session.verdict(witnessedMs)
                    .ifPresent(reason -> verdicts.add(new Verdict(session.broker(), reason)));
            if (session.wantsLook(witnessedMs)) {
                Look look = new Look(session.broker(), ++looks);
                session.look(look.number(), witnessedMs);
                due.add(look);
            }
        }
        return new Turn(due, verdicts);
    }

    /// The broker was fenced because of this verdict.
    public void onFenced(Verdict verdict, long nowMs) {
        if (verdict.reason() == Reason.FROZEN) {
            returns.frozen(verdict.broker(), witnessed(nowMs));
        }
    }
}
