package dev.ottla.cli;

import java.io.IOException;
import java.io.Reader;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// What a start may be told. Filled by picocli on the main thread and read there.
///
/// Precedence, strongest first: the named options, `--set`, the file of `--config`.
final class StartOptions {
    private static final String DEFAULT_FILE = "ottla.properties";

    @Option(
            names = "--port",
            paramLabel = "PORT",
            description =
                    "Port for clients on every interface, 0 for any free one. Replaces listeners. Default: 9092.")
    @Nullable Integer port;

    @Option(
            names = "--data-dir",
            paramLabel = "DIR",
            description =
                    "Where everything is stored; created when missing. Default: ./ottla-data.")
    @Nullable Path dataDir;

    @Option(
            names = "--node-id",
            paramLabel = "ID",
            description = "Id of this broker. Default: the one in the data directory, or 1.")
    @Nullable Integer nodeId;

    @Option(
            names = "--advertise",
            paramLabel = "HOST[:PORT]",
            description = "Address that clients are told, for containers and NAT.")
    @Nullable String advertise;

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description =
                    "Properties file with Kafka's keys. Default: ottla.properties in this directory, if there is one.")
    @Nullable Path config;

    @Option(
            names = "--set",
            paramLabel = "KEY=VALUE",
            description =
                    "One configuration key, stronger than the file; may be repeated. Example: --set num.partitions=6")
    List<String> set = new ArrayList<>();

    /// All keys that were given, without defaults.
    Map<String, String> properties() {
        Map<String, String> properties = new LinkedHashMap<>();
        Path file = config == null ? Path.of(DEFAULT_FILE) : config;
        if (config != null || Files.exists(file)) read(file, properties);
        for (String assignment : set) {
            int equals = assignment.indexOf('=');
            if (equals < 1) {
                throw new Refusal(
                        "--set takes KEY=VALUE, for example --set num.partitions=6, and got '"
                                + assignment
                                + "'.");
            }
            properties.put(
                    assignment.substring(0, equals).strip(),
                    assignment.substring(equals + 1).strip());
        }
        if (port != null) properties.put("listeners", "PLAINTEXT://:" + checkedPort(port));
        if (advertise != null) properties.put("advertised.address", advertise);
        if (nodeId != null) properties.put("node.id", Integer.toString(nodeId));
        if (dataDir != null) properties.put("log.dirs", checkedDirectory(dataDir));
        return properties;
    }

    private static int checkedPort(int port) {
        if (port < 0 || port > 65_535) {
            throw new Refusal("--port takes a number from 0 to 65535 and got " + port + ".");
        }
        return port;
    }

    /// An empty name would be the current directory, which is hardly meant.
    private static String checkedDirectory(Path directory) {
        if (directory.toString().isBlank()) {
            throw new Refusal("--data-dir takes the name of a directory and got an empty one.");
        }
        return directory.toAbsolutePath().normalize().toString();
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
