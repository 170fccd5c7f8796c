package dev.ottla.broker.server;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Set;
import java.util.TreeSet;

/// The page that a broker serves, as Prometheus reads it.
record MetricsPage(String text) {
    /// The broker must have a `metrics.port`.
    static MetricsPage of(TestBroker broker) throws IOException, InterruptedException {
        URI uri = URI.create("http://127.0.0.1:" + broker.server().metricsPort() + "/metrics");
        try (HttpClient client = HttpClient.newHttpClient()) {
            return new MetricsPage(
                    client.send(
                                    HttpRequest.newBuilder(uri).build(),
                                    HttpResponse.BodyHandlers.ofString())
                            .body());
        }
    }

    /// Value of a metric without labels.
    double value(String name) {
        return text.lines()
                .filter(line -> line.startsWith(name + " "))
                .mapToDouble(line -> Double.parseDouble(line.substring(name.length() + 1)))
                .findFirst()
                .orElseThrow();
    }

    /// Names of the metrics that have a value.
    Set<String> names() {
        Set<String> names = new TreeSet<>();
        text.lines()
                .filter(line -> line.startsWith("# TYPE "))
                .forEach(line -> names.add(line.split(" ", -1)[2]));
        return names;
    }
}
