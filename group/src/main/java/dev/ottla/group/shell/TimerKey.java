package dev.ottla.group.shell;

/// Names one timer of a coordinator. At most one deadline is pending for a key.
///
/// @param memberId the member the timer is about, empty when it is about the whole group
public record TimerKey(Kind kind, String groupId, String memberId) {
    /// What runs out.
    public enum Kind {
        /// A classic member has not been heard of for its session time-out, or a member id that was
        /// handed out was never used.
        CLASSIC_SESSION,
        /// A classic group waits for members to join.
        CLASSIC_JOIN,
        /// A classic group waits for members to sync.
        CLASSIC_SYNC,
        /// A member of a consumer group has not been heard of for the group's session time-out.
        CONSUMER_SESSION,
        /// A member of a consumer group has not given up its partitions in time.
        CONSUMER_REBALANCE,
        /// A classic member of a consumer group was told to rejoin and has not.
        CONSUMER_JOIN,
        /// A classic member of a consumer group has joined and not synced.
        CONSUMER_SYNC,
        /// A consumer group looks again which topics its regular expressions match.
        CONSUMER_REGEX,
        /// The coordinator looks for offsets that have expired; group and member id are empty.
        OFFSET_EXPIRY
    }

    /// A timer about a whole group.
    public static TimerKey ofGroup(Kind kind, String groupId) {
        return new TimerKey(kind, groupId, "");
    }
}
