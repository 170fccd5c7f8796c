package dev.ottla.metadata.controller;

/// What became of a registration.
///
/// @param brokerEpoch fences earlier incarnations; -1 when refused
public record RegisteredBroker(ApiError error, long brokerEpoch) {}
