package dev.ottla.config;

import java.net.InetAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// How many connections each address may keep open, from `max.connections.per.ip` and its
/// overrides.
///
/// @param perAddress limit for those that have none of their own
/// @param overrides limit by address, in the form of `InetAddress.getHostAddress`
public record AddressLimits(int perAddress, Map<String, Integer> overrides) {
    public AddressLimits {
        overrides = Map.copyOf(overrides);
    }

    /// Reads them from a broker's values; malformed overrides are left out.
    public static AddressLimits of(ConfigValues broker) {
        Map<String, Integer> overrides = new HashMap<>();
        for (String entry : entries(broker)) {
            Optional<String> address = address(entry);
            Optional<Integer> limit = limit(entry);
            if (address.isPresent() && limit.isPresent()) {
                overrides.put(address.get(), limit.get());
            }
        }
        return new AddressLimits(broker.value(NetworkKeys.MAX_CONNECTIONS_PER_IP), overrides);
    }

    /// Overrides that are not of the form `address:count`.
    static List<String> malformed(ConfigValues broker) {
        return entries(broker).stream()
                .filter(entry -> limit(entry).isEmpty() || address(entry).isEmpty())
                .toList();
    }

    private static List<String> entries(ConfigValues broker) {
        return ConfigType.LIST
                .parse(broker.value(NetworkKeys.MAX_CONNECTIONS_PER_IP_OVERRIDES))
                .orElse(List.of());
    }

    private static Optional<Integer> limit(String entry) {
        return ConfigType.INT
                .parse(entry.substring(entry.lastIndexOf(':') + 1))
                .filter(limit -> limit >= 0);
    }

    /// No names: an address that changes with the name server would be a poor limit.
    private static Optional<String> address(String entry) {
        String text = entry.substring(0, Math.max(0, entry.lastIndexOf(':'))).strip();
        try {
            return Optional.of(InetAddress.ofLiteral(text).getHostAddress());
        } catch (IllegalArgumentException _) {
            return Optional.empty();
        }
    }
}
