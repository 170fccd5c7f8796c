package dev.ottla.cli;

import static dev.ottla.commandline.CommandLines.valued;

import dev.ottla.commandline.CommandLines;
import dev.ottla.commandline.HelpPage;
import dev.ottla.commandline.UsageException;
import dev.ottla.config.ConfigKey;
import dev.ottla.config.ConfigProblem;
import dev.ottla.config.HostPort;
import dev.ottla.config.NetworkKeys;
import dev.ottla.config.QuorumKeys;
import dev.ottla.config.ServerKeys;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Properties;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.Option;

/// What a start may be told. Immutable.
///
/// Precedence, strongest first: the named options, `--set`, the file of `--config`.
final class StartOptions {
    private static final String HELP =
            """
            Usage: ./ottla start [OPTIONS]
            Runs a broker. Nothing needs to be configured or formatted first.
            OPTIONS

            Every configuration key is described in docs/reference/config.md.
            Ctrl-C or SIGTERM stops the broker cleanly.
            """;
    private static final int DEFAULT_PORT = 9092;
    private static final String DEFAULT_FILE = "ottla.properties";
    private static final String LISTENERS = NetworkKeys.LISTENERS.name();
    private static final List<String> DIRECTORY_KEYS = List.of("log.dirs", "log.dir");

    private static final Option PORT =
            valued(
                    "port",
                    "PORT",
                    "port for clients on every interface, 0 for any free one; in place of listeners (default: 9092)");
    private static final Option DATA_DIR =
            valued(
                    "data-dir",
                    "DIR",
                    "where everything is stored; created when missing (default: ./ottla-data); in place of log.dirs");
    private static final Option NODE_ID =
            valued(
                    "node-id",
                    "ID",
                    "id of this broker (default: the one in the data directory, or 1)");
    private static final Option JOIN =
            valued(
                    "join",
                    "HOST[:PORT]",
                    "a node of the cluster to join, or several separated by commas; needs --node-id at the first start (default: this node is a cluster of its own)");
    private static final Option ROLE =
            valued(
                    "role",
                    "voter|observer|auto",
                    "whether this node votes on the metadata; auto: the second together with the third (default: auto)");
    private static final Option ADVERTISE =
            valued(
                    "advertise",
                    "HOST[:PORT]",
                    "address that clients are told, for containers and NAT");
    private static final Option CONFIG =
            valued(
                    "config",
                    "FILE",
                    "properties file with Kafka's keys (default: ottla.properties in this directory, if there is one)");
    private static final Option SET =
            valued(
                    "set",
                    "KEY=VALUE",
                    "one configuration key, stronger than the file; may be repeated, for example --set num.partitions=6");

    /// In the order in which the help tells them.
    static final List<Option> ALL =
            List.of(PORT, DATA_DIR, NODE_ID, JOIN, ROLE, ADVERTISE, CONFIG, SET);

    private final CommandLine commandLine;

    private StartOptions(CommandLine commandLine) {
        this.commandLine = commandLine;
    }

    /// Throws as [CommandLines#read] does when the words cannot be understood.
    static StartOptions parse(List<String> words) {
        return new StartOptions(CommandLines.read(ALL, List.of(SET), words));
    }

    static String help() {
        List<Option> shown = new ArrayList<>(ALL);
        shown.add(Option.builder("h").longOpt("help").desc("print this help").get());
        shown.add(Option.builder("V").longOpt("version").desc("print which Ottla this is").get());
        return HelpPage.of(HELP, shown);
    }

    /// All keys that were given, without defaults. Throws [UsageException] when an option cannot be
    /// meant, [Refusal] when the file cannot be read.
    Map<String, String> properties() {
        Map<String, String> properties = new LinkedHashMap<>();
        Optional<Path> config = value(CONFIG).map(file -> path(CONFIG, file));
        Path file = config.orElse(Path.of(DEFAULT_FILE));
        if (config.isPresent() || Files.exists(file)) read(file, properties);
        Map<String, String> assigned = assigned();
        value(PORT).ifPresent(port -> putPort(checkedPort(port), file, properties, assigned));
        properties.putAll(assigned);
        Named named = new Named(properties, assigned);
        named.put(ADVERTISE, NetworkKeys.ADVERTISED_ADDRESS, value(ADVERTISE));
        named.put(
                JOIN,
                QuorumKeys.CONTROLLER_QUORUM_BOOTSTRAP_SERVERS,
                value(JOIN).map(StartOptions::checkedNodes));
        named.put(ROLE, QuorumKeys.QUORUM_ROLE, value(ROLE));
        named.put(NODE_ID, ServerKeys.NODE_ID, value(NODE_ID).map(String::strip));
        value(DATA_DIR).ifPresent(dir -> putDirectory(checkedDirectory(dir), properties));
        return properties;
    }

    /// What `--set` says.
    private Map<String, String> assigned() {
        Map<String, String> assigned = new LinkedHashMap<>();
        for (String assignment : values(SET)) {
            int equals = assignment.indexOf('=');
            if (equals < 1) {
                throw new UsageException(
                        "--set takes KEY=VALUE, for example --set num.partitions=6, and got '"
                                + assignment
                                + "'.");
            }
            assigned.put(
                    assignment.substring(0, equals).strip(),
                    assignment.substring(equals + 1).strip());
        }
        return assigned;
    }

    /// Options with names of their own, each for one key.
    private record Named(Map<String, String> properties, Map<String, String> assigned) {
        void put(Option option, ConfigKey<?> key, Optional<String> value) {
            value.ifPresent(given -> put(option.getLongOpt(), key, given));
        }

        private void put(String option, ConfigKey<?> key, String value) {
            Optional<ConfigProblem> problem = key.check(value);
            if (problem.isPresent()) {
                throw new UsageException(
                        "--%s (%s) takes %s, and got '%s'."
                                .formatted(option, key.name(), problem.get().expectation(), value));
            }
            String other = assigned.get(key.name());
            if (other != null && !other.equals(value)) {
                throw new UsageException(
                        "--%s says %s, and --set %s=%s: give one of the two."
                                .formatted(option, value, key.name(), other));
            }
            properties.put(key.name(), value);
        }
    }

    /// Listeners say more than a port, so they are not replaced by one.
    private static void putPort(
            String port, Path file, Map<String, String> properties, Map<String, String> assigned) {
        String listeners = "PLAINTEXT://:" + port;
        String given = assigned.getOrDefault(LISTENERS, properties.get(LISTENERS));
        if (given != null && !given.equals(listeners)) {
            throw new UsageException(
                    "--port %s and listeners = %s (%s) both say where to listen: give one of the two."
                            .formatted(
                                    port,
                                    given,
                                    assigned.containsKey(LISTENERS) ? "--set" : "in " + file));
        }
        properties.put(LISTENERS, listeners);
    }

    /// Who says twice where the data is may have it in both places.
    private static void putDirectory(String directory, Map<String, String> properties) {
        for (String key : DIRECTORY_KEYS) {
            String other = properties.get(key);
            if (other != null && !other.equals(directory)) {
                throw new UsageException(
                        "--data-dir says that the data is in %s, and %s says %s: give one of the two."
                                .formatted(directory, key, other));
            }
        }
        properties.put("log.dirs", directory);
    }

    private Optional<String> value(Option option) {
        return values(option).stream().findFirst();
    }

    private List<String> values(Option option) {
        return commandLine.hasOption(option)
                ? List.of(commandLine.getOptionValues(option))
                : List.of();
    }

    private static String checkedPort(String port) {
        OptionalInt number = number(port);
        if (number.isEmpty() || number.getAsInt() < 0 || number.getAsInt() > 65_535) {
            throw new UsageException("--port takes a number from 0 to 65535 and got " + port + ".");
        }
        return Integer.toString(number.getAsInt());
    }

    private static String checkedNodes(String nodes) {
        List<String> checked = new ArrayList<>();
        for (String node : nodes.split(",", -1)) {
            Optional<HostPort> parsed = HostPort.parse(node.strip(), DEFAULT_PORT);
            if (parsed.isEmpty() || parsed.get().host().isEmpty()) {
                throw new UsageException(
                        "--join takes HOST:PORT of a node of the cluster, or several separated by commas, and got '"
                                + nodes
                                + "'.");
            }
            checked.add(parsed.get().toString());
        }
        return String.join(",", checked);
    }

    private static OptionalInt number(String text) {
        try {
            return OptionalInt.of(Integer.parseInt(text.strip()));
        } catch (NumberFormatException _) {
            return OptionalInt.empty();
        }
    }

    /// An empty name would be the current directory, which is hardly meant.
    private static String checkedDirectory(String directory) {
        if (directory.isBlank()) {
            throw new UsageException(
                    "--data-dir takes the name of a directory and got an empty one.");
        }
        return path(DATA_DIR, directory).toAbsolutePath().normalize().toString();
    }

    private static Path path(Option option, String name) {
        try {
            return Path.of(name);
        } catch (InvalidPathException e) {
            throw new UsageException(
                    "--%s takes the name of a file or directory and got '%s': %s."
                            .formatted(option.getLongOpt(), name, e.getReason()));
        }
    }

    private static String reason(Path file, Exception e) {
        if (Files.isDirectory(file)) return "it is a directory";
        return switch (e) {
            case NoSuchFileException _ -> "there is none";
            case AccessDeniedException _ -> "this user may not read it";
            case CharacterCodingException _ -> "it is not UTF-8 text";
            default -> String.valueOf(e.getMessage());
        };
    }

    private static void read(Path file, Map<String, String> properties) {
        Properties loaded = new Properties();
        try (Reader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
            loaded.load(reader);
        } catch (IOException | IllegalArgumentException e) {
            throw new Refusal(
                    "the configuration file "
                            + file.toAbsolutePath()
                            + " cannot be read ("
                            + reason(file, e)
                            + "). Give the path of a readable properties file.");
        }
        loaded.stringPropertyNames().stream()
                .sorted()
                .forEach(key -> properties.put(key, loaded.getProperty(key).strip()));
    }
}
