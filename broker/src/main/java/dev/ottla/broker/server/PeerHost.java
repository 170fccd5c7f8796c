package dev.ottla.broker.server;

import dev.ottla.config.HostPort;
import dev.ottla.metadata.BrokerEndpoint;
import dev.ottla.metadata.image.BrokerState;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.util.List;
import java.util.Optional;

/// The host under which other nodes find this one where no setting says so. A node that joins takes
/// the address by which it reaches the cluster; the one that began the cluster is `localhost` until
/// the first node comes from elsewhere, and then what that node reached ([ReachedAddress]).
final class PeerHost {
    static final String LOCAL = "localhost";

    private PeerHost() {}

    /// The own address on the way to the first of these nodes that there is a way to. Nothing is
    /// sent.
    static String towards(List<HostPort> nodes) {
        for (HostPort node : nodes) {
            try (DatagramSocket socket = new DatagramSocket()) {
                InetAddress there = InetAddress.getByName(node.host());
                if (there.isLoopbackAddress()) return LOCAL;
                socket.connect(new InetSocketAddress(there, Math.max(1, node.port())));
                InetAddress here = socket.getLocalAddress();
                if (!here.isAnyLocalAddress()) return shown(here);
            } catch (IOException _) {
                // No way there now, or nobody knows the name: the next one may do.
            }
        }
        return LOCAL;
    }

    /// What this node registered at its last start, while it is still one of its addresses.
    static String asBefore(Optional<BrokerState> registered, String listener) {
        return registered
                .flatMap(broker -> broker.endpoint(listener))
                .map(BrokerEndpoint::host)
                .filter(PeerHost::isOwn)
                .orElse(LOCAL);
    }

    private static boolean isOwn(String host) {
        if (host.equals(LOCAL)) return false;
        try {
            return NetworkInterface.getByInetAddress(InetAddress.getByName(host)) != null;
        } catch (IOException _) {
            return false;
        }
    }

    static String shown(InetAddress address) {
        if (address.isLoopbackAddress()) return LOCAL;
        String literal = address.getHostAddress();
        int zone = literal.indexOf('%');
        return zone < 0 ? literal : literal.substring(0, zone);
    }
}
