package dev.ottla.bench.scenario;

/// A scenario that starts and stops brokers itself, each on an empty directory.
public non-sealed interface OnOwnBroker extends Scenario {}
