package dev.ottla.group.consumer;

/// How far a member is on its way to the target assignment.
///
///     | from                 | to                   | cause
///     |----------------------|----------------------|--------------------------------------------------
///     | Stable               | UnrevokedPartitions  | a new target takes partitions that the member has
///     | Stable               | UnreleasedPartitions | a new target gives partitions that others still have
///     | UnrevokedPartitions  | UnreleasedPartitions | the member gave up its own, others still have theirs
///     | UnrevokedPartitions  | Stable               | the member gave up its own
///     | UnreleasedPartitions | Stable               | the others gave up theirs
///     | UnreleasedPartitions | UnrevokedPartitions  | a newer target takes partitions
enum MemberState {
    STABLE(0),
    UNREVOKED_PARTITIONS(1),
    UNRELEASED_PARTITIONS(2),
    /// Written by a version that this one does not understand: the member has to join again.
    UNKNOWN(127);

    private final byte code;

    MemberState(int code) {
        this.code = (byte) code;
    }

    /// Its number in the record.
    byte code() {
        return code;
    }

    static MemberState of(byte code) {
        return switch (code) {
            case 0 -> STABLE;
            case 1 -> UNREVOKED_PARTITIONS;
            case 2 -> UNRELEASED_PARTITIONS;
            default -> UNKNOWN;
        };
    }
}
