package dev.ottla.metadata.controller;

import dev.ottla.metadata.BrokerEndpoint;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Whether others can use the addresses that a broker registers, as far as these tell. One that
/// nobody can reach would be given to clients and counted on all the same.
final class Endpoints {
    private static final Set<String> EVERYWHERE =
            Set.of("0.0.0.0", "::", "[::]", "0:0:0:0:0:0:0:0", "[0:0:0:0:0:0:0:0]");

    private Endpoints() {}

    /// What is wrong with them, in words that follow on the broker's name; empty when nothing is.
    static Optional<String> problem(List<BrokerEndpoint> endpoints) {
        if (endpoints.isEmpty()) {
            return Optional.of("registers without a listener: it needs one at least");
        }
        Set<String> names = new HashSet<>();
        for (BrokerEndpoint endpoint : endpoints) {
            Optional<String> problem = problem(endpoint);
            if (problem.isPresent()) return problem;
            if (!names.add(endpoint.listener())) {
                return Optional.of(
                        "registers the listener %s twice: each needs a name of its own"
                                .formatted(endpoint.listener()));
            }
        }
        return Optional.empty();
    }

    private static Optional<String> problem(BrokerEndpoint endpoint) {
        String listener = endpoint.listener();
        String host = endpoint.host();
        if (listener.isBlank()) {
            return Optional.of("registers a listener without a name: give it one");
        }
        if (host.isEmpty() || host.chars().anyMatch(c -> c <= ' ' || c == 0x7f)) {
            return Optional.of(
                    "registers the host '%s' for listener %s, which is no host: advertise a name or an address that others reach it at"
                            .formatted(host, listener));
        }
        if (EVERYWHERE.contains(host)) {
            return Optional.of(
                    "registers %s for listener %s, which stands for all addresses: advertise one that others reach it at"
                            .formatted(host, listener));
        }
        if (endpoint.port() == 0) {
            return Optional.of(
                    "registers port 0 for listener %s: advertise the port that others reach it at"
                            .formatted(listener));
        }
        return Optional.empty();
    }
}
