package dev.ottla.wire;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;

/// The message definitions in Kafka's jars, found through one class of each jar.
final class KafkaDefinitions {
    private static final String[] CLASSES = {
        "org.apache.kafka.common.protocol.ApiKeys",
        "org.apache.kafka.common.metadata.TopicRecord",
        "org.apache.kafka.coordinator.group.generated.OffsetCommitKey",
        "org.apache.kafka.coordinator.transaction.generated.TransactionLogKey",
        "org.apache.kafka.coordinator.share.generated.ShareSnapshotKey",
        "org.apache.kafka.server.log.remote.metadata.storage.generated.ProducerSnapshot",
    };

    private KafkaDefinitions() {}

    /// A definition; its versions are -1 when none is valid any more.
    record Entry(String name, String packageName, short lowest, short highest) {
        boolean isValid() {
            return highest >= 0;
        }

        Class<?> ours() throws ClassNotFoundException {
            return Class.forName("dev.ottla.wire.message." + name);
        }

        /// Kafka's class: requests, responses and headers end in `Data`.
        Class<?> theirs() throws ClassNotFoundException {
            try {
                return Class.forName(packageName + "." + name + "Data");
            } catch (ClassNotFoundException e) {
                return Class.forName(packageName + "." + name);
            }
        }

        @Override
        public String toString() {
            return name;
        }
    }

    static List<Entry> all() {
        List<Entry> entries = new ArrayList<>();
        for (String name : CLASSES) entries.addAll(ofJar(name));
        return entries;
    }

    private static List<Entry> ofJar(String className) {
        ObjectMapper mapper = new ObjectMapper().enable(JsonParser.Feature.ALLOW_COMMENTS);
        try {
            Class<?> type = Class.forName(className);
            Path path = Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
            try (JarFile jar = new JarFile(path.toFile())) {
                List<Entry> entries = new ArrayList<>();
                for (JarEntry file : jar.stream().toList()) {
                    if (!file.getName().matches("(common/)?(message|metadata)/\\w+\\.json")) {
                        continue;
                    }
                    JsonNode json = mapper.readTree(jar.getInputStream(file));
                    String packageName =
                            className.startsWith("org.apache.kafka.common.protocol")
                                    ? "org.apache.kafka.common.message"
                                    : type.getPackageName();
                    entries.add(entry(packageName, json));
                }
                return entries;
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (ClassNotFoundException | URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Entry entry(String packageName, JsonNode json) {
        String name = json.get("name").asText();
        String[] versions = json.get("validVersions").asText().split("-", -1);
        if (versions[0].equals("none")) return new Entry(name, packageName, (short) -1, (short) -1);
        short lowest = Short.parseShort(versions[0]);
        return new Entry(
                name, packageName, lowest, Short.parseShort(versions[versions.length - 1]));
    }
}
