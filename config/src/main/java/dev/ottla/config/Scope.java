package dev.ottla.config;

/// The kind of resource a key is set on. Logger levels (BROKER_LOGGER) are no keys and stand apart.
public enum Scope {
    BROKER("broker"),
    TOPIC("topic"),
    GROUP("group"),
    CLIENT_METRICS("client metrics subscription");

    private final String words;

    Scope(String words) {
        this.words = words;
    }

    /// The resource in a sentence.
    String words() {
        return words;
    }
}
