package dev.ottla.config;

import java.util.List;
import java.util.Map;

/// What operators have set on a broker, as text, lowest precedence first.
///
/// @param fromFile properties file and command line
/// @param forCluster changed at run time for all brokers
/// @param forBroker changed at run time for this broker alone
public record BrokerLayers(
        Map<String, String> fromFile,
        Map<String, String> forCluster,
        Map<String, String> forBroker) {
    public BrokerLayers {
        fromFile = Map.copyOf(fromFile);
        forCluster = Map.copyOf(forCluster);
        forBroker = Map.copyOf(forBroker);
    }

    /// Nothing but the file.
    public static BrokerLayers of(Map<String, String> fromFile) {
        return new BrokerLayers(fromFile, Map.of(), Map.of());
    }

    public BrokerLayers withForCluster(Map<String, String> settings) {
        return new BrokerLayers(fromFile, settings, forBroker);
    }

    public BrokerLayers withForBroker(Map<String, String> settings) {
        return new BrokerLayers(fromFile, forCluster, settings);
    }

    /// Highest precedence first.
    List<Layer> descending() {
        return List.of(
                new Layer(ConfigSource.DYNAMIC_BROKER, forBroker),
                new Layer(ConfigSource.DYNAMIC_DEFAULT_BROKER, forCluster),
                new Layer(ConfigSource.STATIC_BROKER, fromFile));
    }

    record Layer(ConfigSource source, Map<String, String> settings) {}
}
