package dev.ottla.config;

import com.google.re2j.PatternSyntaxException;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/// Constraints of values that have a form of their own.
final class Formats {
    static final Constraint<List<String>> THROTTLED_REPLICAS =
            new Constraint.Matching<>(
                    "`partition:broker` separated by commas, or `*`", Formats::throttledReplicas);

    static final Constraint<List<String>> QUORUM_VOTERS =
            new Constraint.Matching<>("`id@host:port` separated by commas", Formats::quorumVoters);

    static final Constraint<List<String>> HOST_PORTS =
            new Constraint.Matching<>("`host:port` separated by commas", Formats::hostPorts);

    static final Constraint<String> HOST_MAYBE_PORT =
            new Constraint.Matching<>(
                    "`host`, `host:port` or `[IPv6 address]:port`, and no wildcard such as 0.0.0.0",
                    Formats::hostMaybePort);

    static final Constraint<String> OFFSET_RESET =
            new Constraint.Matching<>(
                    "latest, earliest, or by_duration: followed by an ISO 8601 duration such as PT1H",
                    Formats::offsetReset);

    static final Constraint<List<String>> CLIENT_MATCH =
            new Constraint.Matching<>(
                    "`selector=regular expression` separated by commas, the selector one of client_instance_id, client_id,"
                            + " client_software_name, client_software_version, client_source_address and"
                            + " client_source_port",
                    list -> list.stream().allMatch(Formats::clientMatch));

    private static final Set<String> CLIENT_SELECTORS =
            Set.of(
                    "client_instance_id",
                    "client_id",
                    "client_software_name",
                    "client_software_version",
                    "client_source_address",
                    "client_source_port");

    private static final Pattern REPLICA = Pattern.compile("([0-9]+:[0-9]+)?");
    private static final Pattern HOST_PORT =
            Pattern.compile("(\\[[0-9A-Fa-f:.%]+]|[^\\[\\]:@\\s]+):([0-9]{1,5})");
    private static final Pattern VOTER = Pattern.compile("([0-9]{1,10})@(.+)");

    private Formats() {}

    private static boolean throttledReplicas(List<String> list) {
        return list.equals(List.of("*"))
                || list.stream().allMatch(entry -> REPLICA.matcher(entry).matches());
    }

    private static boolean quorumVoters(List<String> list) {
        return list.stream()
                .allMatch(entry -> {
                    var voter = VOTER.matcher(entry);
                    return voter.matches() && hostPort(voter.group(2));
                });
    }

    private static boolean hostPorts(List<String> list) {
        return list.stream().allMatch(Formats::hostPort)
                && new HashSet<>(list).size() == list.size();
    }

    private static boolean hostPort(String text) {
        var matcher = HOST_PORT.matcher(text);
        return matcher.matches() && Integer.parseInt(matcher.group(2)) <= 65_535;
    }

    private static boolean hostMaybePort(String text) {
        return HostPort.parse(text, 1)
                .filter(address ->
                        !address.host().isEmpty() && !address.isWildcard() && address.port() > 0)
                .isPresent();
    }

    private static boolean offsetReset(String text) {
        if (text.equals("latest") || text.equals("earliest")) {
            return true;
        }
        if (!text.startsWith("by_duration:")) {
            return false;
        }
        try {
            return !Duration.parse(text.substring("by_duration:".length())).isNegative();
        } catch (DateTimeParseException _) {
            return false;
        }
    }

    private static boolean clientMatch(String text) {
        int equals = text.indexOf('=');
        if (equals < 0 || !CLIENT_SELECTORS.contains(text.substring(0, equals))) {
            return false;
        }
        try {
            return !ClientPattern.compile(text.substring(equals + 1)).pattern().isEmpty();
        } catch (PatternSyntaxException _) {
            return false;
        }
    }
}
