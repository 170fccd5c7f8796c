package dev.ottla.log.epoch;

/// An epoch and the offset behind the last record written in it (exclusive); both -1 when nothing
/// is known.
public record EpochEndOffset(int leaderEpoch, long endOffset) {
    public static final int UNDEFINED_EPOCH = -1;
    public static final long UNDEFINED_OFFSET = -1;
    public static final EpochEndOffset UNDEFINED =
            new EpochEndOffset(UNDEFINED_EPOCH, UNDEFINED_OFFSET);
}
