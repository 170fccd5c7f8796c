package dev.ottla.config;

/// A feature that is planned; keys that belong to it are accepted and wait for it.
public enum Feature {
    TRANSACTIONS("transactions"),
    COMPACTION("compaction"),
    TLS("TLS"),
    SASL("SASL"),
    AUTHORIZATION("authorization"),
    DELEGATION_TOKENS("delegation tokens"),
    QUOTAS("quotas"),
    SHARE_GROUPS("share groups"),
    STREAMS_GROUPS("streams groups"),
    TIERED_STORAGE("tiered storage"),
    ZOOKEEPER("the option to use a ZooKeeper ensemble");

    private final String words;

    Feature(String words) {
        this.words = words;
    }

    /// The feature's name in a sentence.
    public String words() {
        return words;
    }
}
