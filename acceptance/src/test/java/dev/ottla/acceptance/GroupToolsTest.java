package dev.ottla.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Kafka's tools for groups.
@ExtendWith({SharedBroker.class, KafkaTools.Resolver.class})
@NullUnmarked // a null from a map of the answer fails the case just as well
class GroupToolsTest {
    private static final long BASE_TIME_MS = 1_700_000_000_000L;

    @ParameterizedTest
    @ValueSource(strings = {"classic", "consumer"})
    void describeShowsOffsetsMembersAndState(String protocol, KafkaTools tools, Clients clients) {
        String topic = clients.topic(2);
        String group = Clients.name("group");
        clients.send(topic, "a", "b", "c", "d");
        Consumer<String, String> consumer =
                ConsumerGroupTest.member(clients, protocol, group, "client.id", "shown");
        consumer.subscribe(List.of(topic));
        ConsumerGroupTest.awaitSizes(List.of(consumer), 2);
        consumer.commitSync(Map.of(new TopicPartition(topic, 0), new OffsetAndMetadata(1)));

        assertThat(groups(tools, clients, "--describe", "--group", group).out())
                .containsPattern(
                        group + "\\s+" + topic + "\\s+0\\s+1\\s+4\\s+3\\s+\\S+\\s+/\\S+\\s+shown");
        assertThat(
                        groups(
                                        tools,
                                        clients,
                                        "--describe",
                                        "--group",
                                        group,
                                        "--members",
                                        "--verbose")
                                .out())
                .containsPattern(group + "\\s+\\S+\\s+/\\S+\\s+shown\\s+2");
        assertThat(groups(tools, clients, "--describe", "--group", group, "--state").out())
                .containsPattern(group + ".*Stable\\s+1");
        assertThat(groups(tools, clients, "--list").out().lines()).contains(group);
        assertThat(groups(tools, clients, "--list", "--state", "stable", "--type", protocol).out())
                .containsPattern(group + "\\s+.*Stable");
        assertThat(
                        TopicToolsTest.command(
                                        tools, clients.bootstrap(), "GroupsCommand", "--list")
                                .out())
                .containsPattern(
                        group
                                + "\\s+"
                                + (protocol.equals("classic") ? "Classic" : "Consumer")
                                + "\\s+consumer");
        assertThat(groups(tools, clients, "--delete", "--group", group).all())
                .containsIgnoringCase("not empty");
    }

    @Test
    void offsetsAreResetInAllWays(KafkaTools tools, Clients clients, @TempDir Path directory)
            throws IOException {
        String topic = clients.topic(1, "retention.ms", "-1");
        String group = Clients.name("group");
        fill(clients, topic);
        String all = "--all-topics";

        assertReset(tools, clients, group, 0, "--topic", topic, "--to-earliest");
        assertReset(tools, clients, group, 20, all, "--to-latest");
        assertReset(tools, clients, group, 7, "--topic", topic + ":0", "--to-offset", "7");
        assertReset(tools, clients, group, 12, all, "--shift-by", "5");
        assertReset(tools, clients, group, 9, all, "--shift-by", "-3");
        assertReset(tools, clients, group, 0, all, "--shift-by", "-300");
        assertReset(tools, clients, group, 5, all, "--to-datetime", "2023-11-14T22:18:20.000Z");
        assertReset(tools, clients, group, 0, all, "--by-duration", "P9000D");
        assertReset(tools, clients, group, 20, all, "--by-duration", "PT0S");
        Path file = directory.resolve("offsets.csv");
        Files.writeString(file, topic + ",0,11\n");
        assertReset(tools, clients, group, 11, all, "--from-file", file.toString());
        assertReset(tools, clients, group, 11, all, "--to-current");
        assertThat(
                        groups(
                                        tools,
                                        clients,
                                        "--reset-offsets",
                                        "--group",
                                        group,
                                        all,
                                        "--to-latest",
                                        "--dry-run",
                                        "--export")
                                .out())
                .containsPattern(topic + "\"?,0,20");
        assertThat(committed(clients, group, topic)).isEqualTo(11);
    }

    private static void assertReset(
            KafkaTools tools, Clients clients, String group, long expected, String... how) {
        String[] command =
                Stream.concat(
                                Stream.of("--reset-offsets", "--group", group, "--execute"),
                                Arrays.stream(how))
                        .toArray(String[]::new);
        KafkaTools.Result result = groups(tools, clients, command);
        assertThat(result.exitCode()).as(result.all()).isZero();
        assertThat(result.out())
                .as(String.join(" ", how))
                .containsPattern(group + "\\s+\\S+\\s+0\\s+" + expected + "\\s");
    }

    @Test
    void resetIsRefusedWhileTheGroupHasMembers(KafkaTools tools, Clients clients) {
        String topic = clients.topic(1);
        String group = Clients.name("group");
        Consumer<String, String> consumer = ConsumerGroupTest.member(clients, "classic", group);
        consumer.subscribe(List.of(topic));
        ConsumerGroupTest.awaitSizes(List.of(consumer), 1);

        KafkaTools.Result result =
                groups(
                        tools,
                        clients,
                        "--reset-offsets",
                        "--group",
                        group,
                        "--topic",
                        topic,
                        "--to-earliest",
                        "--execute");

        assertThat(result.all()).contains("Stable");
    }

    @Test
    void offsetsAndGroupsAreDeleted(KafkaTools tools, Clients clients) {
        String topic = clients.topic(1, "retention.ms", "-1");
        String group = Clients.name("group");
        fill(clients, topic);
        assertReset(tools, clients, group, 0, "--topic", topic, "--to-earliest");

        KafkaTools.Result offsets =
                groups(tools, clients, "--delete-offsets", "--group", group, "--topic", topic);
        assertThat(offsets.out()).contains("Successful").contains(topic);
        assertThat(groups(tools, clients, "--describe", "--group", group).out())
                .doesNotContain(topic);

        assertReset(tools, clients, group, 20, "--topic", topic, "--to-latest");
        assertThat(groups(tools, clients, "--delete", "--group", group).out())
                .contains(
                        "Deletion of requested consumer groups ('" + group + "') was successful.");
        assertThat(groups(tools, clients, "--delete", "--group", group).all())
                .containsIgnoringCase("not");
        assertThat(groups(tools, clients, "--list").out()).doesNotContain(group);
    }

    private static void fill(Clients clients, String topic) {
        Producer<String, String> producer = clients.producer();
        Clients.send(
                producer,
                IntStream.range(0, 20)
                        .mapToObj(i ->
                                new ProducerRecord<>(
                                        topic, 0, BASE_TIME_MS + i * 60_000L, "k", "v" + i))
                        .toList());
    }

    private static long committed(Clients clients, String group, String topic) {
        return Clients.get(
                        clients.admin()
                                .listConsumerGroupOffsets(group)
                                .partitionsToOffsetAndMetadata())
                .get(new TopicPartition(topic, 0))
                .offset();
    }

    private static KafkaTools.Result groups(
            KafkaTools tools, Clients clients, String... arguments) {
        return TopicToolsTest.command(
                tools, clients.bootstrap(), "consumer.group.ConsumerGroupCommand", arguments);
    }
}
