package dev.ottla.broker.server;

import dev.ottla.broker.network.ConnectionLimits;
import dev.ottla.broker.network.NetworkSettings;
import dev.ottla.config.AddressLimits;
import dev.ottla.config.ConfigResolver;
import dev.ottla.config.ConfigValues;
import dev.ottla.config.NetworkKeys;
import java.util.HashMap;
import java.util.Map;

/// Turns configuration into the network's plain values.
final class NetworkConfig {
    private static final int MAX_LOOPS = 1024;
    private static final long LEAST_REQUEST_MEMORY_BYTES = 16L << 20;

    private NetworkConfig() {}

    /// @param memoryBytes what the process may use outside the heap
    static NetworkSettings settings(ConfigValues values, long memoryBytes) {
        long configured = values.value(NetworkKeys.QUEUED_MAX_REQUEST_BYTES);
        long requestMemory =
                configured > 0 ? configured : Math.max(LEAST_REQUEST_MEMORY_BYTES, memoryBytes / 4);
        return new NetworkSettings(
                loops(values),
                values.value(NetworkKeys.SOCKET_REQUEST_MAX_BYTES),
                requestMemory,
                values.value(NetworkKeys.CONNECTION_MAX_INFLIGHT_BYTES),
                values.value(NetworkKeys.CONNECTION_MAX_INFLIGHT_REQUESTS),
                values.value(NetworkKeys.CONNECTION_MAX_PENDING_RESPONSE_BYTES),
                values.value(NetworkKeys.SOCKET_REQUEST_RECEIVE_TIMEOUT_MS),
                values.value(NetworkKeys.CONNECTIONS_MAX_IDLE_MS),
                values.value(NetworkKeys.SOCKET_SEND_BUFFER_BYTES),
                values.value(NetworkKeys.SOCKET_RECEIVE_BUFFER_BYTES),
                values.value(NetworkKeys.SOCKET_LISTEN_BACKLOG_SIZE));
    }

    /// More than the limit would not find processors.
    static int loops(ConfigValues values) {
        return Math.min(MAX_LOOPS, values.value(NetworkKeys.NUM_NETWORK_THREADS));
    }

    /// @param listeners the names of all listeners
    /// @param most connections for which there are descriptors
    static ConnectionLimits limits(ConfigResolver config, Iterable<String> listeners, int most) {
        ConfigValues values = config.broker();
        Map<String, Integer> byListener = new HashMap<>();
        for (String listener : listeners) {
            ConfigValues own = config.listener(listener);
            if (own.value(NetworkKeys.MAX_CONNECTIONS)
                    < values.value(NetworkKeys.MAX_CONNECTIONS)) {
                byListener.put(listener, own.value(NetworkKeys.MAX_CONNECTIONS));
            }
        }
        AddressLimits addresses = AddressLimits.of(values);
        return new ConnectionLimits(
                Math.min(most, values.value(NetworkKeys.MAX_CONNECTIONS)),
                byListener,
                addresses.perAddress(),
                addresses.overrides(),
                values.value(NetworkKeys.MAX_CONNECTION_CREATION_RATE));
    }
}
