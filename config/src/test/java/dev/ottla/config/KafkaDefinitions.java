package dev.ottla.config;

import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.InvalidConfigurationException;
import org.apache.kafka.common.errors.InvalidRequestException;
import org.apache.kafka.coordinator.group.GroupConfig;
import org.apache.kafka.server.config.AbstractKafkaConfig;
import org.apache.kafka.server.config.DynamicConfig;
import org.apache.kafka.server.metrics.ClientMetricsConfigs;
import org.apache.kafka.storage.internals.log.LogConfig;

/// What Kafka itself says of its keys.
final class KafkaDefinitions {
    private KafkaDefinitions() {}

    /// Kafka's keys of a scope by name; of a broker also those that can be set at run time only.
    static Map<String, ConfigDef.ConfigKey> of(Scope scope) {
        Map<String, ConfigDef.ConfigKey> keys = new TreeMap<>();
        switch (scope) {
            case BROKER -> {
                keys.putAll(AbstractKafkaConfig.CONFIG_DEF.configKeys());
                keys.putAll(DynamicConfig.Broker.configKeys());
            }
            case TOPIC -> keys.putAll(definition(LogConfig.class, "CONFIG").configKeys());
            case GROUP -> keys.putAll(GroupConfig.CONFIG_DEF.configKeys());
            case CLIENT_METRICS ->
                    keys.putAll(definition(ClientMetricsConfigs.class, "CONFIG").configKeys());
        }
        return keys;
    }

    /// Whether Kafka takes `text` as a value of `key`.
    static boolean takes(Scope scope, ConfigDef.ConfigKey key, String text) {
        try {
            if (scope == Scope.CLIENT_METRICS) {
                ClientMetricsConfigs.validate(
                        "subscription", Map.of(key.name, text)); // its limits stand nowhere else
            }
            Object value = ConfigDef.parseType(key.name, text, key.type);
            if (key.validator != null) {
                key.validator.ensureValid(key.name, value);
            }
            return true;
        } catch (ConfigException | InvalidRequestException | InvalidConfigurationException _) {
            return false;
        }
    }

    /// Kafka's default as text; empty when there is none or it is null.
    static Optional<String> defaultOf(ConfigDef.ConfigKey key) {
        return key.defaultValue == null || !key.hasDefault()
                ? Optional.empty()
                : Optional.of(ConfigDef.convertToString(key.defaultValue, key.type));
    }

    /// Texts that find the edges of ranges and forms.
    static List<String> probes(ConfigDef.ConfigKey key) {
        List<String> probes =
                new ArrayList<>(
                        List.of(
                                "", " ", "true", "TRUE", "x", "a,b", "a,a", "a,,b", "*", "1:2",
                                "a:1"));
        for (long edge : List.of(0L, 1L, 9L, 100L, 1000L, 65_536L)) {
            probes.add(Long.toString(edge));
            probes.add(Long.toString(-edge));
        }
        for (long edge :
                List.of((long) Short.MAX_VALUE, (long) Integer.MAX_VALUE, Long.MAX_VALUE)) {
            probes.add(Long.toString(edge));
            probes.add(Long.toString(edge + 1));
            probes.add("0." + edge);
        }
        if (key.validator != null) {
            for (String word : key.validator.toString().split("[\\[\\], ]+", -1)) {
                probes.add(word);
                probes.add(word.toLowerCase(java.util.Locale.ROOT));
                probes.add(word + "," + word);
                if (word.matches("-?[0-9]{1,18}")) {
                    probes.add(Long.toString(Long.parseLong(word) - 1));
                    probes.add(Long.toString(Long.parseLong(word) + 1));
                }
            }
        }
        defaultOf(key).ifPresent(probes::add);
        return probes;
    }

    private static ConfigDef definition(Class<?> owner, String field) {
        try {
            Field definition = owner.getDeclaredField(field);
            definition.setAccessible(true);
            return (ConfigDef) definition.get(null);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(e.getMessage(), e);
        }
    }
}
