package dev.ottla.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// One of the two brokers that are compared: how to prepare and start it.
sealed interface Side {
    String name();

    /// What has to happen once before the first start on `dataDir`; not part of a start's time.
    void prepare(Path dataDir, int port) throws IOException, InterruptedException;

    /// The command that starts the broker on `dataDir`, listening on the loopback `port`.
    List<String> command(Path dataDir, int port);

    /// Topic configuration that makes `acks=all` reach the page cache only.
    String pageCacheTopicConfig();

    /// Ottla as a user starts it.
    record Ottla(Path root) implements Side {
        @Override
        public String name() {
            return "Ottla";
        }

        @Override
        public void prepare(Path dataDir, int port) {}

        @Override
        public List<String> command(Path dataDir, int port) {
            return List.of(
                    root.resolve("ottla").toString(),
                    "start",
                    "--port",
                    Integer.toString(port),
                    "--data-dir",
                    dataDir.toString(),
                    "--set",
                    "metrics.port=0",
                    "--set",
                    "group.initial.rebalance.delay.ms=0");
        }

        @Override
        public String pageCacheTopicConfig() {
            return "flush.policy=page-cache";
        }
    }

    /// Apache Kafka, one combined node with its own default JVM options.
    record Kafka(Path java, Path libs) implements Side {
        @Override
        public String name() {
            return "Kafka";
        }

        @Override
        public void prepare(Path dataDir, int port) throws IOException, InterruptedException {
            Files.createDirectories(dataDir);
            Files.writeString(
                    properties(dataDir),
                    """
                    process.roles=broker,controller
                    node.id=1
                    controller.quorum.voters=1@127.0.0.1:%d
                    listeners=PLAINTEXT://127.0.0.1:%d,CONTROLLER://127.0.0.1:%d
                    controller.listener.names=CONTROLLER
                    log.dirs=%s
                    offsets.topic.replication.factor=1
                    transaction.state.log.replication.factor=1
                    transaction.state.log.min.isr=1
                    share.coordinator.state.topic.replication.factor=1
                    share.coordinator.state.topic.min.isr=1
                    group.initial.rebalance.delay.ms=0
                    """
                            .formatted(port + 1, port, port + 1, dataDir));
            List<String> format = new ArrayList<>(List.of(java.toString(), "-Xmx256m"));
            format.addAll(List.of("-cp", libs + "/*", "kafka.tools.StorageTool", "format"));
            format.addAll(List.of("-t", "4L6g3nShT-eMCtK--X86sw"));
            format.addAll(List.of("-c", properties(dataDir).toString()));
            Process process =
                    new ProcessBuilder(format)
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start();
            if (process.waitFor() != 0) throw new IOException("Kafka refused to format " + dataDir);
        }

        @Override
        public List<String> command(Path dataDir, int port) {
            return List.of(
                    java.toString(),
                    "-Xmx1G",
                    "-Xms1G",
                    "-server",
                    "-XX:+UseG1GC",
                    "-XX:MaxGCPauseMillis=20",
                    "-XX:InitiatingHeapOccupancyPercent=35",
                    "-XX:+ExplicitGCInvokesConcurrent",
                    "-Djava.awt.headless=true",
                    "-cp",
                    libs + "/*",
                    "kafka.Kafka",
                    properties(dataDir).toString());
        }

        @Override
        public String pageCacheTopicConfig() {
            return "retention.ms=604800000";
        }

        private static Path properties(Path dataDir) {
            return dataDir.resolveSibling(dataDir.getFileName() + ".properties");
        }
    }
}
