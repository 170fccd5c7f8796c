package dev.ottla.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ottla.testkit.Await;
import dev.ottla.testkit.RawConnection;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.DescribeClusterOptions;
import org.apache.kafka.clients.admin.DescribeClusterResult;
import org.apache.kafka.clients.admin.FeatureMetadata;
import org.apache.kafka.clients.admin.FeatureUpdate;
import org.apache.kafka.clients.admin.QuorumInfo;
import org.apache.kafka.clients.admin.UpdateFeaturesOptions;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.protocol.ApiKeys;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// Kafka's admin client on the cluster itself: its brokers, features, quorum, and the metrics that
/// clients push.
@ExtendWith(SharedBroker.class)
@NullUnmarked // a null from a map of the answer fails the case just as well
class AdminClusterTest {
    @Test
    void clusterShowsItsBrokerControllerAndId(Clients clients) {
        DescribeClusterResult cluster =
                clients.admin()
                        .describeCluster(new DescribeClusterOptions().includeFencedBrokers(true));

        assertThat(Uuid.fromString(Clients.get(cluster.clusterId()))).isNotEqualTo(Uuid.ZERO_UUID);
        Node broker = Clients.get(cluster.nodes()).iterator().next();
        assertThat(Clients.get(cluster.nodes())).hasSize(1);
        assertThat(Clients.get(cluster.controller()).id()).isEqualTo(broker.id());
        assertThat(clients.bootstrap()).endsWith(":" + broker.port());
        assertThat(broker.isFenced()).isFalse();
    }

    @Test
    void featuresAreShownAndUpdated(Clients clients) {
        FeatureMetadata features =
                Clients.get(clients.admin().describeFeatures().featureMetadata());
        assertThat(features.supportedFeatures())
                .containsKeys(
                        "metadata.version",
                        "group.version",
                        "transaction.version",
                        "eligible.leader.replicas.version");
        assertThat(features.finalizedFeatures()).containsKeys("metadata.version", "group.version");
        assertThat(features.finalizedFeaturesEpoch()).isPresent();

        short current = features.finalizedFeatures().get("group.version").maxVersionLevel();
        // The level it has, upgraded to itself: nothing to do, nothing wrong. One beyond what is
        // supported: refused.
        update(clients, current, true);
        update(clients, current, false);
        assertThatThrownBy(() -> update(clients, (short) 99, false))
                .isInstanceOf(ApiException.class);
    }

    private static void update(Clients clients, short level, boolean validateOnly) {
        Clients.get(
                clients.admin()
                        .updateFeatures(
                                Map.of(
                                        "group.version",
                                        new FeatureUpdate(
                                                level, FeatureUpdate.UpgradeType.UPGRADE)),
                                new UpdateFeaturesOptions().validateOnly(validateOnly))
                        .all());
    }

    @Test
    void quorumHasALeaderThatAdvances(Clients clients) {
        QuorumInfo before = Clients.get(clients.admin().describeMetadataQuorum().quorumInfo());

        clients.topic(1);

        QuorumInfo after = Clients.get(clients.admin().describeMetadataQuorum().quorumInfo());
        assertThat(before.voters())
                .extracting(QuorumInfo.ReplicaState::replicaId)
                .containsExactly(before.leaderId());
        assertThat(after.highWatermark()).isGreaterThan(before.highWatermark());
        assertThat(after.leaderEpoch()).isEqualTo(before.leaderEpoch());
        assertThat(after.voters().getFirst().logEndOffset())
                .isGreaterThanOrEqualTo(after.highWatermark());
    }

    @Test
    void clientsGetAnInstanceIdAndPushTheirMetrics(Clients clients) throws IOException {
        try (RawConnection connection = RawConnection.open(clients.bootstrap())) {
            // Apache Kafka takes metrics only with a plugin that stores them.
            assumeTrue(
                    connection.apiVersions().apiVersion(ApiKeys.GET_TELEMETRY_SUBSCRIPTIONS.id)
                            != null,
                    "this broker takes no metrics of clients");
        }
        ConfigResource metrics =
                new ConfigResource(ConfigResource.Type.CLIENT_METRICS, Clients.name("metrics"));
        Clients.get(
                clients.admin()
                        .incrementalAlterConfigs(
                                Map.of(
                                        metrics,
                                        List.of(
                                                set("interval.ms", "100"),
                                                set("metrics", "org.apache.kafka.producer."))))
                        .all());
        String topic = clients.topic(1);
        Producer<String, String> producer = clients.producer();
        Clients.send(producer, List.of(new ProducerRecord<>(topic, "v")));

        Uuid id = producer.clientInstanceId(Await.DEADLINE);

        assertThat(id).isNotEqualTo(Uuid.ZERO_UUID);
        // Closing pushes a last time; a broker that fails on it would make the next request of
        // others fail as well.
        producer.close();
        clients.send(topic, "still there");
        Clients.get(
                clients.admin()
                        .incrementalAlterConfigs(
                                Map.of(metrics, List.of(delete("interval.ms"), delete("metrics"))))
                        .all());
    }

    private static AlterConfigOp set(String key, String value) {
        return new AlterConfigOp(new ConfigEntry(key, value), AlterConfigOp.OpType.SET);
    }

    private static AlterConfigOp delete(String key) {
        return new AlterConfigOp(new ConfigEntry(key, ""), AlterConfigOp.OpType.DELETE);
    }
}
