package dev.ottla.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ottla.testkit.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.clients.admin.GroupListing;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Groups and their offsets move to another node when the one that coordinates them is killed.
@Order(4)
class GroupsInClusterTest {
    private static final int PARTITIONS = 4;
    private static final int ROUND = 400;

    private static ClusterProcesses cluster;

    @BeforeAll
    static void start() {
        cluster = ClusterProcesses.start(3, "offsets.topic.num.partitions=3");
        cluster.awaitVoters(1, 2, 3); // Else the one that is killed may be the only controller.
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"classic", "consumer"})
    void aGroupGoesOnWhereItWasWhenItsCoordinatorIsKilled(String protocol) {
        try (Clients clients = new Clients(cluster.bootstrap())) {
            String topic = Clients.name("grouped");
            NewTopic wanted = new NewTopic(topic, PARTITIONS, (short) 3);
            Clients.get(clients.admin().createTopics(List.of(wanted)).all());
            String group = Clients.name("group-" + protocol);
            List<Consumer<String, String>> members =
                    List.of(
                            member(clients, protocol, group, topic),
                            member(clients, protocol, group, topic));
            Producer<String, String> producer = clients.producer("acks", "all");
            untilShared(members);
            send(producer, topic, 0);
            readAndCommit(members, 0);
            Map<TopicPartition, Long> committed = committed(clients.admin(), group);
            assertThat(committed.values()).containsOnly((long) ROUND / PARTITIONS);

            assertThat(groups(clients.admin())).contains(group);

            int killed = description(clients.admin(), group).coordinator().id();
            cluster.node(killed).kill();

            assertThat(committed(clients.admin(), group)).isEqualTo(committed);
            send(producer, topic, ROUND);
            readAndCommit(members, ROUND);
            assertThat(committed(clients.admin(), group).values())
                    .containsOnly(2L * ROUND / PARTITIONS);
            ConsumerGroupDescription now = description(clients.admin(), group);
            assertThat(now.coordinator().id()).isNotEqualTo(killed);
            assertThat(now.members()).hasSize(2);
            assertThat(groups(clients.admin())).contains(group);

            cluster.node(killed).start();
            untilInSync(clients.admin());
        }
    }

    private static Consumer<String, String> member(
            Clients clients, String protocol, String group, String topic) {
        Consumer<String, String> member =
                clients.consumer(
                        ConsumerConfig.GROUP_PROTOCOL_CONFIG, protocol,
                        ConsumerConfig.GROUP_ID_CONFIG, group);
        member.subscribe(List.of(topic));
        return member;
    }

    private static void untilShared(List<Consumer<String, String>> members) {
        Await.until(
                "both members have partitions",
                Await.DEADLINE,
                () -> {
                    members.forEach(member -> member.poll(Duration.ofMillis(100)));
                    return members.stream()
                            .allMatch(member -> member.assignment().size() == PARTITIONS / 2);
                },
                cluster::output);
    }

    /// As many records as a round has, with the numbers from `first` on, in turn to the partitions.
    private static void send(Producer<String, String> producer, String topic, int first) {
        Clients.send(
                producer,
                IntStream.range(first, first + ROUND)
                        .mapToObj(number ->
                                new ProducerRecord<String, String>(
                                        topic, number % PARTITIONS, null, "" + number))
                        .toList());
    }

    /// The members read all numbers of a round, each once, and commit after each poll.
    private static void readAndCommit(List<Consumer<String, String>> members, int first) {
        List<Integer> read = new ArrayList<>();
        Await.until(
                "the group has read the numbers from " + first + " on",
                Await.DEADLINE,
                () -> {
                    for (Consumer<String, String> member : members) {
                        for (ConsumerRecord<String, String> found :
                                member.poll(Duration.ofMillis(100))) {
                            read.add(Integer.valueOf(found.value()));
                        }
                        member.commitSync();
                    }
                    return read.size() >= ROUND;
                },
                () -> "(%d of %d)%n%s".formatted(read.size(), ROUND, cluster.output()));
        assertThat(read)
                .containsExactlyInAnyOrderElementsOf(
                        IntStream.range(first, first + ROUND).boxed().toList());
    }

    private static Map<TopicPartition, Long> committed(Admin admin, String group) {
        return Clients.get(
                        admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata(group))
                .entrySet()
                .stream()
                .collect(Collectors.toMap(Map.Entry::getKey, e -> offset(e.getValue())));
    }

    private static long offset(OffsetAndMetadata committed) {
        return committed.offset();
    }

    /// The groups of all brokers; each tells of those that it coordinates.
    private static List<String> groups(Admin admin) {
        return Clients.get(admin.listGroups().all()).stream().map(GroupListing::groupId).toList();
    }

    private static ConsumerGroupDescription description(Admin admin, String group) {
        return Clients.get(
                Clients.of(admin.describeConsumerGroups(List.of(group)).describedGroups(), group));
    }

    private static void untilInSync(Admin admin) {
        Await.until(
                "all replicas are in sync",
                Await.DEADLINE,
                () -> {
                    List<String> topics = List.copyOf(Clients.get(admin.listTopics().names()));
                    return Clients.get(admin.describeTopics(topics).allTopicNames())
                            .values()
                            .stream()
                            .flatMap(topic -> topic.partitions().stream())
                            .allMatch(partition -> partition.isr().size() == 3);
                },
                cluster::output);
    }
}
