package dev.ottla.chaos.fault;

import java.time.Duration;

/// A fault that is to be played.
///
/// @param number counts from 1
/// @param at since the load began, or later when the one before took longer
/// @param hold how long it lasts, as far as that can be chosen
/// @param patience how long it may wait for what it has broken to work again
/// @param seed of what is left to chance when it comes
public record Strike(
        int number, Fault fault, Duration at, Duration hold, Duration patience, long seed) {}
