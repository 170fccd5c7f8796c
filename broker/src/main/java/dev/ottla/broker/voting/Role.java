package dev.ottla.broker.voting;

import java.util.Locale;

/// What part a node takes in the quorum.
public enum Role {
    /// It asks to vote until it does.
    VOTER,

    /// It never asks.
    OBSERVER,

    /// It asks when two of the cluster's nodes can be added to the first, which is when there are
    /// three: two voters are worse than one, because either may not be missing.
    AUTO;

    /// The role of a node.
    ///
    /// @param name as in the configuration
    /// @param broker whether it holds partitions
    /// @param controller whether it may vote; one that does nothing else votes unless it is told
    ///   not to
    public static Role of(String name, boolean broker, boolean controller) {
        Role named = valueOf(name.toUpperCase(Locale.ROOT));
        if (!controller) return OBSERVER;
        return named == AUTO && !broker ? VOTER : named;
    }
}
