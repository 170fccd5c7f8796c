package dev.ottla.config;

import java.util.Optional;

/// An address that the broker listens on.
///
/// @param name in capitals
/// @param protocol `PLAINTEXT`, `SSL`, `SASL_PLAINTEXT` or `SASL_SSL`
/// @param bind where to listen; an empty host means every interface, port 0 a free one
/// @param advertised what clients are told, if the operator says
/// @param controller for the quorum, not for clients
public record Listener(
        String name,
        String protocol,
        HostPort bind,
        Optional<HostPort> advertised,
        boolean controller) {}
