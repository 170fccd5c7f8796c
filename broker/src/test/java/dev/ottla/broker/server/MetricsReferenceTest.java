package dev.ottla.broker.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ottla.broker.metrics.BrokerMetrics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
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

    @Test
    void whatTheBrokerLeadsIsCounted() throws Exception {
        MetricsPage before = MetricsPage.of(broker);
        assertThat(before.value("ottla_leaders")).isZero();
        assertThat(before.value("ottla_active_controller")).isOne();
        assertThat(before.value("ottla_brokers_active")).isOne();

        try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrap()))) {
            admin.createTopics(List.of(new NewTopic("orders", 3, (short) 1)))
                    .all()
                    .get(10, TimeUnit.SECONDS);
        }

        MetricsPage page = MetricsPage.of(broker);
        assertThat(page.value("ottla_leaders")).isEqualTo(3);
        assertThat(page.value("ottla_partitions_at_min_isr")).isEqualTo(3);
        assertThat(page.value("ottla_partitions_under_min_isr")).isZero();
        assertThat(page.value("ottla_partitions_under_replicated")).isZero();
        assertThat(page.value("ottla_topics_global")).isOne();
        assertThat(page.value("ottla_partitions_global")).isEqualTo(3);
        assertThat(page.value("ottla_partitions_leaderless")).isZero();
        assertThat(page.value("ottla_replica_max_lag_records")).isZero();
    }

    private static Set<String> found(Pattern pattern, int group) throws IOException {
        Set<String> names = new TreeSet<>();
        Matcher matcher = pattern.matcher(Files.readString(PAGE));
        while (matcher.find()) names.add(matcher.group(group));
        return names;
    }
}
