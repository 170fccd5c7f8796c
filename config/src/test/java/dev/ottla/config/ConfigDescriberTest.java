package dev.ottla.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/// The expected lines are what Kafka answered to the same settings, save where a comment says
/// otherwise.
class ConfigDescriberTest {
    private final ConfigDescriber describer =
            new ConfigDescriber(
                    new ConfigResolver(
                            new BrokerLayers(
                                    Map.of(
                                            "log.retention.hours", "24",
                                            "listener.name.plaintext.max.connections", "77",
                                            "ssl.keystore.password", "secret"),
                                    Map.of(
                                            "log.retention.ms",
                                            "5000",
                                            "log.segment.bytes",
                                            "2000000"),
                                    Map.of("log.segment.bytes", "3000000")),
                            Surroundings.of(1, 4)));

    @Test
    void topicKeyShowsEveryPlaceThatSetsIt() {
        assertThat(line(describer.topic(Map.of("retention.ms", "99"), 1), "retention.ms"))
                .isEqualTo(
                        "retention.ms=99 TOPIC:retention.ms=99 DYNAMIC_DEFAULT_BROKER:log.retention.ms=5000"
                                + " STATIC_BROKER:log.retention.hours=24 DEFAULT:log.retention.hours=168");
        assertThat(line(describer.topic(Map.of(), 1), "segment.bytes"))
                .isEqualTo(
                        "segment.bytes=3000000 DYNAMIC_BROKER:log.segment.bytes=3000000"
                                + " DYNAMIC_DEFAULT_BROKER:log.segment.bytes=2000000 DEFAULT:log.segment.bytes=1073741824");
    }

    @Test
    void topicKeyNamesTheCoarserUnitItComesFrom() {
        // Kafka lists nothing here, because log.roll.ms itself is not set.
        assertThat(line(describer.topic(Map.of(), 1), "segment.ms"))
                .isEqualTo("segment.ms=604800000 DEFAULT:log.roll.hours=168");
    }

    @Test
    void brokerKeyShowsItsOwnValueAndItsFamily() {
        assertThat(line(describer.broker(), "log.retention.ms"))
                .isEqualTo(
                        "log.retention.ms=5000 DYNAMIC_DEFAULT_BROKER:log.retention.ms=5000"
                                + " STATIC_BROKER:log.retention.hours=24 DEFAULT:log.retention.hours=168");
        assertThat(line(describer.broker(), "num.partitions"))
                .isEqualTo("num.partitions=1 DEFAULT:num.partitions=1");
        assertThat(line(describer.broker(), "broker.rack")).isEqualTo("broker.rack=null");
    }

    @Test
    void settingOfOneListenerIsListedBesideTheBrokers() {
        assertThat(line(describer.broker(), "listener.name.plaintext.max.connections"))
                .isEqualTo(
                        "listener.name.plaintext.max.connections=77"
                                + " STATIC_BROKER:listener.name.plaintext.max.connections=77"
                                + " DEFAULT:max.connections=2147483647");
    }

    @Test
    void secretsAreNeverShown() {
        assertThat(line(describer.broker(), "ssl.keystore.password"))
                .isEqualTo("ssl.keystore.password=null STATIC_BROKER:ssl.keystore.password=null");
    }

    @Test
    void groupKeyFallsBackOnTheBroker() {
        assertThat(
                        line(
                                describer.group(Map.of("consumer.session.timeout.ms", "50000")),
                                "consumer.session.timeout.ms"))
                .isEqualTo(
                        "consumer.session.timeout.ms=50000 GROUP:consumer.session.timeout.ms=50000"
                                + " DEFAULT:group.consumer.session.timeout.ms=45000");
        assertThat(line(describer.group(Map.of()), "streams.assignor.name"))
                .isEqualTo("streams.assignor.name=sticky DEFAULT:group.streams.assignors=sticky");
    }

    @Test
    void clusterListsOnlyWhatIsSetForAllBrokers() {
        assertThat(describer.cluster())
                .extracting(ConfigEntry::name)
                .containsExactly("log.retention.ms", "log.segment.bytes");
    }

    @Test
    void internalKeysAreHiddenUntilSet() {
        assertThat(describer.topic(Map.of(), 1))
                .extracting(ConfigEntry::name)
                .doesNotContain("internal.segment.bytes");
        assertThat(
                        line(
                                describer.topic(Map.of("internal.segment.bytes", "100"), 1),
                                "internal.segment.bytes"))
                .startsWith("internal.segment.bytes=100 ");
    }

    @Test
    void readOnlyFollowsTheDynamicMode() {
        assertThat(entry(describer.broker(), "num.partitions").readOnly()).isTrue();
        assertThat(entry(describer.broker(), "log.segment.bytes").readOnly()).isFalse();
    }

    private static String line(List<ConfigEntry> entries, String name) {
        ConfigEntry entry = entry(entries, name);
        String value = name + "=" + entry.value().orElse("null");
        return entry.synonyms().isEmpty()
                ? value
                : entry.synonyms().stream()
                        .map(origin ->
                                origin.source()
                                        + ":"
                                        + origin.name()
                                        + "="
                                        + origin.value().orElse("null"))
                        .collect(Collectors.joining(" ", value + " ", ""));
    }

    private static ConfigEntry entry(List<ConfigEntry> entries, String name) {
        return entries.stream()
                .filter(entry -> entry.name().equals(name))
                .findFirst()
                .orElseThrow();
    }
}
