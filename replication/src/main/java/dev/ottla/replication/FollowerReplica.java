package dev.ottla.replication;

import static dev.ottla.wire.Check.check;

import org.jspecify.annotations.Nullable;

/// A follower's view of one partition within one leader epoch: what to ask the leader for, where to
/// cut the log when the leader's went another way, and how far consumers may see. Owned by the
/// partition's shard thread; dropped when the epoch ends.
///
/// | event | what happens |
/// |---|---|
/// | `beginFetch` | the next request leaves, once everything here is safe |
/// | `onDiverging` | the log is cut back to where both may agree; the next request asks again |
/// | `onOutOfRange` | the log begins anew where the leader's does, if there is a gap between them |
/// | records came and the shell appended them, or none came | `onAnswered` |
/// | the request came to nothing | `onFailed` |
///
/// The fetch offset says that everything below is safe here, so a request leaves only when the log
/// is safe to its end: the records of the last answer were written, and under `flush.policy=fsync`
/// synced. The log is cut by the leader's epochs, never by the high watermark (KIP-101, KIP-595).
/// An answer counts only for the request that is under way: the log may have been cut and grown
/// again since an older one left.
public final class FollowerReplica {
    private final int leaderEpoch;
    private final FollowerLog log;
    private long highWatermark;

    /// As it was last told.
    private long leaderHighWatermark;

    private @Nullable FetchPosition underWay;

    /// @param highWatermark the last one that this replica knew
    public FollowerReplica(int leaderEpoch, FollowerLog log, long highWatermark) {
        this.leaderEpoch = leaderEpoch;
        this.log = log;
        this.highWatermark = Math.min(highWatermark, log.logEndOffset());
    }

    public int leaderEpoch() {
        return leaderEpoch;
    }

    /// Exclusive; consumers may read below it. Falls only when records are cut away.
    public long highWatermark() {
        return highWatermark;
    }

    /// Records below the high watermark that the leader last told which are not here.
    public long lag() {
        return Math.max(0, leaderHighWatermark - log.logEndOffset());
    }

    /// Whether a request may leave: none is under way, and all that is here is safe.
    public boolean mayFetch() {
        return underWay == null && log.safeEndOffset() == log.logEndOffset();
    }

    /// The request that leaves now.
    public FetchPosition beginFetch() {
        check(mayFetch(), "a fetch leaves before the last one's records are safe");
        FetchPosition position =
                new FetchPosition(
                        leaderEpoch, log.logEndOffset(), log.lastEpoch(), log.logStartOffset());
        underWay = position;
        return position;
    }

    /// Whether an answer to `position` counts: one like it is under way. Within an epoch a leader
    /// says the same to the same request, but for records that came later.
    public boolean expects(FetchPosition position) {
        return position.equals(underWay);
    }

    /// The request is not answered, or with an error.
    public void onFailed() {
        underWay = null;
    }

    /// The answer's records, if there were any, are appended.
    public void onAnswered(long leaderHighWatermark, long leaderLogStartOffset) {
        underWay = null;
        this.leaderHighWatermark = leaderHighWatermark;
        highWatermark = Math.max(highWatermark, Math.min(leaderHighWatermark, log.logEndOffset()));
        long start = Math.min(leaderLogStartOffset, log.logEndOffset());
        if (start > log.logStartOffset()) {
            log.advanceLogStart(start);
        }
    }

    /// The leader's records of the epoch that was named, or of the newest one before it, end at
    /// `leaders`: what is here from there on is not in its log, and neither is what is here of
    /// later epochs.
    public void onDiverging(EpochEnd leaders) {
        underWay = null;
        EpochEnd here = log.endOf(leaders.leaderEpoch());
        long common =
                here.endOffset() < 0
                        ? leaders.endOffset()
                        : Math.min(here.endOffset(), leaders.endOffset());
        check(
                common < log.logEndOffset(),
                "the leader's log is said to diverge at %s, but this one ends at %s",
                common,
                log.logEndOffset());
        log.truncateTo(Math.max(common, 0));
        highWatermark = Math.min(highWatermark, log.logEndOffset());
    }

    /// Records that were appended could not be written and are gone.
    public void onCut() {
        highWatermark = Math.min(highWatermark, log.logEndOffset());
    }

    /// The leader has no such offset; its log starts at `leaderLogStartOffset`. Returns whether the
    /// log could begin anew there; if not, there is something here that the leader should have.
    public boolean onOutOfRange(long leaderLogStartOffset) {
        underWay = null;
        boolean behind = log.logEndOffset() < leaderLogStartOffset;
        boolean empty = log.lastEpoch() == EpochEnd.UNKNOWN;
        if (!behind && !(empty && log.logEndOffset() != leaderLogStartOffset)) {
            return false;
        }
        log.startAt(leaderLogStartOffset);
        highWatermark = leaderLogStartOffset;
        return true;
    }

    /// What must hold after every event; for simulation.
    public void checkInvariants() {
        check(
                highWatermark <= log.logEndOffset(),
                "high watermark %s past log end %s",
                highWatermark,
                log.logEndOffset());
    }
}
