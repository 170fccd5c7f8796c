package dev.ottla.broker.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.CreateTopicsResult;
import org.apache.kafka.clients.admin.FeatureUpdate;
import org.apache.kafka.clients.admin.FinalizedVersionRange;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.admin.UpdateFeaturesOptions;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.ElectionType;
import org.apache.kafka.common.TopicCollection;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.ElectionNotNeededException;
import org.apache.kafka.common.errors.InvalidUpdateVersionException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Kafka's admin client asks a broker in this process for elections, features and client metrics.
@Timeout(60)
final class AdminRequestsTest {
    private static TestBroker broker;
    private static Admin admin;

    @BeforeAll
    static void start() {
        broker = new TestBroker(Map.of("metrics.port", "0"));
        admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrap()));
    }

    @AfterAll
    static void stop() {
        admin.close();
        broker.close();
    }

    @Test
    void topicsAreDescribedByTheirIdsTogether() throws Exception {
        CreateTopicsResult created =
                admin.createTopics(
                        List.of(
                                new NewTopic("one", 1, (short) 1),
                                new NewTopic("two", 2, (short) 1)));
        Uuid one = created.topicId("one").get(10, TimeUnit.SECONDS);
        Uuid two = created.topicId("two").get(10, TimeUnit.SECONDS);

        Map<Uuid, TopicDescription> described =
                admin.describeTopics(TopicCollection.ofTopicIds(List.of(one, two)))
                        .allTopicIds()
                        .get(10, TimeUnit.SECONDS);

        assertThat(described.values())
                .extracting(TopicDescription::name)
                .containsExactlyInAnyOrder("one", "two");
    }

    @Test
    void electionIsNotNeededWhereThePreferredLeaderLeads() throws Exception {
        admin.createTopics(List.of(new NewTopic("led", 1, (short) 1)))
                .all()
                .get(10, TimeUnit.SECONDS);

        Map<TopicPartition, Optional<Throwable>> results =
                admin.electLeaders(
                                ElectionType.PREFERRED,
                                Set.of(new TopicPartition("led", 0), new TopicPartition("led", 1)))
                        .partitions()
                        .get(10, TimeUnit.SECONDS);

        assertThat(results.get(new TopicPartition("led", 0)))
                .containsInstanceOf(ElectionNotNeededException.class);
        assertThat(results.get(new TopicPartition("led", 1)))
                .containsInstanceOf(UnknownTopicOrPartitionException.class);
        assertThat(
                        admin.electLeaders(ElectionType.UNCLEAN, null)
                                .partitions()
                                .get(10, TimeUnit.SECONDS))
                .isEmpty();
    }

    @Test
    void featureGoesDownAndUpAgain() throws Exception {
        FeatureUpdate down = new FeatureUpdate((short) 0, FeatureUpdate.UpgradeType.SAFE_DOWNGRADE);
        FeatureUpdate up = new FeatureUpdate((short) 1, FeatureUpdate.UpgradeType.UPGRADE);

        update("eligible.leader.replicas.version", down, true);
        assertThat(finalized()).containsKey("eligible.leader.replicas.version");
        update("eligible.leader.replicas.version", down, false);
        assertThat(finalized()).doesNotContainKey("eligible.leader.replicas.version");
        update("eligible.leader.replicas.version", up, false);
        assertThat(finalized()).containsKey("eligible.leader.replicas.version");
        assertThatThrownBy(() -> update("no.such.feature", up, false))
                .hasCauseInstanceOf(InvalidUpdateVersionException.class);
    }

    @Test
    void producerPushesTheMetricsThatASubscriptionWants() throws Exception {
        ConfigResource subscription =
                new ConfigResource(ConfigResource.Type.CLIENT_METRICS, "all-producers");
        admin.incrementalAlterConfigs(
                        Map.of(
                                subscription,
                                List.of(
                                        set("metrics", "org.apache.kafka.producer."),
                                        set("interval.ms", "100"),
                                        set("match", "client_id=watched"))))
                .all()
                .get(10, TimeUnit.SECONDS);

        try (KafkaProducer<String, String> producer =
                new KafkaProducer<>(
                        Map.of("bootstrap.servers", broker.bootstrap(), "client.id", "watched"),
                        new StringSerializer(),
                        new StringSerializer())) {
            Uuid id = producer.clientInstanceId(Duration.ofSeconds(20));
            assertThat(id).isNotNull();
            while (pushes() < 2) Thread.onSpinWait();
        }
    }

    /// Of the metrics page.
    private static double pushes() throws Exception {
        return MetricsPage.of(broker).value("ottla_telemetry_pushes_total");
    }

    private static AlterConfigOp set(String key, String value) {
        return new AlterConfigOp(new ConfigEntry(key, value), AlterConfigOp.OpType.SET);
    }

    private static void update(String feature, FeatureUpdate update, boolean validateOnly)
            throws Exception {
        admin.updateFeatures(
                        Map.of(feature, update),
                        new UpdateFeaturesOptions().validateOnly(validateOnly))
                .all()
                .get(10, TimeUnit.SECONDS);
    }

    private static Map<String, FinalizedVersionRange> finalized() throws Exception {
        return admin.describeFeatures()
                .featureMetadata()
                .get(10, TimeUnit.SECONDS)
                .finalizedFeatures();
    }
}
