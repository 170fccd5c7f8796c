package dev.ottla.broker.server;

import java.util.Map;

/// What a broker is started with: Kafka's configuration keys as text, from file and command line
/// together. Immutable.
///
/// @param properties only what the operator set; everything has a default
public record BrokerSettings(Map<String, String> properties) {
    public BrokerSettings {
        properties = Map.copyOf(properties);
    }
}
