package dev.ottla.group.classic;

/// State of a classic group. See the table in [ClassicGroup].
public enum ClassicState {
    EMPTY("Empty"),
    PREPARING_REBALANCE("PreparingRebalance"),
    COMPLETING_REBALANCE("CompletingRebalance"),
    STABLE("Stable"),
    DEAD("Dead");

    private final String label;

    ClassicState(String label) {
        this.label = label;
    }

    /// The state's name on the wire.
    public String label() {
        return label;
    }
}
