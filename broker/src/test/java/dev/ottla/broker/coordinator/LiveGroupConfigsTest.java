package dev.ottla.broker.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ottla.config.BrokerLayers;
import dev.ottla.config.ConfigResolver;
import dev.ottla.config.Surroundings;
import dev.ottla.metadata.image.ClusterImage;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Settings whose effect takes minutes are followed as far as the values that coordinators get; the
/// tests of the coordinators show the rest.
class LiveGroupConfigsTest {
    @Test
    @Tag("config:offsets.retention.minutes")
    void retentionOfOffsetsReachesTheCoordinator() {
        assertThat(with(Map.of()).offsets().retentionMs()).isEmpty();
        assertThat(with(Map.of("offsets.retention.minutes", "2")).offsets().retentionMs())
                .hasValue(120_000);
    }

    @Test
    @Tag("config:group.consumer.regex.refresh.interval.ms")
    void refreshOfPatternsReachesTheCoordinator() {
        assertThat(
                        with(Map.of("group.consumer.regex.refresh.interval.ms", "12345"))
                                .consumer("g")
                                .regexRefreshIntervalMs())
                .isEqualTo(12_345);
    }

    private static LiveGroupConfigs with(Map<String, String> settings) {
        ConfigResolver resolver =
                new ConfigResolver(BrokerLayers.of(settings), Surroundings.of(1, 2));
        return new LiveGroupConfigs(() -> resolver, () -> ClusterImage.EMPTY);
    }
}
