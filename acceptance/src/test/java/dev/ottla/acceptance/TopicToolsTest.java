package dev.ottla.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ottla.testkit.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/// Kafka's tools for topics, settings, offsets, directories and the cluster.
@ExtendWith({SharedBroker.class, KafkaTools.Resolver.class})
class TopicToolsTest {
    @Test
    void kafkaTopics(KafkaTools tools, Clients clients) {
        String topic = Clients.name("tool");
        Topics topics = new Topics(tools, clients.bootstrap());

        assertThat(
                        topics.run(
                                "--create",
                                "--topic",
                                topic,
                                "--partitions",
                                "3",
                                "--config",
                                "retention.ms=3600000"))
                .isEqualTo(new KafkaTools.Result(0, "Created topic " + topic + ".\n", ""));
        assertThat(topics.run("--create", "--topic", topic).exitCode()).isEqualTo(1);
        assertThat(topics.run("--create", "--topic", topic).all()).contains("already exists");
        assertThat(topics.run("--create", "--topic", topic, "--if-not-exists").exitCode()).isZero();
        assertThat(
                        topics.run("--create", "--topic", topic + "x", "--replication-factor", "7")
                                .all())
                .containsIgnoringCase("replication factor");
        Await.until(
                "the topic is listed",
                () -> topics.run("--list").out().lines().toList().contains(topic));
        assertThat(topics.run("--describe", "--topic", topic).out())
                .containsPattern(
                        "PartitionCount: 3\\s+ReplicationFactor: 1\\s+Configs:.*retention.ms=3600000")
                .containsPattern("Partition: 2\\s+Leader: \\d+\\s+Replicas: \\d+\\s+Isr: \\d+");
        for (String filter :
                List.of(
                        "--under-replicated-partitions",
                        "--unavailable-partitions",
                        "--under-min-isr-partitions",
                        "--at-min-isr-partitions")) {
            KafkaTools.Result result = topics.run("--describe", "--topic", topic, filter);
            assertThat(result.exitCode()).isZero();
            if (!filter.equals("--at-min-isr-partitions")) {
                assertThat(result.out()).doesNotContain(topic);
            }
        }
        assertThat(topics.run("--alter", "--topic", topic, "--partitions", "5").exitCode())
                .isZero();
        Await.until(
                "five partitions",
                () ->
                        topics.run("--describe", "--topic", topic)
                                .out()
                                .contains("PartitionCount: 5"));
        assertThat(topics.run("--alter", "--topic", topic, "--partitions", "2").exitCode())
                .isEqualTo(1);
        assertThat(topics.run("--describe", "--topic", topic + "-no").exitCode()).isEqualTo(1);
        assertThat(topics.run("--delete", "--topic", topic).exitCode()).isZero();
        Await.until(
                "the topic is gone",
                () -> !topics.run("--list").out().lines().toList().contains(topic));
    }

    private record Topics(KafkaTools tools, String bootstrap) {
        KafkaTools.Result run(String... arguments) {
            return command(tools, bootstrap, "TopicCommand", arguments);
        }
    }

    @Test
    void kafkaConfigs(KafkaTools tools, Clients clients) {
        String topic = clients.topic(1);
        String broker = String.valueOf(clients.brokerId());
        String group = Clients.name("group");

        alterAndDescribe(tools, clients, "topics", topic, "max.message.bytes=2000000");
        alterAndDescribe(tools, clients, "topics", topic, "cleanup.policy=[compact,delete]");
        alterAndDescribe(tools, clients, "brokers", broker, "log.cleaner.threads=2");
        alterAndDescribe(tools, clients, "groups", group, "consumer.session.timeout.ms=46000");
        alterAndDescribe(
                tools, clients, "client-metrics", Clients.name("metrics"), "interval.ms=70000");

        assertThat(
                        configs(
                                        tools,
                                        clients,
                                        "--describe",
                                        "--entity-type",
                                        "brokers",
                                        "--entity-name",
                                        broker,
                                        "--all")
                                .out())
                .contains("num.network.threads=", "log.retention.hours=168", "synonyms=");
        assertThat(
                        configs(
                                        tools,
                                        clients,
                                        "--describe",
                                        "--entity-type",
                                        "topics",
                                        "--entity-name",
                                        topic,
                                        "--all")
                                .out())
                .contains("compression.type=producer");
        assertThat(
                        configs(
                                        tools,
                                        clients,
                                        "--describe",
                                        "--entity-type",
                                        "brokers",
                                        "--entity-default")
                                .exitCode())
                .isZero();
        assertThat(
                        configs(
                                        tools,
                                        clients,
                                        "--alter",
                                        "--entity-type",
                                        "topics",
                                        "--entity-name",
                                        topic,
                                        "--add-config",
                                        "retention.ms=abc")
                                .exitCode())
                .isEqualTo(1);
    }

    private static void alterAndDescribe(
            KafkaTools tools, Clients clients, String type, String name, String setting) {
        String key = setting.substring(0, setting.indexOf('='));
        String shown = setting.replace("[", "").replace("]", "");
        String[] entity = {"--entity-type", type, "--entity-name", name};
        assertThat(configs(tools, clients, with(entity, "--alter", "--add-config", setting)).out())
                .contains("Completed updating config for");
        Await.until(
                shown + " is shown",
                () -> configs(tools, clients, with(entity, "--describe")).out().contains(shown));
        assertThat(configs(tools, clients, with(entity, "--alter", "--delete-config", key)).out())
                .contains("Completed updating config for");
        Await.until(
                shown + " is gone",
                () -> !configs(tools, clients, with(entity, "--describe")).out().contains(shown));
    }

    private static String[] with(String[] some, String... more) {
        return java.util.stream.Stream.concat(
                        java.util.Arrays.stream(more), java.util.Arrays.stream(some))
                .toArray(String[]::new);
    }

    private static KafkaTools.Result configs(
            KafkaTools tools, Clients clients, String... arguments) {
        return command(tools, clients.bootstrap(), "ConfigCommand", arguments);
    }

    @Test
    void kafkaGetOffsetsAndDeleteRecords(KafkaTools tools, Clients clients, @TempDir Path directory)
            throws IOException {
        String topic = clients.topic(2);
        clients.send(topic, IntStream.range(0, 30).mapToObj(String::valueOf).toList());
        Path file = directory.resolve("offsets.json");
        Files.writeString(
                file,
                "{\"version\":1,\"partitions\":[{\"topic\":\"%s\",\"partition\":0,\"offset\":10}]}"
                        .formatted(topic));

        assertThat(offsets(tools, clients, topic, "latest")).containsExactly("30", "0");
        assertThat(offsets(tools, clients, topic, "earliest")).containsExactly("0", "0");
        assertThat(offsets(tools, clients, topic, "max-timestamp").getFirst()).matches("\\d+");
        assertThat(offsets(tools, clients, topic, "1")).startsWith("0");
        KafkaTools.Result deleted =
                command(
                        tools,
                        clients.bootstrap(),
                        "DeleteRecordsCommand",
                        "--offset-json-file",
                        file.toString());
        assertThat(deleted.out())
                .containsPattern("partition: " + topic + "-0\\s+low_watermark: 10");
        assertThat(offsets(tools, clients, topic, "earliest")).containsExactly("10", "0");
        assertThat(clients.offset(topic, 0, OffsetSpec.earliest())).isEqualTo(10);
    }

    private static List<String> offsets(
            KafkaTools tools, Clients clients, String topic, String time) {
        KafkaTools.Result result =
                command(
                        tools,
                        clients.bootstrap(),
                        "GetOffsetShell",
                        "--topic",
                        topic,
                        "--time",
                        time);
        assertThat(result.exitCode()).as(result.all()).isZero();
        return result.out()
                .lines()
                .filter(l -> l.startsWith(topic + ":"))
                .map(l -> l.substring(l.lastIndexOf(':') + 1))
                .toList();
    }

    @Test
    void kafkaLogDirs(KafkaTools tools, Clients clients) {
        String topic = clients.topic(1);
        clients.send(topic, "x".repeat(5_000));

        KafkaTools.Result result =
                command(
                        tools,
                        clients.bootstrap(),
                        "LogDirsCommand",
                        "--describe",
                        "--topic-list",
                        topic);

        assertThat(result.out())
                .contains("\"partition\":\"" + topic + "-0\"", "\"error\":null")
                .containsPattern("\"size\":5\\d{3}");
    }

    @Test
    void clusterTools(KafkaTools tools, Clients clients) {
        String bootstrap = clients.bootstrap();

        assertThat(command(tools, bootstrap, "BrokerApiVersionsCommand").out())
                .contains(
                        "Produce(0): 0 to 13",
                        "Fetch(1): 4 to ",
                        "ConsumerGroupHeartbeat(68): 0 to");
        assertThat(tools.run("ClusterTool", "cluster-id", "--bootstrap-server", bootstrap).out())
                .containsPattern("Cluster ID: .{22}");
        assertThat(
                        tools.run("ClusterTool", "list-endpoints", "--bootstrap-server", bootstrap)
                                .out())
                .contains(bootstrap.substring(bootstrap.indexOf(':') + 1));
        assertThat(tools.run("FeatureCommand", "--bootstrap-server", bootstrap, "describe").out())
                .containsPattern("Feature: group.version\\s+SupportedMinVersion: 0")
                .contains("metadata.version");
        KafkaTools.Result quorum =
                tools.run(
                        "MetadataQuorumCommand",
                        "--bootstrap-server",
                        bootstrap,
                        "describe",
                        "--status");
        assertThat(quorum.out()).contains("LeaderId:", "HighWatermark:", "CurrentVoters:");
        assertThat(
                        tools.run(
                                        "MetadataQuorumCommand",
                                        "--bootstrap-server",
                                        bootstrap,
                                        "describe",
                                        "--replication")
                                .out())
                .contains("Leader");
        assertThat(
                        command(
                                        tools,
                                        bootstrap,
                                        "LeaderElectionCommand",
                                        "--election-type",
                                        "preferred",
                                        "--all-topic-partitions")
                                .exitCode())
                .isZero();
    }

    @Test
    void kafkaClientMetrics(KafkaTools tools, Clients clients) {
        String name = Clients.name("metrics");
        String bootstrap = clients.bootstrap();

        KafkaTools.Result altered =
                command(
                        tools,
                        bootstrap,
                        "ClientMetricsCommand",
                        "--alter",
                        "--name",
                        name,
                        "--metrics",
                        "org.apache.kafka.none.",
                        "--interval",
                        "60000");
        assertThat(altered.exitCode()).as(altered.all()).isZero();
        Await.until(
                "the subscription is listed",
                () ->
                        command(tools, bootstrap, "ClientMetricsCommand", "--list")
                                .out()
                                .contains(name));
        assertThat(
                        command(
                                        tools,
                                        bootstrap,
                                        "ClientMetricsCommand",
                                        "--describe",
                                        "--name",
                                        name)
                                .out())
                .contains("interval.ms=60000");
        command(tools, bootstrap, "ClientMetricsCommand", "--delete", "--name", name);
        Await.until(
                "the subscription is gone",
                () ->
                        !command(tools, bootstrap, "ClientMetricsCommand", "--list")
                                .out()
                                .contains(name));
    }

    static KafkaTools.Result command(
            KafkaTools tools, String bootstrap, String tool, String... arguments) {
        return tools.run(tool, with(arguments, "--bootstrap-server", bootstrap));
    }
}
