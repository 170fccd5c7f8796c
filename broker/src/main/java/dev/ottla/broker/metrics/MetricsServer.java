package dev.ottla.broker.metrics;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/// The HTTP port for machines that watch: `/metrics`, `/health/live` and `/health/ready`.
///
/// Thread-safe. Requests run on the executor given at start, one thread is enough; a scrape that
/// comes while another runs waits. A probe answers 200 with `ok`, or 503 with what is wrong.
public final class MetricsServer implements AutoCloseable {
    private static final int BACKLOG_CONNECTIONS = 16;
    private static final int INITIAL_PAGE_BYTES = 64 * 1024;
    private static final String TEXT = "text/plain; charset=utf-8";

    private final HttpServer server;
    private final BrokerMetrics metrics;
    private final PrometheusTextFormatWriter writer =
            PrometheusTextFormatWriter.builder().setIncludeCreatedTimestamps(false).build();

    private MetricsServer(HttpServer server, BrokerMetrics metrics) {
        this.server = server;
        this.metrics = metrics;
    }

    /// Binds and serves. Fails when the address is taken.
    public static MetricsServer start(
            InetSocketAddress address, BrokerMetrics metrics, Health health, Executor executor)
            throws IOException {
        HttpServer http = HttpServer.create(address, BACKLOG_CONNECTIONS);
        MetricsServer server = new MetricsServer(http, metrics);
        http.setExecutor(executor);
        http.createContext("/metrics", server::page);
        http.createContext("/health/live", exchange -> probe(exchange, health::notAlive));
        http.createContext("/health/ready", exchange -> probe(exchange, health::notReady));
        http.createContext("/", MetricsServer::index);
        http.start();
        return server;
    }

    /// The bound port.
    public int port() {
        return server.getAddress().getPort();
    }

    /// Stops at once; an answer under way is cut.
    @Override
    public void close() {
        server.stop(0);
    }

    private void page(HttpExchange exchange) throws IOException {
        ByteArrayOutputStream page = new ByteArrayOutputStream(INITIAL_PAGE_BYTES);
        writer.write(page, metrics.registry().scrape());
        answer(exchange, 200, writer.getContentType(), page.toByteArray());
    }

    private static void probe(HttpExchange exchange, Supplier<Optional<String>> trouble)
            throws IOException {
        Optional<String> wrong = trouble.get();
        String text = wrong.orElse("ok") + "\n";
        answer(exchange, wrong.isEmpty() ? 200 : 503, TEXT, text.getBytes(StandardCharsets.UTF_8));
    }

    private static void index(HttpExchange exchange) throws IOException {
        String text = "Ottla. Pages: /metrics /health/live /health/ready\n";
        int status = exchange.getRequestURI().getPath().equals("/") ? 200 : 404;
        answer(exchange, status, TEXT, text.getBytes(StandardCharsets.UTF_8));
    }

    private static void answer(HttpExchange exchange, int status, String type, byte[] body)
            throws IOException {
        try (exchange) {
            exchange.getResponseHeaders().set("Content-Type", type);
            exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
            exchange.getResponseBody().write(body);
        }
    }
}
