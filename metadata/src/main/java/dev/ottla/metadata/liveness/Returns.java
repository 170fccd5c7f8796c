package dev.ottla.metadata.liveness;

import java.util.HashMap;
import java.util.Map;

/// Brokers that were taken for frozen, and when each may come back: at once the first time, later
/// the more often it happens, so that one that stands still again and again does not move leaders
/// each time. Times are those that the controller has witnessed, in milliseconds. Owned by
/// [BrokerSessions].
final class Returns {
    private static final long FIRST_WAIT_MS = 1_000;
    private static final long LONGEST_WAIT_MS = 5_000;

    /// After so long nobody remembers.
    private static final long MEMORY_MS = 300_000;

    /// A longer silence than this interrupts what is to be steady.
    private static final long STEADY_MS = 1_000;

    /// Bounded by the brokers that were taken for frozen lately.
    private final Map<Integer, Absence> absences = new HashMap<>();

    private static final class Absence {
        private final BrokerIncarnation broker;
        private int times;
        private long fencedMs;
        private long steadySinceMs;
        private long lastHeardMs;

        Absence(BrokerIncarnation broker) {
            this.broker = broker;
        }

        long waitMs() {
            return times == 1 ? 0 : Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS << (times - 2));
        }
    }

    void clear() {
        absences.clear();
    }

    void frozen(BrokerIncarnation broker, long nowMs) {
        absences.values().removeIf(each -> nowMs - each.fencedMs > MEMORY_MS);
        Absence absence =
                absences.compute(
                        broker.id(),
                        (_, before) ->
                                before != null && before.broker.equals(broker)
                                        ? before
                                        : new Absence(broker));
        absence.times = Math.min(absence.times + 1, 10);
        absence.fencedMs = nowMs;
        absence.lastHeardMs = nowMs - 2 * STEADY_MS;
    }

    /// A heartbeat of a fenced broker came. Whether it may come back now.
    boolean mayReturn(BrokerIncarnation broker, long nowMs) {
        Absence absence = absences.get(broker.id());
        if (absence == null || !absence.broker.equals(broker)) return true;
        if (nowMs - absence.lastHeardMs > STEADY_MS) absence.steadySinceMs = nowMs;
        absence.lastHeardMs = nowMs;
        return nowMs - absence.steadySinceMs >= absence.waitMs();
    }
}
