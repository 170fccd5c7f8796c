package dev.ottla.metadata.liveness;

import dev.ottla.metadata.liveness.Verdict.Reason;
import java.util.Optional;

/// One broker's session, and what looks at its address found since it was heard last. Times are
/// those that the controller has witnessed, in milliseconds. Owned by [BrokerSessions].
final class Session {
    /// A process that dies closes its connections and its listeners in any order, so a look may
    /// come too early.
    private static final int LOOKS = 10;

    private static final long BETWEEN_LOOKS_MS = 100;

    /// While an overdue broker answers.
    private static final long BETWEEN_IDLE_LOOKS_MS = 1_000;

    /// A heartbeat may be as late as this.
    private static final long LATE_MS = 500;

    private static final int SILENCES = 2;

    /// Where the broken connection does not speak against the broker too.
    private static final int REFUSALS = 2;

    private static final long NOT_LOOKING = -1;

    private final BrokerIncarnation broker;
    private final long timeoutMs;
    private final long overdueMs;

    private long heardMs;

    /// Whether the connection of its last heartbeat has ended.
    private boolean lost;

    /// Looks for other reasons than silence.
    private int looksLeft;

    private int refusals;

    /// Looks in a row that heard nothing.
    private int silences;

    private long nextLookMs;
    private long lookBeganMs = NOT_LOOKING;
    private long lookNumber;

    /// @param timeoutMs of the session
    /// @param heartbeatMs between two heartbeats
    Session(BrokerIncarnation broker, long timeoutMs, long heartbeatMs, long nowMs) {
        this.broker = broker;
        this.timeoutMs = timeoutMs;
        this.overdueMs =
                Math.max(heartbeatMs + LATE_MS, timeoutMs / 2 - SILENCES * BrokerSessions.LOOK_MS);
        this.heardMs = nowMs;
    }

    BrokerIncarnation broker() {
        return broker;
    }

    /// A full session from now on.
    void hear(long nowMs) {
        heardMs = nowMs;
        lost = false;
        looksLeft = 0;
        refusals = 0;
        silences = 0;
        nextLookMs = nowMs;
        lookBeganMs = NOT_LOOKING;
    }

    /// Whether it is there is to be looked at, for the controller is new.
    void doubt(long nowMs) {
        looksLeft = LOOKS;
        nextLookMs = nowMs;
    }

    void lose(long nowMs) {
        lost = true;
        doubt(nowMs);
    }

    private boolean isOverdue(long nowMs) {
        return nowMs - heardMs >= overdueMs;
    }

    boolean wantsLook(long nowMs) {
        return lookBeganMs == NOT_LOOKING
                && nowMs >= nextLookMs
                && (looksLeft > 0 || isOverdue(nowMs));
    }

    void look(long number, long nowMs) {
        lookNumber = number;
        lookBeganMs = nowMs;
        looksLeft = Math.max(0, looksLeft - 1);
    }

    /// A look that began before the broker was heard says nothing, and a silence only when this
    /// process ran meanwhile.
    void found(long number, Finding finding, long nowMs) {
        if (lookBeganMs == NOT_LOOKING || number != lookNumber) return;
        boolean witnessed = nowMs - lookBeganMs >= BrokerSessions.LOOK_MS / 2;
        lookBeganMs = NOT_LOOKING;
        refusals = finding == Finding.REFUSED ? refusals + 1 : 0;
        if (finding != Finding.SILENT) silences = 0;
        else if (witnessed) silences++;
        if (finding == Finding.ANSWERED && !lost) looksLeft = 0;
        nextLookMs = nowMs + pauseMs(finding);
    }

    private long pauseMs(Finding finding) {
        return switch (finding) {
            case SILENT -> 0;
            case REFUSED -> BrokerSessions.AFTER_REFUSAL_MS;
            case ANSWERED, UNCLEAR -> looksLeft > 0 ? BETWEEN_LOOKS_MS : BETWEEN_IDLE_LOOKS_MS;
        };
    }

    Optional<Reason> verdict(long nowMs) {
        long silentMs = nowMs - heardMs;
        if (refusals >= (lost ? 1 : REFUSALS)) return Optional.of(Reason.GONE);
        if (silentMs >= timeoutMs) return Optional.of(Reason.SESSION_OVER);
        if (silences >= SILENCES && silentMs >= timeoutMs / 2) return Optional.of(Reason.FROZEN);
        return Optional.empty();
    }
}
