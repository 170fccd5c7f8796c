package dev.ottla.config;

import java.io.IOException;
import java.io.Reader;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.function.Consumer;

/// What a properties file sets: Java's own format, in UTF-8, as Kafka's `server.properties`.
///
/// @param settings by name; of a name that occurs twice, the last
/// @param warnings about the file itself, one sentence each
public record ConfigFile(Map<String, String> settings, List<String> warnings) {
    public ConfigFile {
        settings = Map.copyOf(settings);
        warnings = List.copyOf(warnings);
    }

    /// Reads a file.
    ///
    /// @throws IOException if the file cannot be read
    public static ConfigFile read(Path path) throws IOException {
        try {
            return parse(Files.readString(path, StandardCharsets.UTF_8), path.toString());
        } catch (IllegalArgumentException e) {
            throw new IOException(
                    "%s is not a properties file: %s".formatted(path, e.getMessage()), e);
        }
    }

    /// @param origin named in warnings
    static ConfigFile parse(String text, String origin) {
        Map<String, String> settings = new HashMap<>();
        List<String> warnings = new ArrayList<>();
        Properties collector =
                new Collector(
                        settings,
                        name ->
                                warnings.add(
                                        "%s sets %s more than once; the last value holds."
                                                .formatted(origin, name)));
        // Some editors begin a file with a byte order mark, which is no part of the first name.
        String content = text.startsWith("\uFEFF") ? text.substring(1) : text;
        try (Reader reader = new StringReader(content)) {
            collector.load(reader);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new ConfigFile(settings, warnings);
    }

    /// Takes what the parser of the JDK finds, and sees what a map would hide: a name that comes
    /// again.
    private static final class Collector extends Properties {
        private static final long serialVersionUID = 1L;

        private final transient Map<String, String> settings;
        private final transient Consumer<String> onRepeated;

        Collector(Map<String, String> settings, Consumer<String> onRepeated) {
            this.settings = settings;
            this.onRepeated = onRepeated;
        }

        @Override
        public synchronized Object put(Object name, Object value) {
            if (settings.put(name.toString(), value.toString().strip()) != null) {
                onRepeated.accept(name.toString());
            }
            return value;
        }
    }
}
