package dev.ottla.metadata.controller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ottla.metadata.ConfigResource;
import dev.ottla.wire.ErrorCode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class ConfigCommandsTest {
    private static final ConfigResource TOPIC = ConfigResource.topic("t");
    private final TestCluster cluster = TestCluster.of(1);

    @BeforeEach
    void createTopic() {
        cluster.create(CreateTopic.named("t"));
    }

    @Test
    void stepsAreTakenFromWhatIsSet() {
        assertThat(alter(TOPIC, ConfigOp.set("retention.ms", "5"), ConfigOp.set("segment.ms", "6")))
                .isEqualTo(ErrorCode.NONE);
        assertThat(alter(TOPIC, ConfigOp.delete("segment.ms"))).isEqualTo(ErrorCode.NONE);

        assertThat(cluster.image().config(TOPIC)).isEqualTo(Map.of("retention.ms", "5"));
    }

    @Test
    void listsChangeElementByElementFromTheirDefault() {
        alter(TOPIC, ConfigOp.append("cleanup.policy", "compact"));
        assertThat(value("cleanup.policy")).contains("delete,compact");

        alter(TOPIC, ConfigOp.append("cleanup.policy", "compact"));
        assertThat(value("cleanup.policy")).contains("delete,compact");

        alter(TOPIC, ConfigOp.subtract("cleanup.policy", "delete"));
        assertThat(value("cleanup.policy")).contains("compact");
    }

    @Test
    void valuesThatNoRecordCanCarryAreRefused() {
        ConfigResource broker = ConfigResource.broker(1);
        String half = "x".repeat(20_000);

        assertThat(alter(broker, ConfigOp.set("plugin.key", "ä".repeat(16_383))))
                .isEqualTo(ErrorCode.NONE);
        assertThat(alter(broker, ConfigOp.set("plugin.key", "ä".repeat(16_384))))
                .isEqualTo(ErrorCode.INVALID_REQUEST);
        assertThat(alter(TOPIC, ConfigOp.append("cleanup.policy", half + "," + half)))
                .isEqualTo(ErrorCode.INVALID_CONFIG);
    }

    @Test
    void onlyListsCanBeAppendedTo() {
        assertThat(alter(TOPIC, ConfigOp.append("retention.ms", "5")))
                .isEqualTo(ErrorCode.INVALID_CONFIG);
        assertThat(alter(TOPIC, ConfigOp.subtract("retention.ms", "5")))
                .isEqualTo(ErrorCode.INVALID_CONFIG);
    }

    @Test
    void errorsOfATopicAreKafkas() {
        assertThat(alter(TOPIC, ConfigOp.set("foo", "1"))).isEqualTo(ErrorCode.INVALID_CONFIG);
        assertThat(alter(TOPIC, ConfigOp.set("retention.ms", "x")))
                .isEqualTo(ErrorCode.INVALID_CONFIG);
        assertThat(alter(TOPIC, ConfigOp.append("cleanup.policy", "foo")))
                .isEqualTo(ErrorCode.INVALID_CONFIG);
        assertThat(alter(TOPIC, ConfigOp.delete("foo"))).isEqualTo(ErrorCode.NONE);
        assertThat(alter(TOPIC, new ConfigOp("retention.ms", ConfigOp.Kind.SET, Optional.empty())))
                .isEqualTo(ErrorCode.INVALID_REQUEST);
        assertThat(alter(TOPIC, ConfigOp.set("retention.ms", "1"), ConfigOp.delete("retention.ms")))
                .isEqualTo(ErrorCode.INVALID_REQUEST);
        assertThat(alter(ConfigResource.topic("no"), ConfigOp.set("retention.ms", "1")))
                .isEqualTo(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION);
        assertThat(alter(ConfigResource.topic(""), ConfigOp.set("retention.ms", "1")))
                .isEqualTo(ErrorCode.INVALID_REQUEST);
        assertThat(cluster.image().config(TOPIC)).isEmpty();
    }

    @Test
    void errorsOfABrokerAreKafkas() {
        ConfigResource broker = ConfigResource.broker(1);
        assertThat(alter(broker, ConfigOp.set("log.retention.ms", "5000")))
                .isEqualTo(ErrorCode.NONE);
        assertThat(alter(broker, ConfigOp.set("foo", "5"))).isEqualTo(ErrorCode.NONE);
        assertThat(alter(broker, ConfigOp.set("broker.id", "5")))
                .isEqualTo(ErrorCode.INVALID_REQUEST);
        assertThat(alter(broker, ConfigOp.set("log.retention.ms", "x")))
                .isEqualTo(ErrorCode.INVALID_REQUEST);
        assertThat(alter(broker, ConfigOp.set("min.insync.replicas", "2")))
                .isEqualTo(ErrorCode.INVALID_CONFIG);
        assertThat(alter(ConfigResource.broker(9), ConfigOp.set("log.retention.ms", "5")))
                .isEqualTo(ErrorCode.BROKER_ID_NOT_REGISTERED);
        assertThat(
                        alter(
                                new ConfigResource(ConfigResource.Type.BROKER, "x"),
                                ConfigOp.set("log.retention.ms", "5")))
                .isEqualTo(ErrorCode.INVALID_REQUEST);
    }

    @Test
    void aSettingForAllBrokersMustBeOneForAll() {
        assertThat(alter(ConfigResource.CLUSTER, ConfigOp.set("log.retention.ms", "7000")))
                .isEqualTo(ErrorCode.NONE);
        assertThat(
                        alter(
                                ConfigResource.CLUSTER,
                                ConfigOp.set("advertised.listeners", "PLAINTEXT://localhost:9092")))
                .isEqualTo(ErrorCode.INVALID_REQUEST);
        assertThat(cluster.image().config(ConfigResource.CLUSTER))
                .isEqualTo(Map.of("log.retention.ms", "7000"));
    }

    @Test
    void groupsStayWithinTheBoundsOfTheBroker() {
        ConfigResource group = ConfigResource.group("g");
        String key = "consumer.session.timeout.ms";
        assertThat(alter(group, ConfigOp.set(key, "50000"))).isEqualTo(ErrorCode.NONE);
        assertThat(alter(group, ConfigOp.set(key, "1"))).isEqualTo(ErrorCode.INVALID_CONFIG);
        assertThat(alter(group, ConfigOp.set("foo", "1"))).isEqualTo(ErrorCode.INVALID_CONFIG);
        assertThat(alter(ConfigResource.group(""), ConfigOp.set(key, "50000")))
                .isEqualTo(ErrorCode.INVALID_REQUEST);
    }

    @Test
    void errorsOfClientMetricsAreKafkas() {
        ConfigResource metrics = ConfigResource.clientMetrics("m");
        assertThat(alter(metrics, ConfigOp.set("interval.ms", "1000"))).isEqualTo(ErrorCode.NONE);
        assertThat(alter(metrics, ConfigOp.set("interval.ms", "1")))
                .isEqualTo(ErrorCode.INVALID_REQUEST);
        assertThat(alter(metrics, ConfigOp.set("foo", "1"))).isEqualTo(ErrorCode.INVALID_REQUEST);
        assertThat(alter(ConfigResource.clientMetrics(""), ConfigOp.set("interval.ms", "1000")))
                .isEqualTo(ErrorCode.INVALID_REQUEST);
    }

    @Test
    void aResourceThatIsNamedTwiceIsNotChanged() {
        AlterConfigs change = new AlterConfigs(TOPIC, List.of(ConfigOp.set("retention.ms", "5")));
        List<ConfigResult> results =
                cluster.run(c -> c.alterConfigs(List.of(change, change), false));

        assertThat(results)
                .allSatisfy(r -> assertThat(r.error().code()).isEqualTo(ErrorCode.INVALID_REQUEST));
        assertThat(cluster.image().config(TOPIC)).isEmpty();
    }

    @Test
    void validationChangesNothing() {
        AlterConfigs good = new AlterConfigs(TOPIC, List.of(ConfigOp.set("retention.ms", "5")));
        AlterConfigs bad = new AlterConfigs(TOPIC, List.of(ConfigOp.set("retention.ms", "x")));

        assertThat(validate(good)).isEqualTo(ErrorCode.NONE);
        assertThat(validate(bad)).isEqualTo(ErrorCode.INVALID_CONFIG);
        assertThat(cluster.image().config(TOPIC)).isEmpty();
    }

    private ErrorCode validate(AlterConfigs change) {
        return cluster.run(c -> c.alterConfigs(List.of(change), true)).getFirst().error().code();
    }

    @Test
    void replacingRemovesWhatIsNotNamed() {
        alter(TOPIC, ConfigOp.set("retention.ms", "5"), ConfigOp.set("segment.ms", "6"));

        ReplaceConfigs replacement =
                new ReplaceConfigs(TOPIC, Map.of("segment.ms", Optional.of("7")));
        cluster.run(c -> c.replaceConfigs(List.of(replacement), false));

        assertThat(cluster.image().config(TOPIC)).isEqualTo(Map.of("segment.ms", "7"));
    }

    @Test
    void unchangedValuesMakeNoRecords() {
        alter(TOPIC, ConfigOp.set("retention.ms", "5"));
        int before = cluster.records.size();

        assertThat(alter(TOPIC, ConfigOp.set("retention.ms", "5"))).isEqualTo(ErrorCode.NONE);

        assertThat(cluster.records).hasSize(before);
    }

    @Test
    @Tag("config:min.insync.replicas")
    void aNewMinimumForgetsWhoWasEligible() {
        TestCluster three = TestCluster.of(3);
        three.createOn("e", 1, 2, 3);
        three.fence(1);
        three.fence(2);
        assertThat(three.partition("e", 0).elr()).isEqualTo(List.of(2));

        three.alter(
                new AlterConfigs(
                        ConfigResource.topic("e"),
                        List.of(ConfigOp.set("min.insync.replicas", "1"))));

        assertThat(three.partition("e", 0).elr()).isEmpty();
        assertThat(three.partition("e", 0).leader()).isEqualTo(3);
    }

    private ErrorCode alter(ConfigResource resource, ConfigOp... ops) {
        return cluster.alter(new AlterConfigs(resource, List.of(ops))).error().code();
    }

    private Optional<String> value(String key) {
        return Optional.ofNullable(cluster.image().config(TOPIC).get(key));
    }
}
