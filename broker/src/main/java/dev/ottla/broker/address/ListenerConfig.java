package dev.ottla.broker.address;

import java.util.Optional;

/// One listener as configured.
///
/// @param name such as `PLAINTEXT` or a name of the operator's
/// @param bind the address to listen on: an empty host for all interfaces, port 0 for any free one
/// @param advertised what clients are told, when the operator said so
public record ListenerConfig(String name, Endpoint bind, Optional<Endpoint> advertised) {}
