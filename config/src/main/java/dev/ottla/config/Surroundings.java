package dev.ottla.config;

/// What defaults may depend on besides the operator's settings.
///
/// @param brokers registered brokers, this one included
/// @param replicationFactor replicas of the topic that is asked about; for broker keys, what new
///   topics get
/// @param processors processors that this process may use
public record Surroundings(int brokers, int replicationFactor, int processors) {
    public Surroundings {
        if (brokers < 1 || replicationFactor < 1 || processors < 1) {
            throw new IllegalArgumentException(
                    "brokers %d, replication factor %d and processors %d must be at least 1"
                            .formatted(brokers, replicationFactor, processors));
        }
    }

    /// Surroundings of a broker: topics get as many replicas as the default says.
    public static Surroundings of(int brokers, int processors) {
        return new Surroundings(brokers, Math.min(3, brokers), processors);
    }

    Surroundings withReplicationFactor(int replicas) {
        return new Surroundings(brokers, replicas, processors);
    }

    int defaultReplicationFactor() {
        return Math.min(3, brokers);
    }

    /// Smallest majority of the replicas from three up, else 1.
    int majority() {
        return replicationFactor < 3 ? 1 : replicationFactor / 2 + 1;
    }

    int majorityOfDefault() {
        return withReplicationFactor(defaultReplicationFactor()).majority();
    }
}
