package dev.ottla.broker.server;

import java.net.InetSocketAddress;

/// A listener that accepts connections.
///
/// @param address as bound, with the real port
public record BoundListener(String name, InetSocketAddress address) {}
