package dev.ottla.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ottla.testkit.Await;
import dev.ottla.testkit.BrokerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/// Kafka Connect in its standalone form: a file into a topic, the topic into another file.
@ExtendWith(SharedBroker.class)
class ConnectTest {
    @Test
    void linesOfAFileArriveInAnotherFile(Clients clients, @TempDir Path directory)
            throws IOException {
        String topic = clients.topic(1);
        Path source = directory.resolve("source.txt");
        Path sink = directory.resolve("sink.txt");
        List<String> lines = IntStream.range(0, 500).mapToObj(i -> "line " + i).toList();
        Files.write(source, lines);
        Path worker =
                write(
                        directory.resolve("worker.properties"),
                        "bootstrap.servers=" + clients.bootstrap(),
                        "key.converter=org.apache.kafka.connect.storage.StringConverter",
                        "value.converter=org.apache.kafka.connect.storage.StringConverter",
                        "offset.storage.file.filename=" + directory.resolve("offsets"),
                        "offset.flush.interval.ms=500",
                        "listeners=http://127.0.0.1:" + BrokerProcess.freePort());
        Path from =
                write(
                        directory.resolve("from.properties"),
                        "name=from",
                        "connector.class=FileStreamSource",
                        "tasks.max=1",
                        "file=" + source,
                        "topic=" + topic);
        Path to =
                write(
                        directory.resolve("to.properties"),
                        "name=" + Clients.name("to"),
                        "connector.class=FileStreamSink",
                        "tasks.max=1",
                        "file=" + sink,
                        "topics=" + topic);

        try (JavaProcess connect =
                JavaProcess.start(
                        directory.resolve("connect.log"),
                        "org.apache.kafka.connect.cli.ConnectStandalone",
                        worker.toString(),
                        from.toString(),
                        to.toString())) {
            await(sink, lines, connect);
            Files.write(source, List.of("one more"), StandardOpenOption.APPEND);
            await(
                    sink,
                    java.util.stream.Stream.concat(
                                    lines.stream(), java.util.stream.Stream.of("one more"))
                            .toList(),
                    connect);
        }
        assertThat(clients.readAll(topic)).hasSize(501);
    }

    private static void await(Path file, List<String> lines, JavaProcess connect) {
        Await.until(
                "%d lines arrive".formatted(lines.size()),
                Duration.ofSeconds(90),
                () -> Files.exists(file) && Files.readAllLines(file).equals(lines),
                connect::output);
    }

    private static Path write(Path file, String... lines) throws IOException {
        return Files.write(file, List.of(lines));
    }
}
