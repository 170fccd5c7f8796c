package dev.ottla.broker.coordinator;

import dev.ottla.config.ConfigResolver;
import java.time.InstantSource;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/// What all group coordinators of a broker share. Immutable.
///
/// @param config the configuration in force
/// @param clock wall-clock time
/// @param uniqueIds random texts for member ids; thread-safe
/// @param background reads coordinators from disk and evaluates regular expressions
/// @param maxUncompressedBytes the most that one batch of the offsets topic may unpack to
public record GroupCoordinatorParts(
        Supplier<ConfigResolver> config,
        InstantSource clock,
        Supplier<String> uniqueIds,
        Executor background,
        int maxUncompressedBytes) {}
