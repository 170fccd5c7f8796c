package dev.ottla.metadata.controller;

/// The level that a client wants for a feature.
///
/// @param level 0 switches the feature off
public record UpdateFeature(String name, short level, Direction direction) {
    /// Which way the client means to go; the other one is refused.
    public enum Direction {
        UPGRADE,

        /// Down, if nothing is lost by it.
        SAFE_DOWNGRADE,

        /// Down, even if something is lost by it.
        UNSAFE_DOWNGRADE
    }
}
