package dev.ottla.config;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/// Sentences for the log on settings that are taken and yet do nothing: unknown names, keys of
/// older Kafkas, keys without effect here and keys of features to come.
public final class ConfigNotes {
    /// Broker keys that Kafka itself no longer has.
    private static final Set<String> RETIRED =
            Set.of(
                    "advertised.host.name",
                    "advertised.port",
                    "auto.include.jmx.reporter",
                    "broker.id.generation.enable",
                    "control.plane.listener.name",
                    "controlled.shutdown.max.retries",
                    "controlled.shutdown.retry.backoff.ms",
                    "delegation.token.master.key",
                    "host.name",
                    "inter.broker.protocol.version",
                    "leader.imbalance.per.broker.percentage",
                    "log.message.downconversion.enable",
                    "log.message.format.version",
                    "log.message.timestamp.difference.max.ms",
                    "offsets.commit.required.acks",
                    "port",
                    "reserved.broker.max.id");

    private ConfigNotes() {}

    /// Notes on what is set on a resource of that scope, in the order of the names.
    public static List<String> on(Scope scope, Map<String, String> settings) {
        return new TreeMap<>(settings)
                .entrySet().stream()
                        .map(set -> note(scope, set.getKey(), set.getValue()))
                        .flatMap(Optional::stream)
                        .toList();
    }

    private static Optional<String> note(Scope scope, String name, String value) {
        ConfigTable table = ConfigTable.table();
        Optional<ConfigKey<?>> key =
                scope == Scope.BROKER ? table.findForListener(name) : table.find(scope, name);
        if (key.isEmpty()) {
            boolean retired =
                    RETIRED.contains(name)
                            || name.startsWith("zookeeper.")
                            || name.startsWith("password.encoder.");
            return Optional.of(
                    retired && scope == Scope.BROKER
                            ? "%s is ignored: Kafka 4 no longer has it.".formatted(name)
                            : table.unknownKey(scope, name));
        }
        // Who sets what holds anyway misses nothing.
        if (key.get().isDefault(value)) return Optional.empty();
        return key.get().standing().note().map(note -> "%s %s.".formatted(name, note));
    }
}
