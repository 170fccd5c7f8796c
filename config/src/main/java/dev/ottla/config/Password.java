package dev.ottla.config;

/// A secret that does not show itself in logs.
public record Password(String secret) {
    @Override
    public String toString() {
        return "[hidden]";
    }
}
