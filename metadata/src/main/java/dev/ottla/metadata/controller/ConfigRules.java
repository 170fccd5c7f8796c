package dev.ottla.metadata.controller;

import dev.ottla.config.ConfigKey;
import dev.ottla.config.ConfigTable;
import dev.ottla.config.DynamicMode;
import dev.ottla.config.Scope;
import dev.ottla.metadata.ConfigResource;
import dev.ottla.wire.ErrorCode;
import java.util.Optional;

/// Which settings a resource takes, with the error codes that Kafka answers.
final class ConfigRules {
    private static final ConfigTable TABLE = ConfigTable.table();

    private ConfigRules() {}

    static Scope scope(ConfigResource.Type type) {
        return switch (type) {
            case TOPIC -> Scope.TOPIC;
            case BROKER, BROKER_LOGGER -> Scope.BROKER;
            case GROUP -> Scope.GROUP;
            case CLIENT_METRICS -> Scope.CLIENT_METRICS;
        };
    }

    static Optional<ConfigKey<?>> find(ConfigResource.Type type, String key) {
        return type == ConfigResource.Type.BROKER
                ? TABLE.findForListener(key)
                : TABLE.find(scope(type), key);
    }

    /// Checks one setting of a resource of that kind. A broker takes keys that nobody knows, for
    /// they may be those of a plugin.
    static void check(ConfigResource.Type type, String key, String value) throws Refusal {
        if (type == ConfigResource.Type.BROKER && find(type, key).isEmpty()) return;
        var problem = TABLE.check(scope(type), key, value);
        if (problem.isPresent()) {
            throw new Refusal(new ApiError(invalid(type), problem.get().message()));
        }
    }

    /// Refuses broker keys that cannot be changed at run time, or not for all brokers at once.
    static void checkDynamic(ConfigResource resource, String key) throws Refusal {
        if (resource.type() != ConfigResource.Type.BROKER) return;
        Optional<ConfigKey<?>> known = find(resource.type(), key);
        if (known.isEmpty()) return;
        DynamicMode mode = known.get().dynamicMode();
        if (mode == DynamicMode.READ_ONLY) {
            throw Refusal.of(
                    ErrorCode.INVALID_REQUEST,
                    "%s cannot be changed while brokers run: set it in ottla.properties and"
                            + " restart.",
                    key);
        }
        if (mode == DynamicMode.PER_BROKER && resource.name().isEmpty()) {
            throw Refusal.of(
                    ErrorCode.INVALID_REQUEST,
                    "%s cannot be set for all brokers at once: set it on each broker.",
                    key);
        }
    }

    static ErrorCode invalid(ConfigResource.Type type) {
        return switch (type) {
            case TOPIC, GROUP -> ErrorCode.INVALID_CONFIG;
            case BROKER, BROKER_LOGGER, CLIENT_METRICS -> ErrorCode.INVALID_REQUEST;
        };
    }
}
