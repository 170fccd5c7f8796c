package dev.ottla.acceptance;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ottla.testkit.Await;
import dev.ottla.testkit.BrokerCommand;
import dev.ottla.testkit.BrokerProcess;
import dev.ottla.testkit.ChildProcess;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The process as its operator sees it: what it says, how it stops, what it refuses, what it shows.
class ProcessTest {
    private static BrokerProcess broker;

    @BeforeAll
    static void startBroker() {
        assumeTrue(BrokerCommand.isOttla(), "only Ottla talks like this");
        broker =
                BrokerProcess.start(
                        BrokerProcess.Options.of("num.partitons=3")
                                .withJvm("-Xmx256m", "-XX:TieredStopAtLevel=1"));
    }

    @AfterAll
    static void stopBroker() {
        if (broker != null) {
            broker.close();
        }
    }

    @Test
    void startSaysWhereItListensAndHowToStopIt() {
        Await.until("the last line is printed", () -> broker.output().contains("stop:"));

        assertThat(broker.output())
                .contains("Ottla ", "localhost:" + broker.port(), "kill " + broker.pid())
                .contains(broker.dataDir().toString());
        try (Clients clients = new Clients(broker.bootstrap())) {
            assertThat(broker.output())
                    .contains(Clients.get(clients.admin().describeCluster().clusterId()));
        }
    }

    @Test
    void unknownKeyIsAWarningWithTheNearestName() {
        assertThat(broker.output()).contains("num.partitons").contains("num.partitions");
    }

    @Test
    void secondStartOnTheSameDirectoryOrPortIsRefusedWithTheReason(@TempDir Path other) {
        ChildProcess.Result sameDirectory = start(BrokerProcess.freePort(), broker.dataDir());
        assertThat(sameDirectory.exitCode()).isNotZero();
        assertThat(sameDirectory.out() + sameDirectory.err())
                .contains(broker.dataDir().toString())
                .doesNotContain("\tat ");

        ChildProcess.Result samePort = start(broker.port(), other);
        assertThat(samePort.exitCode()).isNotZero();
        assertThat(samePort.out() + samePort.err())
                .contains(String.valueOf(broker.port()))
                .doesNotContain("\tat ");
    }

    private static ChildProcess.Result start(int port, Path dataDir) {
        List<String> command =
                BrokerCommand.start(
                        port, dataDir, List.of(), List.of("-Xmx256m"), BrokerCommand.Entry.OTTLA);
        return ChildProcess.run(
                Path.of("."), Map.of(), Duration.ofSeconds(30), command.toArray(String[]::new));
    }

    @Test
    void stopIsCleanAndFastAndARestartKeepsEverything(@TempDir Path parent) {
        try (BrokerProcess own =
                        BrokerProcess.start(
                                BrokerProcess.Options.of()
                                        .withJvm("-Xmx256m", "-XX:TieredStopAtLevel=1")
                                        .withDataDir(parent.resolve("data")));
                Clients clients = new Clients(own.bootstrap())) {
            String clusterId = Clients.get(clients.admin().describeCluster().clusterId());
            String topic = clients.topic(2, "retention.ms", "123456");
            clients.send(topic, "a", "b", "c");

            long startNs = System.nanoTime();
            int exitCode = own.stop();
            Duration took = Duration.ofNanos(System.nanoTime() - startNs);
            own.start();

            assertThat(exitCode).isIn(0, 143);
            assertThat(took).isLessThan(Duration.ofSeconds(10));
            assertThat(Clients.get(clients.admin().describeCluster().clusterId()))
                    .isEqualTo(clusterId);
            assertThat(clients.readAll(topic))
                    .extracting(r -> new String(r.value(), UTF_8))
                    .containsExactly("a", "b", "c");
            assertThat(own.output()).doesNotContain("xception");
        }
    }

    @Test
    void metricsAndHealthHaveAPortOfTheirOwn() throws IOException, InterruptedException {
        Matcher address = Pattern.compile("http://(\\S+?)/metrics").matcher(broker.output());
        assertThat(address.find()).as(broker.output()).isTrue();
        String base = "http://" + address.group(1);
        try (HttpClient http = HttpClient.newHttpClient();
                Clients clients = new Clients(broker.bootstrap())) {
            String topic = clients.topic(1);
            clients.send(topic, "counted");

            assertThat(fetch(http, base + "/health/live").statusCode()).isEqualTo(200);
            assertThat(fetch(http, base + "/health/ready").statusCode()).isEqualTo(200);
            HttpResponse<String> metrics = fetch(http, base + "/metrics");
            assertThat(metrics.statusCode()).isEqualTo(200);
            assertThat(metrics.body().lines().filter(l -> l.contains("Produce")).toList())
                    .isNotEmpty();
        }
    }

    private static HttpResponse<String> fetch(HttpClient http, String address)
            throws IOException, InterruptedException {
        HttpRequest request =
                HttpRequest.newBuilder(URI.create(address)).timeout(Duration.ofSeconds(20)).build();
        return http.send(request, HttpResponse.BodyHandlers.ofString());
    }
}
