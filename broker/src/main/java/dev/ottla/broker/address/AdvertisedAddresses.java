package dev.ottla.broker.address;

import dev.ottla.broker.request.ClientConnection;
import dev.ottla.config.HostPort;
import dev.ottla.config.Listener;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// The one rule by which a client is told where this broker is. Immutable.
///
/// In this order: what `advertised.listeners` says for the listener the client came in by; what
/// `advertised.address` (`--advertise`) says; the host that `listeners` names; and if that is "all
/// interfaces", what worked for this very client: `localhost` when it came over the loopback
/// interface, else the address of ours that it reached.
public final class AdvertisedAddresses {
    private final Map<String, Listener> listeners = new HashMap<>();
    private final Map<String, Integer> boundPorts;
    private final Optional<String> advertisedAddress;

    /// @param boundPorts by listener name
    /// @param advertisedAddress `HOST` or `HOST:PORT`, as the configuration made sure
    public AdvertisedAddresses(
            Iterable<Listener> listeners,
            Map<String, Integer> boundPorts,
            Optional<String> advertisedAddress) {
        listeners.forEach(listener -> this.listeners.put(listener.name(), listener));
        this.boundPorts = Map.copyOf(boundPorts);
        this.advertisedAddress = advertisedAddress;
    }

    /// Where the client of `connection` finds this broker.
    public HostPort forClient(ClientConnection connection) {
        InetSocketAddress reached = connection.localAddress();
        Optional<HostPort> fixed = fixed(connection.listenerName());
        return fixed.orElseGet(() -> new HostPort(hostOf(reached.getAddress()), reached.getPort()));
    }

    /// What this broker registers for a listener: where its peers find it.
    public HostPort forPeers(String listenerName) {
        return fixed(listenerName)
                .orElseGet(
                        () -> new HostPort("localhost", boundPorts.getOrDefault(listenerName, 0)));
    }

    private Optional<HostPort> fixed(String listenerName) {
        Listener listener = listeners.get(listenerName);
        if (listener == null) {
            return Optional.empty();
        }
        int boundPort = boundPorts.getOrDefault(listenerName, listener.bind().port());
        if (listener.advertised().isPresent()) {
            HostPort advertised = listener.advertised().get();
            return Optional.of(
                    advertised.port() == 0
                            ? new HostPort(advertised.host(), boundPort)
                            : advertised);
        }
        if (advertisedAddress.isPresent()) {
            return HostPort.parse(advertisedAddress.get(), boundPort);
        }
        String host = listener.bind().host();
        boolean anyInterface = host.isEmpty() || host.equals("0.0.0.0") || host.equals("::");
        return anyInterface ? Optional.empty() : Optional.of(new HostPort(host, boundPort));
    }

    private static String hostOf(InetAddress address) {
        if (address.isLoopbackAddress()) {
            return "localhost";
        }
        String literal = address.getHostAddress();
        int zone = literal.indexOf('%');
        return zone < 0 ? literal : literal.substring(0, zone);
    }
}
