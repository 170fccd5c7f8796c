package dev.ottla.config;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// How many connections each address may keep open, from `max.connections.per.ip` and its
/// overrides.
///
/// @param perAddress limit for those that have none of their own
/// @param overrides limit by host name or address
public record ConnectionLimits(int perAddress, Map<String, Integer> overrides) {
    public ConnectionLimits {
        overrides = Map.copyOf(overrides);
    }

    /// Reads them from a broker's values; malformed overrides are left out.
    public static ConnectionLimits of(ConfigValues broker) {
        Map<String, Integer> overrides = new HashMap<>();
        for (String entry : entries(broker)) {
            limit(entry).ifPresent(limit -> overrides.put(host(entry), limit));
        }
        return new ConnectionLimits(broker.value(NetworkKeys.MAX_CONNECTIONS_PER_IP), overrides);
    }

    /// Overrides that are not of the form `host:count`.
    static List<String> malformed(ConfigValues broker) {
        return entries(broker).stream().filter(entry -> limit(entry).isEmpty()).toList();
    }

    private static List<String> entries(ConfigValues broker) {
        return ConfigType.LIST
                .parse(broker.value(NetworkKeys.MAX_CONNECTIONS_PER_IP_OVERRIDES))
                .orElse(List.of());
    }

    private static Optional<Integer> limit(String entry) {
        return host(entry).isEmpty()
                ? Optional.empty()
                : ConfigType.INT
                        .parse(entry.substring(entry.lastIndexOf(':') + 1))
                        .filter(limit -> limit >= 0);
    }

    private static String host(String entry) {
        return entry.substring(0, Math.max(0, entry.lastIndexOf(':'))).strip();
    }
}
