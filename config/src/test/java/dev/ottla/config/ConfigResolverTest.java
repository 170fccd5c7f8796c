package dev.ottla.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ConfigResolverTest {
    private static final Surroundings ONE_BROKER = Surroundings.of(1, 4);

    @Test
    void topicWinsOverBrokerOverClusterOverFileOverDefault() {
        BrokerLayers file = BrokerLayers.of(Map.of("log.segment.bytes", "2000000"));
        BrokerLayers cluster = file.withForCluster(Map.of("log.segment.bytes", "3000000"));
        BrokerLayers broker = cluster.withForBroker(Map.of("log.segment.bytes", "4000000"));

        assertThat(segmentBytes(BrokerLayers.of(Map.of()), Map.of())).isEqualTo(1 << 30);
        assertThat(segmentBytes(file, Map.of())).isEqualTo(2_000_000);
        assertThat(segmentBytes(cluster, Map.of())).isEqualTo(3_000_000);
        assertThat(segmentBytes(broker, Map.of())).isEqualTo(4_000_000);
        assertThat(segmentBytes(broker, Map.of("segment.bytes", "5000000"))).isEqualTo(5_000_000);
    }

    @Test
    void sourceNamesTheLayerThatDecided() {
        ConfigResolver resolver =
                resolver(
                        BrokerLayers.of(Map.of("log.retention.hours", "1"))
                                .withForCluster(Map.of("num.partitions", "3")));

        assertThat(resolver.topic(Map.of(), 1).source(TopicKeys.RETENTION_MS))
                .isEqualTo(ConfigSource.STATIC_BROKER);
        assertThat(resolver.broker().source(ServerKeys.NUM_PARTITIONS))
                .isEqualTo(ConfigSource.DYNAMIC_DEFAULT_BROKER);
        assertThat(resolver.broker().isSet(LogKeys.LOG_SEGMENT_BYTES)).isFalse();
    }

    @Test
    void finerUnitWinsWithinALayerAndHigherLayerWinsOverFinerUnit() {
        BrokerLayers file =
                BrokerLayers.of(Map.of("log.retention.hours", "2", "log.retention.minutes", "3"));

        assertThat(retentionMs(BrokerLayers.of(Map.of()))).isEqualTo(604_800_000L);
        assertThat(retentionMs(BrokerLayers.of(Map.of("log.retention.hours", "2"))))
                .isEqualTo(7_200_000L);
        assertThat(retentionMs(file)).isEqualTo(180_000L);
        assertThat(retentionMs(file.withForCluster(Map.of("log.retention.ms", "5")))).isEqualTo(5L);
        assertThat(retentionMs(BrokerLayers.of(Map.of("log.retention.hours", "-1"))))
                .isEqualTo(-1L);
    }

    @Test
    void defaultsFollowTheNumberOfBrokersAndReplicas() {
        ConfigResolver one = resolver(BrokerLayers.of(Map.of()));
        ConfigResolver five = new ConfigResolver(BrokerLayers.of(Map.of()), Surroundings.of(5, 4));

        assertThat(one.broker().value(ServerKeys.DEFAULT_REPLICATION_FACTOR)).isEqualTo(1);
        assertThat(one.topic(Map.of(), 1).value(TopicKeys.MIN_INSYNC_REPLICAS)).isEqualTo(1);
        assertThat(five.broker().value(ServerKeys.DEFAULT_REPLICATION_FACTOR)).isEqualTo(3);
        assertThat(five.broker().value(LogKeys.MIN_INSYNC_REPLICAS)).isEqualTo(2);
        assertThat(five.broker().value(GroupKeys.OFFSETS_TOPIC_REPLICATION_FACTOR))
                .isEqualTo((short) 3);
        assertThat(five.topic(Map.of(), 2).value(TopicKeys.MIN_INSYNC_REPLICAS)).isEqualTo(1);
        assertThat(five.topic(Map.of(), 5).value(TopicKeys.MIN_INSYNC_REPLICAS)).isEqualTo(3);
    }

    @Test
    void minInsyncReplicasSetByTheOperatorHoldsForEveryTopic() {
        ConfigResolver resolver = resolver(BrokerLayers.of(Map.of("min.insync.replicas", "1")));

        assertThat(resolver.topic(Map.of(), 5).value(TopicKeys.MIN_INSYNC_REPLICAS)).isEqualTo(1);
    }

    @Test
    void valueThatItsKeyDoesNotTakeIsPassedOverAndReported() {
        ConfigResolver resolver =
                resolver(
                        BrokerLayers.of(Map.of("num.partitions", "4"))
                                .withForCluster(
                                        Map.of("num.partitions", "zero", "log.roll.ms", "")));

        assertThat(resolver.broker().value(ServerKeys.NUM_PARTITIONS)).isEqualTo(4);
        assertThat(resolver.problems())
                .extracting(ConfigProblem::key)
                .containsExactlyInAnyOrder("num.partitions", "log.roll.ms");
    }

    @Test
    void listenerOverridesTheBrokerForItselfAlone() {
        ConfigResolver resolver =
                resolver(
                        BrokerLayers.of(
                                Map.of(
                                        "max.connections",
                                        "10",
                                        "listener.name.internal.max.connections",
                                        "3")));

        assertThat(resolver.listener("INTERNAL").value(NetworkKeys.MAX_CONNECTIONS)).isEqualTo(3);
        assertThat(resolver.listener("PLAINTEXT").value(NetworkKeys.MAX_CONNECTIONS)).isEqualTo(10);
    }

    @Test
    void groupFollowsTheBrokerAndStaysWithinItsBounds() {
        ConfigResolver resolver =
                resolver(BrokerLayers.of(Map.of("group.consumer.session.timeout.ms", "50000")));

        assertThat(session(resolver, Map.of())).isEqualTo(50_000);
        assertThat(session(resolver, Map.of("consumer.session.timeout.ms", "55000")))
                .isEqualTo(55_000);
        assertThat(session(resolver, Map.of("consumer.session.timeout.ms", "90000")))
                .isEqualTo(60_000);
    }

    @Test
    void absentValueIsReadAsOptional() {
        ConfigValues broker = resolver(BrokerLayers.of(Map.of())).broker();

        assertThat(broker.optional(ServerKeys.BROKER_RACK)).isEmpty();
        assertThat(broker.value(LogKeys.LOG_DIRS)).isEqualTo(List.of("ottla-data"));
        assertThatThrownBy(() -> broker.value(ServerKeys.BROKER_RACK))
                .hasMessageContaining("broker.rack");
    }

    @Test
    void nodeIdHasTwoNames() {
        assertThat(resolver(BrokerLayers.of(Map.of())).nodeId()).isEmpty();
        assertThat(resolver(BrokerLayers.of(Map.of("broker.id", "3"))).nodeId()).hasValue(3);
        assertThat(resolver(BrokerLayers.of(Map.of("node.id", "4"))).nodeId()).hasValue(4);
    }

    @Test
    void flushPolicyOfATopicFollowsTheBroker() {
        ConfigResolver resolver =
                resolver(BrokerLayers.of(Map.of("log.flush.policy", "page-cache")));

        assertThat(resolver.topic(Map.of(), 1).value(TopicKeys.FLUSH_POLICY))
                .isEqualTo("page-cache");
        assertThat(resolver.topic(Map.of("flush.policy", "fsync"), 1).value(TopicKeys.FLUSH_POLICY))
                .isEqualTo("fsync");
    }

    @Test
    void keysOfAnotherScopeAreNotMixedUp() {
        assertThatThrownBy(() ->
                        resolver(BrokerLayers.of(Map.of())).broker().value(TopicKeys.RETENTION_MS))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("retention.ms");
    }

    private static int session(ConfigResolver resolver, Map<String, String> overrides) {
        return resolver.group(overrides).value(GroupOverrideKeys.CONSUMER_SESSION_TIMEOUT_MS);
    }

    private static int segmentBytes(BrokerLayers layers, Map<String, String> overrides) {
        return resolver(layers).topic(overrides, 1).value(TopicKeys.SEGMENT_BYTES);
    }

    private static long retentionMs(BrokerLayers layers) {
        return resolver(layers).topic(Map.of(), 1).value(TopicKeys.RETENTION_MS);
    }

    private static ConfigResolver resolver(BrokerLayers layers) {
        return new ConfigResolver(layers, ONE_BROKER);
    }
}
