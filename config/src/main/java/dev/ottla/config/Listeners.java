package dev.ottla.config;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The listeners that the keys `listeners`, `advertised.listeners` and
/// `listener.security.protocol.map` describe together.
///
/// @param all in the order of `listeners`
/// @param problems why the broker cannot start with them; `all` holds what could be read
public record Listeners(List<Listener> all, List<ConfigProblem> problems) {
    private static final Pattern FORM = Pattern.compile("([a-zA-Z0-9_-]+)://(.*)");
    private static final List<String> PROTOCOLS =
            List.of("PLAINTEXT", "SSL", "SASL_PLAINTEXT", "SASL_SSL");

    public Listeners {
        all = List.copyOf(all);
        problems = List.copyOf(problems);
    }

    /// Reads them from a broker's values.
    public static Listeners of(ConfigValues broker) {
        return new Reading(broker).listeners();
    }

    /// Those that clients connect to.
    public List<Listener> forClients() {
        return all.stream().filter(listener -> !listener.controller()).toList();
    }

    /// All, those that clients connect to first.
    public List<Listener> clientsFirst() {
        return all.stream().sorted(Comparator.comparing(Listener::controller)).toList();
    }

    /// One pass over the keys, gathering problems. Used once, by one thread.
    private static final class Reading {
        private final ConfigValues broker;
        private final List<ConfigProblem> problems = new ArrayList<>();

        Reading(ConfigValues broker) {
            this.broker = broker;
        }

        Listeners listeners() {
            Map<String, HostPort> bound =
                    addresses(NetworkKeys.LISTENERS, broker.value(NetworkKeys.LISTENERS));
            Map<String, HostPort> advertised =
                    addresses(
                            NetworkKeys.ADVERTISED_LISTENERS,
                            broker.optional(NetworkKeys.ADVERTISED_LISTENERS).orElse(List.of()));
            Map<String, String> protocols = protocols();
            List<String> controllers =
                    broker.value(QuorumKeys.CONTROLLER_LISTENER_NAMES).stream()
                            .map(Reading::name)
                            .toList();
            List<Listener> all = new ArrayList<>();
            bound.forEach((name, address) -> {
                boolean controller = controllers.contains(name);
                protocol(protocols, name, controller)
                        .ifPresent(protocol ->
                                all.add(
                                        new Listener(
                                                name,
                                                protocol,
                                                address,
                                                Optional.ofNullable(advertised.get(name)),
                                                controller)));
            });
            checkPorts(bound);
            checkAdvertised(bound, advertised);
            // A node that is a controller alone needs no other listeners.
            if (ServerKeys.isBroker(broker)) checkRoles(bound, controllers);
            return new Listeners(all, problems);
        }

        private Map<String, HostPort> addresses(ConfigKey<List<String>> key, List<String> entries) {
            Map<String, HostPort> addresses = new LinkedHashMap<>();
            for (String entry : entries) {
                Matcher matcher = FORM.matcher(entry);
                Optional<HostPort> address =
                        matcher.matches() ? HostPort.parse(matcher.group(2)) : Optional.empty();
                if (address.isEmpty()) {
                    problem(
                            key,
                            entry,
                            "NAME://host:port with a port from 0 to 65535",
                            "write for example PLAINTEXT://localhost:9092");
                } else if (addresses.put(name(matcher.group(1)), address.get()) != null) {
                    problem(
                            key,
                            entry,
                            "every listener name once",
                            "give the listeners different names");
                }
            }
            return addresses;
        }

        private Map<String, String> protocols() {
            Map<String, String> protocols = new LinkedHashMap<>();
            String map = broker.value(NetworkKeys.LISTENER_SECURITY_PROTOCOL_MAP);
            for (String entry : ConfigType.LIST.parse(map).orElse(List.of())) {
                int colon = entry.lastIndexOf(':');
                String protocol =
                        colon < 0
                                ? ""
                                : entry.substring(colon + 1).strip().toUpperCase(Locale.ROOT);
                if (!PROTOCOLS.contains(protocol)) {
                    problem(
                            NetworkKeys.LISTENER_SECURITY_PROTOCOL_MAP,
                            entry,
                            "NAME:PROTOCOL, the protocol one of " + String.join(", ", PROTOCOLS),
                            "write for example CLIENTS:PLAINTEXT");
                } else if (protocols.put(name(entry.substring(0, colon)), protocol) != null) {
                    problem(
                            NetworkKeys.LISTENER_SECURITY_PROTOCOL_MAP,
                            entry,
                            "every listener name once",
                            "name each listener's protocol once");
                }
            }
            return protocols;
        }

        private Optional<String> protocol(
                Map<String, String> protocols, String name, boolean controller) {
            boolean mapped = broker.isSet(NetworkKeys.LISTENER_SECURITY_PROTOCOL_MAP);
            String protocol =
                    protocols.getOrDefault(name, controller && !mapped ? "PLAINTEXT" : "");
            if (protocol.isEmpty()) {
                problem(
                        NetworkKeys.LISTENERS,
                        name,
                        "a listener whose protocol is known",
                        "add %s:PLAINTEXT to listener.security.protocol.map".formatted(name));
                return Optional.empty();
            }
            if (!controller && !protocol.equals("PLAINTEXT")) {
                problem(
                        NetworkKeys.LISTENERS,
                        name + "://",
                        "a listener without encryption and login, for %s is not built yet"
                                .formatted(protocol),
                        "use PLAINTEXT within a network you trust");
            }
            return Optional.of(protocol);
        }

        private void checkPorts(Map<String, HostPort> bound) {
            List<HostPort> seen = new ArrayList<>();
            for (HostPort address : bound.values()) {
                for (HostPort other : seen) {
                    boolean oneOfEachKind =
                            address.ipv6() != other.ipv6()
                                    && !address.host().isEmpty()
                                    && !other.host().isEmpty();
                    if (address.port() != 0 && address.port() == other.port() && !oneOfEachKind) {
                        problem(
                                NetworkKeys.LISTENERS,
                                address.toString(),
                                "every port once, or once for IPv4 and once for IPv6",
                                "give the listeners different ports");
                    }
                }
                seen.add(address);
            }
        }

        private void checkAdvertised(
                Map<String, HostPort> bound, Map<String, HostPort> advertised) {
            advertised.forEach((name, address) -> {
                if (!bound.containsKey(name)) {
                    problem(
                            NetworkKeys.ADVERTISED_LISTENERS,
                            name,
                            "names that listeners has: " + String.join(", ", bound.keySet()),
                            "add the listener or drop it here");
                }
                if (address.isWildcard()) {
                    problem(
                            NetworkKeys.ADVERTISED_LISTENERS,
                            name + "://" + address,
                            "an address that clients can connect to",
                            "name a host, or leave the listener out so that clients are told the address they came by");
                }
            });
        }

        private void checkRoles(Map<String, HostPort> bound, List<String> controllers) {
            if (controllers.containsAll(bound.keySet()) && !bound.isEmpty()) {
                problem(
                        NetworkKeys.LISTENERS,
                        String.join(", ", bound.keySet()),
                        "at least one listener for clients besides those of controller.listener.names",
                        "add for example PLAINTEXT://:9092");
            }
            broker.optional(NetworkKeys.INTER_BROKER_LISTENER_NAME)
                    .map(Reading::name)
                    .filter(name -> !bound.containsKey(name) || controllers.contains(name))
                    .ifPresent(name ->
                            problem(
                                    NetworkKeys.INTER_BROKER_LISTENER_NAME,
                                    name,
                                    "a listener for clients: " + String.join(", ", bound.keySet()),
                                    "name one of them"));
        }

        private void problem(ConfigKey<?> key, String value, String expectation, String remedy) {
            problems.add(new ConfigProblem(key.name(), value, expectation, remedy));
        }

        private static String name(String text) {
            return text.strip().toUpperCase(Locale.ROOT);
        }
    }
}
