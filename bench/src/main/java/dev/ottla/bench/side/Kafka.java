package dev.ottla.bench.side;

import dev.ottla.bench.report.Sample;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Apache Kafka, one combined broker and controller with the JVM options of its own start script.
/// `java` is the JVM of this process; `libs` holds the jars that the build resolved, which are
/// those of the harness too.
public record Kafka(Path java, Path libs) implements Side {
    /// What a node without others needs, for Kafka's defaults want three.
    private static final String ONE_REPLICA =
            """
            offsets.topic.replication.factor=1
            transaction.state.log.replication.factor=1
            transaction.state.log.min.isr=1
            share.coordinator.state.topic.replication.factor=1
            share.coordinator.state.topic.min.isr=1
            """;

    @Override
    public String name() {
        return Sample.KAFKA;
    }

    /// Writes the properties and formats the directory, which a Kafka node demands before its first
    /// start.
    @Override
    public void prepare(Path dataDir, Member member) throws IOException, InterruptedException {
        Files.createDirectories(dataDir);
        Files.writeString(
                properties(dataDir),
                """
                process.roles=broker,controller
                node.id=%d
                controller.quorum.voters=%s
                listeners=PLAINTEXT://127.0.0.1:%d,CONTROLLER://127.0.0.1:%d
                controller.listener.names=CONTROLLER
                log.dirs=%s
                group.initial.rebalance.delay.ms=0
                %s
                """
                        .formatted(
                                member.id(),
                                voters(member),
                                member.port(),
                                member.port() + 1,
                                dataDir,
                                member.isAlone() ? ONE_REPLICA : ""));
        List<String> format = new ArrayList<>(List.of(java.toString(), "-Xmx256m"));
        format.addAll(List.of("-cp", classPath(), "kafka.tools.StorageTool", "format"));
        format.addAll(List.of("-t", "4L6g3nShT-eMCtK--X86sw"));
        format.addAll(List.of("-c", properties(dataDir).toString()));
        ChildProcess.run(format);
    }

    @Override
    public List<String> command(Path dataDir, Member member) {
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
                classPath(),
                "kafka.Kafka",
                properties(dataDir).toString());
    }

    /// The command of one of Kafka's own tools, by its class.
    public List<String> toolCommand(String mainClass, List<String> arguments) {
        List<String> command = new ArrayList<>(List.of(java.toString(), "-Xmx512m"));
        command.addAll(List.of("-XX:+UseSerialGC", "-cp", classPath(), mainClass));
        command.addAll(arguments);
        return command;
    }

    @Override
    public Map<String, String> topicConfig(Durability durability) {
        return switch (durability) {
            case PAGE_CACHE -> Map.of();
            case FSYNC -> Map.of("flush.messages", "1");
        };
    }

    @Override
    public String settings() {
        return "Kafka: one combined node, JVM options of its own start script (1 GB heap, G1), formatted before the clock"
                + " starts, with the codec libraries of this build; topics with defaults (no fsync), or `flush.messages=1` where a row says fsync.";
    }

    /// Every jar but our own: they would do no harm, but they are not Kafka's.
    private String classPath() {
        List<String> jars = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(libs, "*.jar")) {
            for (Path jar : files) {
                if (!jar.getFileName().toString().contains("0.1.0-SNAPSHOT")) {
                    jars.add(jar.toString());
                }
            }
        } catch (IOException e) {
            throw new IllegalStateException("the jars of Kafka are missing in " + libs, e);
        }
        jars.sort(null);
        return String.join(":", jars);
    }

    private static String voters(Member member) {
        List<String> voters = new ArrayList<>();
        for (int port : member.ports()) {
            voters.add("%d@127.0.0.1:%d".formatted(voters.size() + 1, port + 1));
        }
        return String.join(",", voters);
    }

    private static Path properties(Path dataDir) {
        return dataDir.resolveSibling(dataDir.getFileName() + ".properties");
    }
}
