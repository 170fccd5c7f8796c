package dev.ottla.metadata.controller;

/// A replica that its leader takes for in sync.
///
/// @param brokerEpoch of the incarnation that the leader saw fetching, or -1 when unknown (KIP-903)
public record IsrMember(int brokerId, long brokerEpoch) {}
