package dev.ottla.metadata;

/// Where a broker can be reached by one of its listeners.
///
/// @param listener name of the listener
/// @param securityProtocol Kafka's number: 0 PLAINTEXT, 1 SSL, 2 SASL_PLAINTEXT, 3 SASL_SSL
public record BrokerEndpoint(String listener, String host, int port, short securityProtocol) {
    public BrokerEndpoint {
        if (port < 0 || port > 65535) {
            throw new IllegalArgumentException(
                    "listener " + listener + " has port " + port + ", expected 0 to 65535");
        }
    }
}
