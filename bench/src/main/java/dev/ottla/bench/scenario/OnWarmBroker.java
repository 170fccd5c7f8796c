package dev.ottla.bench.scenario;

/// A scenario for a broker that runs and has seen load; those of a family share one in each round.
public non-sealed interface OnWarmBroker extends Scenario {}
