package dev.ottla.metadata.controller;

/// Kinds of elections that a client can ask for (KIP-460).
public enum Election {
    /// The first replica takes over, if it is in sync and another one leads.
    PREFERRED,

    /// Any replica that is there leads, if none does; records may be lost.
    UNCLEAN
}
