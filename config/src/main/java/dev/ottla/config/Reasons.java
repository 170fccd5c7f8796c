package dev.ottla.config;

/// Why keys have no effect, where several share a reason.
final class Reasons {
    static final String PLUGIN = "Ottla loads no classes of others into the broker";
    static final String PURGATORY =
            "waiting requests hang on their partition and leave it at once when done";
    static final String SHARDS = "the shards do this work";
    static final String PROCESSORS =
            "housekeeping shares the threads of shards and data directories";
    static final String LINGER =
            "a shard writes whatever has come in since its last turn, so batches form by themselves";
    static final String OFFLOAD = "Ottla itself decides by size where an assignment is computed";
    static final String METRICS = "metrics are read from `/metrics`, rates are taken by the reader";
    static final String BORINGSSL = "TLS is not done by Java's own library";
    static final String ENGINE = "the quorum's engine has times of its own for this";
    static final String COMMANDS =
            "connections and requests to other nodes have fixed times, short enough to find another node";
    static final String INTERNAL = "it steers the inner works of Kafka";

    private Reasons() {}
}
