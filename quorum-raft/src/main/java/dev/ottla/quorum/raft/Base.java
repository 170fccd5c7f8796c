package dev.ottla.quorum.raft;

/// Where the engine goes on from: the end of the log of the engine before it. Offsets continue from
/// the end, epochs are the base epoch plus Ratis' term, so neither ever goes back.
///
/// @param endOffset exclusive end of what was committed before
/// @param epoch the last one of before
public record Base(long endOffset, int epoch) {
    public Base {
        if (endOffset < 0 || epoch < 0) {
            throw new IllegalArgumentException("base at %d, epoch %d".formatted(endOffset, epoch));
        }
    }

    int epochOfTerm(long term) {
        return Math.toIntExact(epoch + term);
    }
}
