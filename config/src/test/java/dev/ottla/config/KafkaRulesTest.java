package dev.ottla.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Random;
import java.util.Set;
import kafka.server.KafkaConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.coordinator.group.GroupConfig;
import org.apache.kafka.coordinator.group.GroupCoordinatorConfig;
import org.apache.kafka.coordinator.group.modern.share.ShareGroupConfig;
import org.apache.kafka.storage.internals.log.LogConfig;
import org.junit.jupiter.api.Test;

/// What is refused because of another key, against Kafka's own checks, over random settings.
class KafkaRulesTest {
    private static final Map<String, String> NODE =
            Map.of(
                    "process.roles", "broker,controller",
                    "node.id", "1",
                    "controller.listener.names", "CONTROLLER",
                    "listeners", "PLAINTEXT://:9092,CONTROLLER://:9093",
                    "controller.quorum.voters", "1@localhost:9093",
                    "log.dirs", "/tmp/a,/tmp/b");

    /// Keys that a test node must have so, and keys that Kafka does not look at in a file.
    private static final Set<String> UNCOMPARED =
            Set.of(
                    "node.id",
                    "broker.id",
                    "log.local.retention.bytes",
                    "log.local.retention.ms",
                    "leader.replication.throttled.rate",
                    "follower.replication.throttled.rate",
                    "replica.alter.log.dirs.io.max.bytes.per.second");

    private static final int ROUNDS = Boolean.getBoolean("ottla.long") ? 1_000_000 : 1000;

    private final long seed = seed();
    private final Random random = new Random(seed);
    private final ConfigTable table = ConfigTable.table();

    @Test
    void brokerSettingsAreRefusedThatKafkaRefuses() {
        List<ConfigKey<?>> keys =
                table.keys(Scope.BROKER).stream()
                        .filter(key ->
                                !key.own()
                                        && isNumberOrFlag(key)
                                        && !UNCOMPARED.contains(key.name()))
                        .toList();
        List<String> differences = new ArrayList<>();

        for (int i = 0; i < ROUNDS; i++) {
            Map<String, String> settings = some(keys);
            Map<String, String> file = new HashMap<>(NODE);
            file.putAll(settings);
            List<ConfigProblem> problems =
                    new ConfigCheck(
                                    new ConfigResolver(
                                            BrokerLayers.of(file), Surroundings.of(1, 2)))
                            .broker();
            compare(problems, kafkaRefuses(file), settings, differences);
        }

        assertThat(differences).as("seed %d", seed).isEmpty();
    }

    @Test
    void listenersAreRefusedThatKafkaRefuses() {
        List<String> differences = new ArrayList<>();

        for (Map<String, String> settings : listenerCases()) {
            Map<String, String> file = new HashMap<>(NODE);
            file.putAll(settings);
            List<ConfigProblem> problems =
                    new ConfigCheck(
                                    new ConfigResolver(
                                            BrokerLayers.of(file), Surroundings.of(1, 2)))
                            .broker();
            compare(problems, kafkaRefuses(file), settings, differences);
        }

        assertThat(differences).isEmpty();
    }

    @Test
    void topicSettingsAreRefusedThatKafkaRefuses() {
        List<ConfigKey<?>> keys =
                table.keys(Scope.TOPIC).stream()
                        .filter(key -> !key.own() && isNumberOrFlag(key))
                        .toList();
        Map<String, Object> kafkaDefaults = kafka(NODE).extractLogConfigMap();
        List<String> differences = new ArrayList<>();

        for (int i = 0; i < ROUNDS; i++) {
            boolean tiered = random.nextBoolean();
            Map<String, String> settings = some(keys);
            if (tiered) {
                settings.put("remote.storage.enable", "true");
            }
            ConfigResolver resolver =
                    new ConfigResolver(
                            BrokerLayers.of(
                                    Map.of(
                                            "remote.log.storage.system.enable",
                                            Boolean.toString(tiered))),
                            Surroundings.of(1, 2));
            compare(
                    new ConfigCheck(resolver).topic(settings, 1),
                    refuses(() -> LogConfig.validate(Map.of(), settings, kafkaDefaults, tiered)),
                    settings,
                    differences);
        }

        assertThat(differences).as("seed %d", seed).isEmpty();
    }

    @Test
    void groupSettingsAreRefusedThatKafkaRefuses() {
        KafkaConfig kafka = kafka(NODE);
        List<ConfigKey<?>> keys =
                table.keys(Scope.GROUP).stream().filter(KafkaRulesTest::isNumberOrFlag).toList();
        ConfigCheck check =
                new ConfigCheck(new ConfigResolver(BrokerLayers.of(NODE), Surroundings.of(1, 2)));
        List<String> differences = new ArrayList<>();

        for (int i = 0; i < ROUNDS; i++) {
            Map<String, String> settings = some(keys);
            boolean refused =
                    refuses(() ->
                            GroupConfig.validate(
                                    settings,
                                    new GroupCoordinatorConfig(kafka),
                                    new ShareGroupConfig(kafka)));
            compare(check.group(settings), refused, settings, differences);
        }

        assertThat(differences).as("seed %d", seed).isEmpty();
    }

    private static List<Map<String, String>> listenerCases() {
        String two = "PLAINTEXT://:9092,CONTROLLER://:9093";
        return List.of(
                Map.of(),
                Map.of("listeners", "CONTROLLER://:9093"),
                Map.of("listeners", "PLAINTEXT://:9092,CONTROLLER://:9092"),
                Map.of("listeners", "PLAINTEXT://127.0.0.1:9092,CONTROLLER://[::1]:9092"),
                Map.of("listeners", "PLAINTEXT://127.0.0.1:9092,CONTROLLER://127.0.0.2:9092"),
                Map.of("listeners", "PLAINTEXT://:0,CONTROLLER://:0"),
                Map.of("listeners", "plaintext://:9092,CONTROLLER://:9093"),
                Map.of("listeners", "PLAINTEXT://:9092,PLAINTEXT://:9094,CONTROLLER://:9093"),
                Map.of("listeners", "PLAINTEXT://:x,CONTROLLER://:9093"),
                Map.of("listeners", "PLAINTEXT:9092,CONTROLLER://:9093"),
                Map.of("listeners", "OTHER://:9092,CONTROLLER://:9093"),
                Map.of("listeners", two, "advertised.listeners", "PLAINTEXT://0.0.0.0:9092"),
                Map.of("listeners", two, "advertised.listeners", "PLAINTEXT://host:9092"),
                Map.of("listeners", two, "advertised.listeners", "OTHER://host:9092"),
                Map.of("listeners", two, "inter.broker.listener.name", "PLAINTEXT"),
                Map.of("listeners", two, "inter.broker.listener.name", "CONTROLLER"),
                Map.of("listeners", two, "inter.broker.listener.name", "NONE"),
                Map.of("listeners", two, "listener.security.protocol.map", "PLAINTEXT:PLAINTEXT"),
                Map.of(
                        "listeners",
                        two,
                        "listener.security.protocol.map",
                        "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT"),
                Map.of(
                        "listeners",
                        two,
                        "listener.security.protocol.map",
                        "PLAINTEXT:NONE,CONTROLLER:PLAINTEXT"),
                Map.of("max.connections.per.ip", "0"),
                Map.of(
                        "max.connections.per.ip",
                        "0",
                        "max.connections.per.ip.overrides",
                        "127.0.0.1:3"),
                Map.of("max.connections.per.ip.overrides", "127.0.0.1"),
                Map.of("cordoned.log.dirs", "*"),
                Map.of("cordoned.log.dirs", "*,/tmp/a"),
                Map.of("cordoned.log.dirs", "/tmp/a"),
                Map.of("cordoned.log.dirs", "/tmp/c"),
                Map.of(
                        "inter.broker.listener.name",
                        "PLAINTEXT",
                        "security.inter.broker.protocol",
                        "PLAINTEXT"),
                Map.of("group.coordinator.rebalance.protocols", "consumer"),
                Map.of("broker.id", "2"),
                Map.of("broker.id", "1"));
    }

    private Map<String, String> some(List<ConfigKey<?>> keys) {
        Map<String, String> settings = new HashMap<>();
        for (int n = random.nextInt(1, 4); n > 0; n--) {
            ConfigKey<?> key = keys.get(random.nextInt(keys.size()));
            settings.put(key.name(), value(key));
        }
        return settings;
    }

    private <T> String value(ConfigKey<T> key) {
        if (key.type() == ConfigType.BOOLEAN) {
            return Boolean.toString(random.nextBoolean());
        }
        double now =
                key.defaultIn(Surroundings.of(1, 2))
                        .map(Number.class::cast)
                        .map(Number::doubleValue)
                        .orElse(1000.0);
        long near = Math.round(Math.min(now, 1e15));
        long[] choices = {
            -2, -1, 0, 1, 2, 100, near - 1, near + 1, near / 2, near * 2, near / 10, near * 10
        };
        return Long.toString(choices[random.nextInt(choices.length)]);
    }

    private static boolean isNumberOrFlag(ConfigKey<?> key) {
        return Set.of(
                        ConfigType.BOOLEAN,
                        ConfigType.INT,
                        ConfigType.SHORT,
                        ConfigType.LONG,
                        ConfigType.DOUBLE)
                .contains(key.type());
    }

    private static void compare(
            List<ConfigProblem> problems,
            boolean kafkaRefuses,
            Map<String, String> settings,
            List<String> differences) {
        if (problems.isEmpty() == kafkaRefuses) {
            differences.add(
                    settings
                            + (kafkaRefuses
                                    ? " refused by Kafka"
                                    : " refused by Ottla: " + problems));
        }
    }

    private static boolean kafkaRefuses(Map<String, String> file) {
        return refuses(() -> kafka(file));
    }

    private static KafkaConfig kafka(Map<String, String> file) {
        Properties properties = new Properties();
        properties.putAll(file);
        return KafkaConfig.fromProps(properties, false);
    }

    private static boolean refuses(Runnable check) {
        try {
            check.run();
            return false;
        } catch (KafkaException | IllegalArgumentException | ArithmeticException _) {
            return true;
        }
    }

    private static long seed() {
        String given = System.getProperty("ottla.seed", "");
        long seed = given.isEmpty() ? System.nanoTime() : Long.parseLong(given);
        System.out.println("seed " + seed);
        return seed;
    }
}
