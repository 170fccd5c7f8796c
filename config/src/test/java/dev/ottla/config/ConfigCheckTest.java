package dev.ottla.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ConfigCheckTest {
    private final ConfigCheck check = check(Map.of());

    @Test
    void messageNamesKeyValueExpectationAndRemedy() {
        assertThat(check.topic(Map.of("segment.bytes", "12"), 1).getFirst().message())
                .isEqualTo(
                        "segment.bytes = 12: expected at least 1048576; use such a value, or leave it out for the default 1073741824.");
        assertThat(check.topic(Map.of("segment.bytes", "a lot"), 1).getFirst().message())
                .contains("expected a whole number, at least 1048576;");
        assertThat(check.topic(Map.of("segment.bytes", "9999999999"), 1).getFirst().message())
                .contains("expected a whole number from -2147483648 to 2147483647;");
        assertThat(check.topic(Map.of("retention.sm", "1"), 1).getFirst().message())
                .isEqualTo(
                        "retention.sm = 1: expected a known key of a topic; perhaps retention.ms was meant.");
    }

    @Test
    void aNameOfAnotherScopeIsLedToItsOwn() {
        assertThat(
                        ConfigNotes.on(
                                Scope.BROKER,
                                Map.of(
                                        "flush.policy", "fsync",
                                        "retention.ms", "1",
                                        "consumer.session.timeout.ms", "1")))
                .containsExactly(
                        "consumer.session.timeout.ms is no key of a broker and has no effect; did you mean group.consumer.session.timeout.ms?",
                        "flush.policy is no key of a broker and has no effect; did you mean log.flush.policy?",
                        "retention.ms is no key of a broker and has no effect; did you mean log.retention.ms?");
        assertThat(check.topic(Map.of("log.retention.hours", "1"), 1).getFirst().message())
                .contains("perhaps retention.ms was meant.");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "num.network.threads",
                "num.shards",
                "num.io.threads.per.data.dir",
                "num.recovery.threads.per.data.dir",
                "group.coordinator.background.threads"
            })
    void noKindHasMoreThreadsThanAnyMachineCanUse(String key) {
        assertThat(check(Map.of(key, "1024")).broker()).isEmpty();
        assertThat(check(Map.of(key, "100000")).broker())
                .extracting(ConfigProblem::message)
                .allMatch(message -> message.startsWith(key + " = 100000: expected "))
                .allMatch(message -> message.contains("1024"))
                .hasSize(1);
    }

    @Test
    void compactionLagsMustFitEachOther() {
        assertThat(
                        check.topic(
                                Map.of("min.compaction.lag.ms", "5", "max.compaction.lag.ms", "4"),
                                1))
                .extracting(ConfigProblem::message)
                .containsExactly(
                        "min.compaction.lag.ms = 5: expected at most max.compaction.lag.ms = 4;"
                                + " lower it or raise max.compaction.lag.ms.");
    }

    @Test
    void readOnlyKeysAreNotChangedAtRunTime() {
        assertThat(check.forCluster(Map.of("num.partitions", "3")))
                .extracting(ConfigProblem::key)
                .containsExactly("num.partitions");
        assertThat(check.forBroker(Map.of("num.partitions", "3"))).hasSize(1);
    }

    @Test
    void keysOfOneBrokerAreNotChangedForAll() {
        assertThat(check.forCluster(Map.of("listeners", "PLAINTEXT://:9093"))).hasSize(1);
        assertThat(check.forBroker(Map.of("listeners", "PLAINTEXT://:9093"))).isEmpty();
    }

    @Test
    void changeIsNotBlamedForWhatWasWrongBefore() {
        ConfigCheck broken = check(Map.of("replica.fetch.wait.max.ms", "60000"));

        assertThat(broken.broker()).isNotEmpty();
        assertThat(broken.forCluster(Map.of("log.retention.ms", "1000"))).isEmpty();
    }

    @Test
    void unknownBrokerKeyIsOnlyAWarning() {
        assertThat(check.forBroker(Map.of("num.partition", "3"))).isEmpty();
        assertThat(ConfigNotes.on(Scope.BROKER, Map.of("num.partition", "3")))
                .containsExactly(
                        "num.partition is no key of a broker and has no effect; did you mean num.partitions?");
    }

    @Test
    void notesTellWhatAKeyDoesNotDo() {
        assertThat(
                        ConfigNotes.on(
                                Scope.BROKER,
                                Map.of(
                                        "num.io.threads", "3",
                                        "background.threads", "10",
                                        "process.roles", "broker,controller",
                                        "transaction.max.timeout.ms", "1",
                                        "inter.broker.protocol.version", "3.0",
                                        "num.partitions", "2",
                                        "quite.another.thing.altogether", "2")))
                .containsExactly(
                        "inter.broker.protocol.version is ignored: Kafka 4 no longer has it.",
                        "num.io.threads has no effect: the shards do this work.",
                        "quite.another.thing.altogether is no key of a broker and has no effect.",
                        "transaction.max.timeout.ms has no effect yet: it comes with transactions.");
    }

    @Test
    void listenerThatAsksForTlsIsRefusedWithTheReason() {
        assertThat(check(Map.of("listeners", "SSL://:9092")).broker().getFirst().message())
                .contains("SSL is not built yet");
    }

    @Test
    void brokerThatShallNotBeOpenToAllDoesNotStart() {
        Map<String, String> closed =
                Map.of(
                        "authorizer.class.name",
                        "org.apache.kafka.metadata.authorizer.StandardAuthorizer");

        assertThat(check(closed).broker().getFirst().message())
                .contains("authorization is not built yet");
        assertThat(check(Map.of("authorizer.class.name", "")).broker()).isEmpty();
    }

    @Test
    void advertisedAddressIsOneHostAndAtMostOnePort() {
        for (String good :
                List.of("kafka", "kafka.example.com:9092", "10.0.0.7", "[::1]:9092", "fe80::1")) {
            assertThat(check(Map.of("advertised.address", good)).broker()).as(good).isEmpty();
        }
        for (String bad :
                List.of(
                        "",
                        "a b",
                        "kafka:",
                        "kafka:0",
                        "kafka:99999",
                        "PLAINTEXT://kafka:9092",
                        "a:b:c",
                        "0.0.0.0",
                        "[::]:9092",
                        "0:0:0:0:0:0:0:0")) {
            assertThat(check(Map.of("advertised.address", bad)).broker()).as(bad).hasSize(1);
        }
    }

    @Test
    void settingOfOneListenerIsJudgedByTheKeyBehindThePrefix() {
        Map<String, String> bad = Map.of("listener.name.inside.max.connections", "many");

        assertThat(check(bad).broker())
                .extracting(ConfigProblem::key)
                .containsExactly("listener.name.inside.max.connections");
        assertThat(check.forBroker(bad))
                .extracting(ConfigProblem::key)
                .containsExactly("listener.name.inside.max.connections");
    }

    @Test
    void explanationSaysWhenAKeyDoesNothing() {
        assertThat(ServerKeys.BACKGROUND_THREADS.explanation())
                .isEqualTo(
                        "Threads for housekeeping. It has no effect: housekeeping shares the threads of shards and data directories.");
        assertThat(ServerKeys.NUM_PARTITIONS.explanation())
                .isEqualTo(ServerKeys.NUM_PARTITIONS.documentation());
    }

    @Test
    void secretsStayOutOfMessages() {
        ConfigProblem problem =
                check.forCluster(Map.of("ssl.keystore.password", "secret")).getFirst();

        assertThat(problem.message()).doesNotContain("secret").contains("[hidden]");
    }

    @Test
    void groupValuesLieWithinTheBrokersBounds() {
        assertThat(check.group(Map.of("consumer.session.timeout.ms", "44999"))).hasSize(1);
        assertThat(check.group(Map.of("consumer.session.timeout.ms", "60000"))).isEmpty();
    }

    @Test
    void matchOfClientMetricsNeedsAKnownSelectorAndARegularExpression() {
        assertThat(check.clientMetrics(Map.of("match", "client_id=a.*,client_source_port=9.*")))
                .isEmpty();
        assertThat(check.clientMetrics(Map.of("match", "client=a"))).hasSize(1);
        assertThat(check.clientMetrics(Map.of("match", "client_id=("))).hasSize(1);
    }

    @Test
    void defaultsAreFine() {
        assertThat(check.broker()).isEmpty();
        assertThat(check.topic(Map.of(), 3)).isEmpty();
        assertThat(check.group(Map.of())).isEmpty();
        assertThat(check.clientMetrics(Map.of())).isEmpty();
    }

    @Test
    void fileKeepsTheLastOfARepeatedKeyAndSaysSo() {
        ConfigFile file = ConfigFile.parse("\uFEFFa = 1 \n# note\nb:ü\na=2\n", "ottla.properties");

        assertThat(file.settings()).isEqualTo(Map.of("a", "2", "b", "ü"));
        assertThat(file.warnings())
                .isEqualTo(
                        List.of("ottla.properties sets a more than once; the last value holds."));
    }

    private static ConfigCheck check(Map<String, String> file) {
        return new ConfigCheck(new ConfigResolver(BrokerLayers.of(file), Surroundings.of(1, 4)));
    }
}
