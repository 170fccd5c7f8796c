package dev.ottla.broker.controlling;

import dev.ottla.metadata.BrokerEndpoint;
import dev.ottla.metadata.VersionRange;
import dev.ottla.metadata.controller.ApiError;
import dev.ottla.metadata.controller.RegisterBroker;
import dev.ottla.metadata.controller.RegisteredBroker;
import dev.ottla.wire.ErrorCode;
import dev.ottla.wire.message.BrokerRegistrationRequest;
import dev.ottla.wire.message.BrokerRegistrationResponse;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Registrations on the wire, both ways (KIP-631, KIP-858, KIP-966). That the broker stopped
/// cleanly is said by a previous epoch of zero or more; which one it was makes no difference,
/// because the mark that says so lies in the very directories.
public final class RegistrationMessages {
    private RegistrationMessages() {}

    static BrokerRegistrationRequest request(RegisterBroker registration, String clusterId) {
        return BrokerRegistrationRequest.builder()
                .brokerId(registration.brokerId())
                .clusterId(clusterId)
                .incarnationId(registration.incarnationId())
                .listeners(
                        registration.endpoints().stream()
                                .map(RegistrationMessages::listener)
                                .toList())
                .features(
                        registration.features().entrySet().stream()
                                .map(RegistrationMessages::feature)
                                .toList())
                .rack(registration.rack().orElse(null))
                .logDirs(registration.directories())
                .previousBrokerEpoch(registration.stoppedCleanly() ? 0 : -1)
                .build();
    }

    private static BrokerRegistrationRequest.Listener listener(BrokerEndpoint endpoint) {
        return BrokerRegistrationRequest.Listener.builder()
                .name(endpoint.listener())
                .host(endpoint.host())
                .port(endpoint.port())
                .securityProtocol(endpoint.securityProtocol())
                .build();
    }

    private static BrokerRegistrationRequest.Feature feature(
            Map.Entry<String, VersionRange> feature) {
        return BrokerRegistrationRequest.Feature.builder()
                .name(feature.getKey())
                .minSupportedVersion(feature.getValue().lowest())
                .maxSupportedVersion(feature.getValue().highest())
                .build();
    }

    /// A broker that registers from elsewhere is fenced until it follows the metadata.
    public static RegisterBroker read(BrokerRegistrationRequest request) {
        Map<String, VersionRange> features = new HashMap<>();
        for (BrokerRegistrationRequest.Feature feature : request.features()) {
            features.put(
                    feature.name(),
                    new VersionRange(feature.minSupportedVersion(), feature.maxSupportedVersion()));
        }
        return new RegisterBroker(
                request.brokerId(),
                request.incarnationId(),
                request.listeners().stream()
                        .map(listener ->
                                new BrokerEndpoint(
                                        listener.name(),
                                        listener.host(),
                                        listener.port(),
                                        listener.securityProtocol()))
                        .toList(),
                features,
                Optional.ofNullable(request.rack()),
                request.logDirs(),
                List.of(),
                request.previousBrokerEpoch() >= 0,
                false);
    }

    public static BrokerRegistrationResponse response(RegisteredBroker registered) {
        return BrokerRegistrationResponse.builder()
                .errorCode(registered.error().code().code())
                .brokerEpoch(registered.brokerEpoch())
                .build();
    }

    static RegisteredBroker read(BrokerRegistrationResponse response) {
        ErrorCode error =
                ErrorCode.forCode(response.errorCode()).orElse(ErrorCode.UNKNOWN_SERVER_ERROR);
        return new RegisteredBroker(
                error == ErrorCode.NONE
                        ? ApiError.NONE
                        : ApiError.of(
                                error, "The controller answers %s (%s).", error, error.message()),
                response.brokerEpoch());
    }
}
