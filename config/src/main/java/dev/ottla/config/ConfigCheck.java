package dev.ottla.config;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Judges settings before they are taken: names, values, whether they can change at run time, and
/// what must hold between keys. An empty list means that all is well. Immutable.
///
/// Unknown broker keys are no problem here, as in Kafka; [ConfigNotes] warns of them.
public final class ConfigCheck {
    private final ConfigTable table = ConfigTable.table();
    private final ConfigResolver current;

    /// Judges changes of what is in force.
    ///
    /// @param current what is in force before the change
    public ConfigCheck(ConfigResolver current) {
        this.current = current;
    }

    /// Everything that keeps a broker from starting with the current settings.
    public List<ConfigProblem> broker() {
        return brokerProblems(current);
    }

    /// A change at run time of this broker alone.
    ///
    /// @param settings all that would then be set so
    public List<ConfigProblem> forBroker(Map<String, String> settings) {
        return dynamic(settings, true, current.layers().withForBroker(settings));
    }

    /// A change at run time of all brokers.
    ///
    /// @param settings all that would then be set so
    public List<ConfigProblem> forCluster(Map<String, String> settings) {
        return dynamic(settings, false, current.layers().withForCluster(settings));
    }

    /// A new topic, or a change of one.
    ///
    /// @param overrides all that the topic would set itself
    public List<ConfigProblem> topic(Map<String, String> overrides, int replicationFactor) {
        List<ConfigProblem> problems = each(Scope.TOPIC, overrides);
        return problems.isEmpty()
                ? TopicRules.check(current.topic(overrides, replicationFactor), current.broker())
                : problems;
    }

    /// A change of one group.
    ///
    /// @param overrides all that the group would set itself
    public List<ConfigProblem> group(Map<String, String> overrides) {
        List<ConfigProblem> problems = each(Scope.GROUP, overrides);
        return problems.isEmpty()
                ? GroupRules.check(current.groupAsSet(overrides), current.broker())
                : problems;
    }

    /// A change of one subscription to client metrics.
    ///
    /// @param overrides all that the subscription would set itself
    public List<ConfigProblem> clientMetrics(Map<String, String> overrides) {
        return each(Scope.CLIENT_METRICS, overrides);
    }

    private List<ConfigProblem> dynamic(
            Map<String, String> settings, boolean oneBroker, BrokerLayers layers) {
        List<ConfigProblem> problems = new ArrayList<>();
        settings.forEach((name, text) ->
                table.findForListener(name)
                        .ifPresent(key -> {
                            notChangeable(key, name, text, oneBroker).ifPresent(problems::add);
                            key.check(text).ifPresent(problem -> problems.add(problem.of(name)));
                        }));
        if (!problems.isEmpty()) {
            return problems;
        }
        problems.addAll(brokerProblems(new ConfigResolver(layers, current.surroundings())));
        problems.removeAll(new HashSet<>(brokerProblems(current))); // not the fault of this change
        return problems;
    }

    private static Optional<ConfigProblem> notChangeable(
            ConfigKey<?> key, String name, String text, boolean oneBroker) {
        String value = key.sensitive() ? "[hidden]" : text;
        return switch (key.dynamicMode()) {
            case CLUSTER_WIDE -> Optional.empty();
            case PER_BROKER ->
                    oneBroker
                            ? Optional.empty()
                            : Optional.of(
                                    new ConfigProblem(
                                            name,
                                            value,
                                            "a change of one broker",
                                            "name the broker that it is meant for"));
            case READ_ONLY ->
                    Optional.of(
                            new ConfigProblem(
                                    name,
                                    value,
                                    "no change while the broker runs",
                                    "set it in the file and restart"));
        };
    }

    private static List<ConfigProblem> brokerProblems(ConfigResolver resolver) {
        List<ConfigProblem> problems = new ArrayList<>(resolver.problems());
        problems.addAll(listenerProblems(resolver));
        problems.addAll(Listeners.of(resolver.broker()).problems());
        problems.addAll(BrokerRules.check(resolver.broker()));
        return problems;
    }

    /// Bad values under a prefix `listener.name.NAME.`; the resolver looks at these only when asked
    /// for the listener.
    private static List<ConfigProblem> listenerProblems(ConfigResolver resolver) {
        List<ConfigProblem> problems = new ArrayList<>();
        resolver.layers()
                .descending()
                .forEach(layer ->
                        layer.settings()
                                .forEach((name, text) -> {
                                    if (name.startsWith(ConfigTable.LISTENER_PREFIX)) {
                                        ConfigTable.table()
                                                .findForListener(name)
                                                .flatMap(key -> key.check(text))
                                                .ifPresent(
                                                        problem -> problems.add(problem.of(name)));
                                    }
                                }));
        return problems;
    }

    private List<ConfigProblem> each(Scope scope, Map<String, String> overrides) {
        return overrides.entrySet().stream()
                .map(setting -> table.check(scope, setting.getKey(), setting.getValue()))
                .flatMap(Optional::stream)
                .toList();
    }
}
