package dev.ottla.broker.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

final class MetricsServerTest {
    private final BrokerMetrics metrics = new BrokerMetrics();
    private final AtomicReference<Optional<String>> trouble =
            new AtomicReference<>(Optional.empty());
    private final Health health =
            new Health() {
                @Override
                public Optional<String> notAlive() {
                    return trouble.get();
                }

                @Override
                public Optional<String> notReady() {
                    return trouble.get();
                }
            };

    @Test
    void pageShowsWorkApartFromWaiting() throws Exception {
        metrics.api("Produce").received(100);
        metrics.api("Produce").answered(50, 2_000_000, 30_000_000);
        metrics.gauge("ottla_shard_queue_depth", "Tasks waiting.", () -> 7);

        String page = ask("/metrics").body();

        assertThat(page)
                .contains("ottla_requests_total{api=\"Produce\"} 1.0")
                .contains("ottla_request_work_seconds_bucket{api=\"Produce\",le=\"0.0025\"} 1")
                .contains("ottla_request_wait_seconds_bucket{api=\"Produce\",le=\"0.025\"} 0")
                .contains("ottla_shard_queue_depth 7.0");
    }

    @Test
    void probesTellWhatIsWrong() throws Exception {
        assertThat(ask("/health/ready").statusCode()).isEqualTo(200);

        trouble.set(Optional.of("recovering logs"));

        assertThat(ask("/health/ready").statusCode()).isEqualTo(503);
        assertThat(ask("/health/live").body()).contains("recovering logs");
    }

    @Test
    void unknownPagesAreNotFound() throws Exception {
        assertThat(ask("/nothing").statusCode()).isEqualTo(404);
    }

    private HttpResponse<String> ask(String path) throws Exception {
        InetSocketAddress anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        try (MetricsServer server = MetricsServer.start(anyPort, metrics, health, Runnable::run);
                HttpClient client = HttpClient.newHttpClient()) {
            URI uri = URI.create("http://127.0.0.1:" + server.port() + path);
            return client.send(
                    HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
        }
    }
}
