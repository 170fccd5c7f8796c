package dev.ottla.metadata.liveness;

/// One life of a broker.
///
/// @param epoch of its registration
public record BrokerIncarnation(int id, long epoch) {}
