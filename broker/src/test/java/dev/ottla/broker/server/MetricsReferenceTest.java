package dev.ottla.broker.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ottla.broker.metrics.BrokerMetrics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Holds `docs/reference/metrics.md` against what a broker serves.
final class MetricsReferenceTest {
    private static final Path PAGE =
            Path.of(System.getProperty("ottla.root", ".."), "docs/reference/metrics.md");
    private static final Pattern NAME = Pattern.compile("ottla_[a-z_]+");
    private static final Pattern ROW = Pattern.compile("(?m)^\\| `(ottla_[a-z_]+)` \\|");

    private final TestBroker broker = new TestBroker(Map.of("metrics.port", "0"));

    @AfterEach
    void stop() {
        broker.close();
    }

    @Test
    void everyMetricHasItsRowAndEveryNameInThePageExists() throws Exception {
        Set<String> served = new TreeSet<>(new BrokerMetrics().names());
        served.addAll(MetricsPage.of(broker).names());

        assertThat(found(ROW, 1)).isEqualTo(served);
        assertThat(found(NAME, 0)).isEqualTo(served);
    }

    @Test
    void syncsAreTimed() throws Exception {
        assertThat(MetricsPage.of(broker).value("ottla_log_sync_seconds_count")).isPositive();
    }

    private static Set<String> found(Pattern pattern, int group) throws IOException {
        Set<String> names = new TreeSet<>();
        Matcher matcher = pattern.matcher(Files.readString(PAGE));
        while (matcher.find()) names.add(matcher.group(group));
        return names;
    }
}
