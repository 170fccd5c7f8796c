package dev.ottla.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Kafka's tools that produce and consume.
@ExtendWith({SharedBroker.class, KafkaTools.Resolver.class})
class ConsoleToolsTest {
    @ParameterizedTest
    @ValueSource(strings = {"none", "gzip", "snappy", "lz4", "zstd"})
    void consoleProducerAndConsumerWithEveryCodec(String codec, KafkaTools tools, Clients clients) {
        String topic = clients.topic(1);
        String input = lines(200);

        KafkaTools.Result produced =
                produce(tools, clients, topic, input, "--compression-codec", codec);
        assertThat(produced.exitCode()).as(produced.all()).isZero();

        KafkaTools.Result consumed = consume(tools, clients, topic, 200);
        assertThat(consumed.out()).isEqualTo(input);
        assertThat(consumed.err()).contains("Processed a total of 200 messages");
    }

    @Test
    void keysHeadersAndTimestampsAreShown(KafkaTools tools, Clients clients) {
        String topic = clients.topic(1);
        produce(
                tools,
                clients,
                topic,
                "h1:v1,h2:v2\tkey\tvalue\n",
                "--reader-property",
                "parse.key=true",
                "--reader-property",
                "parse.headers=true");

        List<String> properties = new ArrayList<>();
        for (String what : List.of("key", "headers", "timestamp", "partition", "offset")) {
            properties.addAll(List.of("--formatter-property", "print." + what + "=true"));
        }
        KafkaTools.Result consumed =
                consume(tools, clients, topic, 1, properties.toArray(String[]::new));

        assertThat(consumed.out())
                .containsPattern(
                        "CreateTime:\\d{13}\tPartition:0\tOffset:0\th1:v1,h2:v2\tkey\tvalue");
    }

    @Test
    void producerSettingsReachTheBroker(KafkaTools tools, Clients clients) {
        String topic = clients.topic(1);
        for (String acks : List.of("0", "1", "all")) {
            produce(
                    tools,
                    clients,
                    topic,
                    acks + "\n",
                    "--command-property",
                    "acks=" + acks,
                    "--command-property",
                    "enable.idempotence=false");
        }
        produce(tools, clients, topic, "sync\n", "--sync");

        // In whatever order: the first one was not waited for.
        assertThat(consume(tools, clients, topic, 4).out().lines())
                .containsExactlyInAnyOrder("0", "1", "all", "sync");
    }

    @ParameterizedTest
    @ValueSource(strings = {"classic", "consumer"})
    void consoleConsumerInAGroupGoesOnWhereItWas(
            String protocol, KafkaTools tools, Clients clients) {
        String topic = clients.topic(1);
        String group = Clients.name("group");
        produce(tools, clients, topic, lines(100));
        String[] settings = {"--group", group, "--command-property", "group.protocol=" + protocol};

        String first = consume(tools, clients, topic, 60, settings).out();
        String second = consume(tools, clients, topic, 40, settings).out();

        assertThat(first + second).isEqualTo(lines(100));
    }

    @Test
    void consoleConsumerReadsOnePartitionFromAnOffset(KafkaTools tools, Clients clients) {
        String topic = clients.topic(1);
        produce(tools, clients, topic, lines(50));

        KafkaTools.Result result =
                tools.run(
                        "consumer.ConsoleConsumer",
                        "--bootstrap-server",
                        clients.bootstrap(),
                        "--topic",
                        topic,
                        "--partition",
                        "0",
                        "--offset",
                        "45",
                        "--max-messages",
                        "5",
                        "--timeout-ms",
                        "30000");

        assertThat(result.out().lines()).containsExactly("46", "47", "48", "49", "50");
    }

    @Test
    void performanceTests(KafkaTools tools, Clients clients) {
        String topic = clients.topic(3);
        KafkaTools.Result produced =
                tools.run(
                        "ProducerPerformance",
                        "--topic",
                        topic,
                        "--num-records",
                        "5000",
                        "--record-size",
                        "200",
                        "--throughput",
                        "-1",
                        "--bootstrap-server",
                        clients.bootstrap());
        assertThat(produced.exitCode()).as(produced.all()).isZero();
        assertThat(produced.out()).contains("5000 records sent", "99.9th.");

        KafkaTools.Result consumed =
                tools.run(
                        "ConsumerPerformance",
                        "--topic",
                        topic,
                        "--num-records",
                        "5000",
                        "--timeout",
                        "30000",
                        "--bootstrap-server",
                        clients.bootstrap());
        assertThat(consumed.exitCode()).as(consumed.all()).isZero();
        String last = consumed.out().lines().toList().getLast();
        assertThat(Arrays.asList(last.split(",\\s*", -1)).get(4)).isEqualTo("5000");
    }

    @Test
    void verifiableProducerAndConsumer(Clients clients) {
        String topic = clients.topic(1);
        KafkaTools.Result produced =
                KafkaTools.runAlone(
                        "VerifiableProducer",
                        "--topic",
                        topic,
                        "--max-messages",
                        "100",
                        "--acks",
                        "-1",
                        "--bootstrap-server",
                        clients.bootstrap());
        assertThat(produced.out()).contains("\"sent\":100", "\"acked\":100");

        KafkaTools.Result consumed =
                KafkaTools.runAlone(
                        "VerifiableConsumer",
                        "--topic",
                        topic,
                        "--max-messages",
                        "100",
                        "--group-id",
                        Clients.name("group"),
                        "--reset-policy",
                        "earliest",
                        "--bootstrap-server",
                        clients.bootstrap());
        assertThat(consumed.out())
                .contains("partitions_assigned", "offsets_committed", "\"maxOffset\":99");
    }

    private static KafkaTools.Result produce(
            KafkaTools tools, Clients clients, String topic, String input, String... more) {
        return tools.runWithInput(
                input,
                "ConsoleProducer",
                join(List.of("--bootstrap-server", clients.bootstrap(), "--topic", topic), more));
    }

    private static KafkaTools.Result consume(
            KafkaTools tools, Clients clients, String topic, int count, String... more) {
        return tools.run(
                "consumer.ConsoleConsumer",
                join(
                        List.of(
                                "--bootstrap-server",
                                clients.bootstrap(),
                                "--topic",
                                topic,
                                "--from-beginning",
                                "--max-messages",
                                String.valueOf(count),
                                "--timeout-ms",
                                "30000"),
                        more));
    }

    private static String[] join(List<String> some, String... more) {
        List<String> all = new ArrayList<>(some);
        all.addAll(Arrays.asList(more));
        return all.toArray(String[]::new);
    }

    private static String lines(int count) {
        return IntStream.rangeClosed(1, count)
                .mapToObj(i -> i + "\n")
                .collect(Collectors.joining());
    }
}
