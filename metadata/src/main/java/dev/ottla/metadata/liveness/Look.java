package dev.ottla.metadata.liveness;

/// A look at a broker's address that is to be taken.
///
/// @param number tells this look from other ones
public record Look(BrokerIncarnation broker, long number) {}
