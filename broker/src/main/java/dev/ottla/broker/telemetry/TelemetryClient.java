package dev.ottla.broker.telemetry;

import dev.ottla.wire.Uuid;

/// Who asks for subscriptions or pushes metrics. Immutable.
///
/// @param instanceId names one client object in one process; given by the broker
/// @param clientId as the request says
/// @param softwareName of the client library, `unknown` when it did not say
/// @param softwareVersion likewise
/// @param sourceAddress the client's end of the connection, without the port
public record TelemetryClient(
        Uuid instanceId,
        String clientId,
        String softwareName,
        String softwareVersion,
        String sourceAddress,
        int sourcePort) {
    TelemetryClient withInstanceId(Uuid id) {
        return new TelemetryClient(
                id, clientId, softwareName, softwareVersion, sourceAddress, sourcePort);
    }
}
