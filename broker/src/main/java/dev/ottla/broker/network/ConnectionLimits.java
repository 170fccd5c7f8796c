package dev.ottla.broker.network;

import java.util.Map;

/// How many connections are allowed; replaced as a whole when the configuration changes. Immutable.
///
/// @param maxConnections `max.connections`: above it, new connections wait in the listen queue
/// @param maxPerIp `max.connections.per.ip`: above it, new connections are closed
/// @param perIpOverrides `max.connections.per.ip.overrides`, by literal address
public record ConnectionLimits(
        int maxConnections, int maxPerIp, Map<String, Integer> perIpOverrides) {
    public static final ConnectionLimits NONE =
            new ConnectionLimits(Integer.MAX_VALUE, Integer.MAX_VALUE, Map.of());

    public ConnectionLimits {
        perIpOverrides = Map.copyOf(perIpOverrides);
    }

    int maxFor(String address) {
        return perIpOverrides.getOrDefault(address, maxPerIp);
    }
}
