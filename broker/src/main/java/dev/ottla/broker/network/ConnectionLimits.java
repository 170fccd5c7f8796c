package dev.ottla.broker.network;

import java.util.Map;

/// How many connections are allowed; replaced as a whole when the configuration changes. Immutable.
///
/// @param maxConnections `max.connections`: above it, new connections wait in the listen queue
/// @param maxByListener the same for single listeners (`listener.name.NAME.max.connections`), by
///   listener name
/// @param maxPerIp `max.connections.per.ip`: above it, new connections are closed
/// @param perIpOverrides `max.connections.per.ip.overrides`, by literal address
/// @param maxPerSecond `max.connection.creation.rate`: those beyond wait
public record ConnectionLimits(
        int maxConnections,
        Map<String, Integer> maxByListener,
        int maxPerIp,
        Map<String, Integer> perIpOverrides,
        int maxPerSecond) {
    /// No limits at all.
    public static final ConnectionLimits NONE =
            new ConnectionLimits(
                    Integer.MAX_VALUE, Map.of(), Integer.MAX_VALUE, Map.of(), Integer.MAX_VALUE);

    public ConnectionLimits {
        maxByListener = Map.copyOf(maxByListener);
        perIpOverrides = Map.copyOf(perIpOverrides);
    }

    int maxFor(String address) {
        return perIpOverrides.getOrDefault(address, maxPerIp);
    }

    int maxOf(String listener) {
        return maxByListener.getOrDefault(listener, Integer.MAX_VALUE);
    }
}
