package dev.ottla.broker.handler.telemetry;

import dev.ottla.broker.request.ClientConnection;
import dev.ottla.broker.request.RequestContext;
import dev.ottla.broker.telemetry.TelemetryClient;
import dev.ottla.wire.Uuid;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;

/// Reads from a request who sent it.
final class TelemetryClients {
    private static final String UNKNOWN = "unknown";

    private TelemetryClients() {}

    static TelemetryClient of(RequestContext context, Uuid instanceId) {
        ClientConnection connection = context.connection();
        InetSocketAddress remote = connection.remoteAddress();
        InetAddress address = remote.getAddress();
        return new TelemetryClient(
                instanceId,
                context.clientId(),
                known(connection.clientSoftwareName()),
                known(connection.clientSoftwareVersion()),
                address == null ? remote.getHostString() : address.getHostAddress(),
                remote.getPort());
    }

    private static String known(String software) {
        return software.isEmpty() ? UNKNOWN : software;
    }

    /// Monotonic time at which the request was here.
    static long nowMs(RequestContext context) {
        return TimeUnit.NANOSECONDS.toMillis(context.receivedNs());
    }
}
