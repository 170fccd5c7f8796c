package dev.ottla.bench.scenario;

/// How much a run does.
public enum Scale {
    /// For a first look: figures come from cold code.
    QUICK(1, 0.1),
    /// What the page of figures is made from.
    FULL(3, 1);

    private final int rounds;
    private final double share;

    Scale(int rounds, double share) {
        this.rounds = rounds;
        this.share = share;
    }

    /// Repetitions on each side.
    public int rounds() {
        return rounds;
    }

    /// How much of a full amount, of bytes, records or seconds, is to be done.
    public long of(long full) {
        return Math.max(1, (long) (full * share));
    }
}
