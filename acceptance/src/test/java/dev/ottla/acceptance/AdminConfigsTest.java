package dev.ottla.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ottla.testkit.Await;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.AlterConfigOp.OpType;
import org.apache.kafka.clients.admin.AlterConfigsOptions;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.ConfigEntry.ConfigSource;
import org.apache.kafka.clients.admin.DescribeConfigsOptions;
import org.apache.kafka.clients.admin.ListConfigResourcesOptions;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.InvalidConfigurationException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// Kafka's admin client on the settings of every kind of resource.
@ExtendWith(SharedBroker.class)
@NullUnmarked // a null from a map of the answer fails the case just as well
class AdminConfigsTest {
    @Test
    void topicSettingsAreSetAppendedSubtractedAndDeleted(Clients clients) {
        ConfigResource topic = new ConfigResource(ConfigResource.Type.TOPIC, clients.topic(1));

        alter(
                clients,
                topic,
                op(OpType.SET, "retention.ms", "777000"),
                op(OpType.APPEND, "cleanup.policy", "compact"));
        awaitEntry(clients, topic, "retention.ms", "777000", ConfigSource.DYNAMIC_TOPIC_CONFIG);
        assertThat(entry(clients, topic, "cleanup.policy").value().split(",", -1))
                .containsExactlyInAnyOrder("compact", "delete");

        alter(
                clients,
                topic,
                op(OpType.SUBTRACT, "cleanup.policy", "delete"),
                op(OpType.DELETE, "retention.ms", ""));
        awaitEntry(clients, topic, "cleanup.policy", "compact", ConfigSource.DYNAMIC_TOPIC_CONFIG);
        assertThat(entry(clients, topic, "retention.ms").value()).isEqualTo("604800000");
        assertThat(entry(clients, topic, "retention.ms").source())
                .isNotEqualTo(ConfigSource.DYNAMIC_TOPIC_CONFIG);
    }

    @Test
    void topicSettingsTakeEffectAtOnce(Clients clients) {
        String name = clients.topic(1);
        ConfigResource topic = new ConfigResource(ConfigResource.Type.TOPIC, name);
        clients.send(name, "x".repeat(2_000));

        alter(clients, topic, op(OpType.SET, "max.message.bytes", "1000"));
        Await.until(
                "the new limit holds",
                () -> {
                    try {
                        clients.send(name, "x".repeat(2_000));
                        return false;
                    } catch (RecordTooLargeException e) {
                        return true;
                    }
                });

        alter(clients, topic, op(OpType.DELETE, "max.message.bytes", ""));
        Await.until("the default is back", () -> !clients.send(name, "x".repeat(2_000)).isEmpty());
    }

    @Test
    void wrongSettingsAreRefusedWithAReason(Clients clients) {
        ConfigResource topic = new ConfigResource(ConfigResource.Type.TOPIC, clients.topic(1));

        for (AlterConfigOp operation :
                List.of(
                        op(OpType.SET, "retention.ms", "abc"),
                        op(OpType.SET, "segment.bytes", "1"),
                        op(OpType.SET, "compression.type", "arj"),
                        op(OpType.SET, "no.such.key", "1"))) {
            assertThatThrownBy(() -> alter(clients, topic, operation))
                    .isInstanceOf(InvalidConfigurationException.class)
                    .hasMessageContaining(operation.configEntry().name());
        }
        assertThatThrownBy(() -> alter(clients, topic, op(OpType.APPEND, "retention.ms", "1")))
                .isInstanceOf(ApiException.class);
        assertThatThrownBy(() ->
                        alter(
                                clients,
                                new ConfigResource(
                                        ConfigResource.Type.TOPIC, Clients.name("missing")),
                                op(OpType.SET, "retention.ms", "1")))
                .isInstanceOf(UnknownTopicOrPartitionException.class);
    }

    @Test
    void validateOnlyChangesNothing(Clients clients) {
        ConfigResource topic = new ConfigResource(ConfigResource.Type.TOPIC, clients.topic(1));

        Clients.get(
                clients.admin()
                        .incrementalAlterConfigs(
                                Map.of(topic, List.of(op(OpType.SET, "retention.ms", "1234"))),
                                new AlterConfigsOptions().validateOnly(true))
                        .all());

        assertThat(entry(clients, topic, "retention.ms").value()).isEqualTo("604800000");
    }

    @Test
    void descriptionsCarrySynonymsTypesAndDocumentation(Clients clients) {
        ConfigResource topic =
                new ConfigResource(
                        ConfigResource.Type.TOPIC, clients.topic(1, "segment.bytes", "2000000"));

        Config config =
                Clients.get(
                                clients.admin()
                                        .describeConfigs(
                                                List.of(topic),
                                                new DescribeConfigsOptions()
                                                        .includeSynonyms(true)
                                                        .includeDocumentation(true))
                                        .all())
                        .get(topic);

        ConfigEntry segmentBytes = config.get("segment.bytes");
        assertThat(segmentBytes.synonyms().getFirst().name()).isEqualTo("segment.bytes");
        assertThat(segmentBytes.synonyms().getFirst().source())
                .isEqualTo(ConfigSource.DYNAMIC_TOPIC_CONFIG);
        assertThat(segmentBytes.synonyms()).anyMatch(s -> s.name().equals("log.segment.bytes"));
        assertThat(segmentBytes.type()).isEqualTo(ConfigEntry.ConfigType.INT);
        assertThat(segmentBytes.documentation()).isNotBlank();
        assertThat(config.entries()).hasSizeGreaterThan(20).noneMatch(ConfigEntry::isSensitive);
    }

    @Test
    void brokerSettingsOfOneAndOfAllAreChangedWhileItRuns(Clients clients) {
        String id = String.valueOf(clients.brokerId());
        ConfigResource one = new ConfigResource(ConfigResource.Type.BROKER, id);
        ConfigResource all = new ConfigResource(ConfigResource.Type.BROKER, "");

        alter(clients, all, op(OpType.SET, "log.retention.ms", "500000"));
        awaitEntry(
                clients,
                one,
                "log.retention.ms",
                "500000",
                ConfigSource.DYNAMIC_DEFAULT_BROKER_CONFIG);
        alter(clients, one, op(OpType.SET, "log.retention.ms", "600000"));
        awaitEntry(clients, one, "log.retention.ms", "600000", ConfigSource.DYNAMIC_BROKER_CONFIG);
        assertThat(entry(clients, all, "log.retention.ms").value()).isEqualTo("500000");
        ConfigResource topic = new ConfigResource(ConfigResource.Type.TOPIC, clients.topic(1));
        Await.until(
                "the topic follows its broker",
                () -> entry(clients, topic, "retention.ms").value().equals("600000"));

        alter(clients, one, op(OpType.DELETE, "log.retention.ms", ""));
        alter(clients, all, op(OpType.DELETE, "log.retention.ms", ""));
        Await.until(
                "the topic has Kafka's default again",
                () -> entry(clients, topic, "retention.ms").value().equals("604800000"));
        assertThat(entry(clients, one, "node.id").isReadOnly()).isTrue();
        assertThatThrownBy(() -> alter(clients, one, op(OpType.SET, "node.id", "77")))
                .isInstanceOf(ApiException.class);
    }

    @Test
    void groupSettingsAreKept(Clients clients) {
        ConfigResource group = new ConfigResource(ConfigResource.Type.GROUP, Clients.name("group"));

        alter(clients, group, op(OpType.SET, "consumer.session.timeout.ms", "46000"));

        awaitEntry(
                clients,
                group,
                "consumer.session.timeout.ms",
                "46000",
                ConfigSource.DYNAMIC_GROUP_CONFIG);
        assertThat(resources(clients, ConfigResource.Type.GROUP)).contains(group);
        assertThatThrownBy(() ->
                        alter(clients, group, op(OpType.SET, "consumer.session.timeout.ms", "x")))
                .isInstanceOf(ApiException.class);
        alter(clients, group, op(OpType.DELETE, "consumer.session.timeout.ms", ""));
        Await.until(
                "the default holds again",
                () ->
                        entry(clients, group, "consumer.session.timeout.ms").source()
                                != ConfigSource.DYNAMIC_GROUP_CONFIG);
    }

    @Test
    void clientMetricsSubscriptionsAreKept(Clients clients) {
        ConfigResource metrics =
                new ConfigResource(ConfigResource.Type.CLIENT_METRICS, Clients.name("metrics"));

        alter(
                clients,
                metrics,
                op(OpType.SET, "interval.ms", "60000"),
                op(OpType.SET, "metrics", "org.apache.kafka.producer."),
                op(OpType.SET, "match", "client_software_name=no-such-client"));

        awaitEntry(
                clients,
                metrics,
                "interval.ms",
                "60000",
                ConfigSource.DYNAMIC_CLIENT_METRICS_CONFIG);
        assertThat(resources(clients, ConfigResource.Type.CLIENT_METRICS)).contains(metrics);
        assertThatThrownBy(() -> alter(clients, metrics, op(OpType.SET, "interval.ms", "1")))
                .isInstanceOf(ApiException.class);

        alter(
                clients,
                metrics,
                op(OpType.DELETE, "interval.ms", ""),
                op(OpType.DELETE, "metrics", ""),
                op(OpType.DELETE, "match", ""));
        Await.until(
                "the subscription is gone",
                () -> !resources(clients, ConfigResource.Type.CLIENT_METRICS).contains(metrics));
    }

    @Test
    void loggersChangeTheirLevelWhileTheBrokerRuns(Clients clients) {
        ConfigResource loggers =
                new ConfigResource(
                        ConfigResource.Type.BROKER_LOGGER, String.valueOf(clients.brokerId()));
        Collection<ConfigEntry> before = entries(clients, loggers);
        String logger = before.stream().map(ConfigEntry::name).sorted().findFirst().orElseThrow();

        alter(clients, loggers, op(OpType.SET, logger, "WARN"));
        assertThat(entry(clients, loggers, logger).value()).isEqualTo("WARN");
        alter(clients, loggers, op(OpType.SET, logger, "INFO"));
        assertThat(entry(clients, loggers, logger).value()).isEqualTo("INFO");

        assertThatThrownBy(() -> alter(clients, loggers, op(OpType.SET, logger, "LOUD")))
                .isInstanceOf(ApiException.class);
    }

    @Test
    void allKindsOfResourcesAreListed(Clients clients) {
        String topic = clients.topic(1, "retention.ms", "5000");

        Collection<ConfigResource> all = Clients.get(clients.admin().listConfigResources().all());

        assertThat(all)
                .contains(
                        new ConfigResource(ConfigResource.Type.TOPIC, topic),
                        new ConfigResource(
                                ConfigResource.Type.BROKER, String.valueOf(clients.brokerId())));
    }

    private static void awaitEntry(
            Clients clients,
            ConfigResource resource,
            String key,
            String value,
            ConfigSource source) {
        Await.until(
                key + " is " + value + " from " + source,
                () -> {
                    ConfigEntry entry = entry(clients, resource, key);
                    return value.equals(entry.value()) && entry.source() == source;
                });
    }

    private static Collection<ConfigResource> resources(Clients clients, ConfigResource.Type type) {
        return Clients.get(
                clients.admin()
                        .listConfigResources(Set.of(type), new ListConfigResourcesOptions())
                        .all());
    }

    private static Collection<ConfigEntry> entries(Clients clients, ConfigResource resource) {
        return Clients.get(clients.admin().describeConfigs(List.of(resource)).all())
                .get(resource)
                .entries();
    }

    private static ConfigEntry entry(Clients clients, ConfigResource resource, String key) {
        Stream<ConfigEntry> found =
                entries(clients, resource).stream().filter(e -> e.name().equals(key));
        return found.findFirst()
                .orElseThrow(() -> new AssertionError("no " + key + " in " + resource));
    }

    private static void alter(
            Clients clients, ConfigResource resource, AlterConfigOp... operations) {
        Clients.get(
                clients.admin()
                        .incrementalAlterConfigs(Map.of(resource, List.of(operations)))
                        .all());
    }

    private static AlterConfigOp op(OpType type, String key, String value) {
        return new AlterConfigOp(new ConfigEntry(key, value), type);
    }
}
