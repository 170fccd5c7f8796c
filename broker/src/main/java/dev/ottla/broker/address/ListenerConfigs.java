package dev.ottla.broker.address;

import dev.ottla.config.ConfigException;
import dev.ottla.config.ConfigKey;
import dev.ottla.config.ConfigProblem;
import dev.ottla.config.ConfigValues;
import dev.ottla.config.NetworkKeys;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Reads `listeners`, `advertised.listeners` and `listener.security.protocol.map`. Refuses, with
/// every problem found, what cannot be served: broken addresses, two listeners of one name or port,
/// and TLS or SASL, which this version does not have.
public final class ListenerConfigs {
    private static final Pattern LISTENER = Pattern.compile("([A-Za-z0-9_.-]+)://(.*)");

    private final ConfigValues values;
    private final List<ConfigProblem> problems = new ArrayList<>();

    private ListenerConfigs(ConfigValues values) {
        this.values = values;
    }

    /// At least one listener, in the order of the configuration.
    public static List<ListenerConfig> read(ConfigValues values) {
        return new ListenerConfigs(values).read();
    }

    private List<ListenerConfig> read() {
        Map<String, Endpoint> binds =
                endpoints(NetworkKeys.LISTENERS, values.value(NetworkKeys.LISTENERS));
        Map<String, Endpoint> advertised =
                endpoints(
                        NetworkKeys.ADVERTISED_LISTENERS,
                        values.optional(NetworkKeys.ADVERTISED_LISTENERS).orElse(List.of()));
        Map<String, String> protocols = protocols();
        List<ListenerConfig> listeners = new ArrayList<>();
        binds.forEach((name, bind) -> {
            checkProtocol(name, protocols.get(name));
            listeners.add(
                    new ListenerConfig(name, bind, Optional.ofNullable(advertised.get(name))));
        });
        checkPorts(binds);
        checkAdvertised(binds, advertised);
        if (!problems.isEmpty()) {
            throw new ConfigException(problems);
        }
        return listeners;
    }

    private Map<String, Endpoint> endpoints(ConfigKey<?> key, List<String> entries) {
        Map<String, Endpoint> endpoints = new LinkedHashMap<>();
        for (String entry : entries) {
            Matcher matcher = LISTENER.matcher(entry.strip());
            if (!matcher.matches()) {
                problem(key, entry, "NAME://host:port", "write for example PLAINTEXT://:9092");
                continue;
            }
            String name = matcher.group(1).toUpperCase(Locale.ROOT);
            try {
                if (endpoints.put(name, Endpoint.parse(matcher.group(2), -1)) != null) {
                    problem(key, entry, "each listener name once", "give one of them another name");
                }
            } catch (IllegalArgumentException e) {
                problem(key, entry, "NAME://host:port", String.valueOf(e.getMessage()));
            }
        }
        return endpoints;
    }

    private Map<String, String> protocols() {
        Map<String, String> protocols = new LinkedHashMap<>();
        for (String entry :
                values.value(NetworkKeys.LISTENER_SECURITY_PROTOCOL_MAP).split(",", -1)) {
            int colon = entry.lastIndexOf(':');
            if (colon > 0) {
                protocols.put(
                        entry.substring(0, colon).strip().toUpperCase(Locale.ROOT),
                        entry.substring(colon + 1).strip().toUpperCase(Locale.ROOT));
            } else if (!entry.isBlank()) {
                problem(
                        NetworkKeys.LISTENER_SECURITY_PROTOCOL_MAP,
                        entry,
                        "NAME:PROTOCOL",
                        "write for example INTERNAL:PLAINTEXT");
            }
        }
        return protocols;
    }

    private void checkProtocol(String name, @org.jspecify.annotations.Nullable String protocol) {
        if (protocol == null) {
            problem(
                    NetworkKeys.LISTENER_SECURITY_PROTOCOL_MAP,
                    "",
                    "a security protocol for listener " + name,
                    "add " + name + ":PLAINTEXT");
        } else if (!protocol.equals("PLAINTEXT")) {
            problem(
                    NetworkKeys.LISTENERS,
                    name,
                    "a listener without encryption and login",
                    "this version has no "
                            + protocol
                            + " yet: use PLAINTEXT, or put a TLS proxy in front");
        }
    }

    private void checkPorts(Map<String, Endpoint> binds) {
        Map<Endpoint, String> taken = new LinkedHashMap<>();
        binds.forEach((name, bind) -> {
            String other = bind.port() == 0 ? null : taken.put(bind, name);
            if (other != null) {
                problem(
                        NetworkKeys.LISTENERS,
                        name + "://" + bind,
                        "an address of its own for each listener",
                        other + " listens there too: change one of the ports");
            }
        });
    }

    private void checkAdvertised(Map<String, Endpoint> binds, Map<String, Endpoint> advertised) {
        advertised.forEach((name, endpoint) -> {
            String text = name + "://" + endpoint;
            if (!binds.containsKey(name)) {
                problem(
                        NetworkKeys.ADVERTISED_LISTENERS,
                        text,
                        "names that listeners has too",
                        "add " + name + " to listeners or remove it here");
            }
            if (endpoint.host().equals("0.0.0.0") || endpoint.host().equals("::")) {
                problem(
                        NetworkKeys.ADVERTISED_LISTENERS,
                        text,
                        "an address that clients can connect to",
                        "name the host, or leave the key out");
            }
        });
    }

    private void problem(ConfigKey<?> key, String value, String expectation, String remedy) {
        problems.add(new ConfigProblem(key.name(), value, expectation, remedy));
    }
}
