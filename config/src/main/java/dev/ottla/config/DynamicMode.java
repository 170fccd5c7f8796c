package dev.ottla.config;

/// Whether a key can be changed while the broker runs. Keys of topics, groups and client metrics
/// always can.
public enum DynamicMode {
    /// Only the properties file sets it; a change needs a restart.
    READ_ONLY("no"),
    /// Can be changed on one broker, not for all at once.
    PER_BROKER("per broker"),
    /// Can be changed for all brokers, or on one.
    CLUSTER_WIDE("cluster-wide");

    private final String words;

    DynamicMode(String words) {
        this.words = words;
    }

    @Override
    public String toString() {
        return words;
    }
}
