package dev.ottla.metadata.controller;

import dev.ottla.config.BrokerLayers;
import dev.ottla.config.ConfigCheck;
import dev.ottla.config.ConfigKey;
import dev.ottla.config.ConfigProblem;
import dev.ottla.config.ConfigResolver;
import dev.ottla.config.ConfigTable;
import dev.ottla.config.Scope;
import dev.ottla.metadata.ConfigResource;
import dev.ottla.metadata.image.ClusterImage;
import dev.ottla.metadata.image.TopicState;
import dev.ottla.wire.ErrorCode;
import dev.ottla.wire.Utf8;
import dev.ottla.wire.WireWriter;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/// Which settings a resource takes, with the error codes that Kafka answers.
final class ConfigRules {
    private static final ConfigTable TABLE = ConfigTable.table();

    private final ClusterImage image;
    private final ConfigResolver resolver;

    ConfigRules(Context context) {
        this.image = context.image();
        this.resolver = context.settings().resolver(image);
    }

    /// The key of that name for that kind of resource.
    static Optional<ConfigKey<?>> find(ConfigResource.Type type, String key) {
        return switch (type) {
            case TOPIC -> TABLE.find(Scope.TOPIC, key);
            case BROKER, BROKER_LOGGER -> TABLE.findForListener(key);
            case GROUP -> TABLE.find(Scope.GROUP, key);
            case CLIENT_METRICS -> TABLE.find(Scope.CLIENT_METRICS, key);
        };
    }

    /// Refuses settings of an existing resource. A broker takes keys that nobody knows, for they
    /// may be those of a plugin.
    ///
    /// @param wanted all that the resource would set itself
    void check(ConfigResource resource, Map<String, String> wanted) throws Refusal {
        refuseLong(resource.type(), wanted);
        ConfigCheck check = new ConfigCheck(resolver);
        refuse(
                resource.type(),
                switch (resource.type()) {
                    case TOPIC -> check.topic(wanted, replicationFactor(resource.name()));
                    case GROUP -> check.group(wanted);
                    case CLIENT_METRICS -> check.clientMetrics(wanted);
                    case BROKER, BROKER_LOGGER ->
                            resource.name().isEmpty()
                                    ? check.forCluster(wanted)
                                    : new ConfigCheck(resolverOf(resource)).forBroker(wanted);
                });
    }

    /// Refuses settings of a topic that does not exist yet.
    void checkNewTopic(Map<String, String> wanted, int replicationFactor) throws Refusal {
        if (wanted.isEmpty()) return;
        refuseLong(ConfigResource.Type.TOPIC, wanted);
        refuse(
                ConfigResource.Type.TOPIC,
                new ConfigCheck(resolver).topic(wanted, replicationFactor));
    }

    private int replicationFactor(String topic) {
        return image.topic(topic).map(TopicState::replicationFactor).orElse(1);
    }

    /// What holds on one broker, as far as the controller knows its file: from its own.
    private ConfigResolver resolverOf(ConfigResource broker) {
        BrokerLayers layers = resolver.layers().withForBroker(image.config(broker));
        return new ConfigResolver(layers, resolver.surroundings());
    }

    /// A value may grow past what a record or an answer can carry, by one addition after another.
    private static void refuseLong(ConfigResource.Type type, Map<String, String> wanted)
            throws Refusal {
        for (Map.Entry<String, String> setting : wanted.entrySet()) {
            int bytes = Utf8.length(setting.getValue());
            if (bytes > WireWriter.MAX_STRING_BYTES) {
                throw new Refusal(
                        ApiError.of(
                                invalid(type),
                                "The value of %s would have %d bytes; the protocol allows %d.",
                                setting.getKey(),
                                bytes,
                                WireWriter.MAX_STRING_BYTES));
            }
        }
    }

    private static void refuse(ConfigResource.Type type, List<ConfigProblem> problems)
            throws Refusal {
        if (problems.isEmpty()) return;
        String message =
                problems.stream().map(ConfigProblem::message).collect(Collectors.joining(" "));
        throw new Refusal(new ApiError(invalid(type), message));
    }

    private static ErrorCode invalid(ConfigResource.Type type) {
        return switch (type) {
            case TOPIC, GROUP -> ErrorCode.INVALID_CONFIG;
            case BROKER, BROKER_LOGGER, CLIENT_METRICS -> ErrorCode.INVALID_REQUEST;
        };
    }
}
