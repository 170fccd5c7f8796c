package dev.ottla.cli;

import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
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
            description = "Port for clients, 0 for any free one. Default: 9092.")
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
                    "Properties file with Kafka's keys. Default: ottla.properties, when it exists.")
    @Nullable Path config;

    @Option(
            names = "--set",
            paramLabel = "KEY=VALUE",
            description = "One configuration key; may be repeated.")
    Map<String, String> set = new LinkedHashMap<>();

    /// All keys that were given, without defaults.
    Map<String, String> properties() {
        Map<String, String> properties = new LinkedHashMap<>();
        Path file = config == null ? Path.of(DEFAULT_FILE) : config;
        if (config != null || Files.exists(file)) read(file, properties);
        properties.putAll(set);
        if (port != null) properties.put("listeners", "PLAINTEXT://:" + port);
        if (advertise != null) properties.put("advertised.address", advertise);
        if (nodeId != null) properties.put("node.id", Integer.toString(nodeId));
        if (dataDir != null)
            properties.put("log.dirs", dataDir.toAbsolutePath().normalize().toString());
        return properties;
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
                            + e.getClass().getSimpleName()
                            + "). Give the path of a readable properties file.");
        }
        loaded.stringPropertyNames().stream()
                .sorted()
                .forEach(key -> properties.put(key, loaded.getProperty(key).strip()));
    }
}
