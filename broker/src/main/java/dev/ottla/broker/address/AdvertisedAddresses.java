package dev.ottla.broker.address;

import dev.ottla.broker.request.ClientConnection;
import dev.ottla.config.HostPort;
import dev.ottla.config.Listener;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// The one rule by which a client is told where this broker is. Thread-safe: the listeners are
/// replaced as a whole.
///
/// In this order: what `advertised.listeners` says for the listener the client came in by; what
/// `advertised.address` (`--advertise`) says; the host that `listeners` names; and if that is "all
/// interfaces", what worked for this very client: `localhost` when it came over the loopback
/// interface, else the address of ours that it reached.
public final class AdvertisedAddresses {
    private final Optional<String> advertisedAddress;

    /// Written by whoever opens and closes listeners, read for each answer; that of a moment ago
    /// will do.
    private volatile Bound bound = new Bound(Map.of(), Map.of());

    private record Bound(Map<String, Listener> listeners, Map<String, Integer> ports) {}

    /// No listeners at first.
    ///
    /// @param advertisedAddress `HOST` or `HOST:PORT`, as the configuration made sure
    public AdvertisedAddresses(Optional<String> advertisedAddress) {
        this.advertisedAddress = advertisedAddress;
    }

    /// From now on these listeners are told.
    ///
    /// @param boundPorts by listener name
    public void update(Iterable<Listener> listeners, Map<String, Integer> boundPorts) {
        Map<String, Listener> byName = new HashMap<>();
        listeners.forEach(listener -> byName.put(listener.name(), listener));
        bound = new Bound(Map.copyOf(byName), Map.copyOf(boundPorts));
    }

    /// Where the client of `connection` finds this broker.
    public HostPort forClient(ClientConnection connection) {
        InetSocketAddress reached = connection.localAddress();
        Optional<HostPort> fixed = fixed(connection.listenerName());
        return fixed.orElseGet(() -> new HostPort(hostOf(reached.getAddress()), reached.getPort()));
    }

    /// What this broker registers for a listener: where its peers find it.
    ///
    /// @param host where the settings name none
    public HostPort forPeers(String listenerName, String host) {
        return fixed(listenerName)
                .orElseGet(() -> new HostPort(host, bound.ports().getOrDefault(listenerName, 0)));
    }

    /// Whether the settings say where a listener is found.
    public boolean isSaid(String listenerName) {
        return fixed(listenerName).isPresent();
    }

    private Optional<HostPort> fixed(String listenerName) {
        Bound now = bound;
        Listener listener = now.listeners().get(listenerName);
        if (listener == null) {
            return Optional.empty();
        }
        int boundPort = now.ports().getOrDefault(listenerName, listener.bind().port());
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
