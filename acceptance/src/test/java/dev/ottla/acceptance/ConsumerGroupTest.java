package dev.ottla.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ottla.testkit.Await;
import dev.ottla.testkit.RawConnection;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.GroupState;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.ConsumerGroupHeartbeatRequestData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.requests.ConsumerGroupHeartbeatRequest;
import org.apache.kafka.common.requests.ConsumerGroupHeartbeatResponse;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Kafka's consumer in groups, under both protocols: who gets which partition, when that changes,
/// where a group goes on.
@ExtendWith(SharedBroker.class)
@NullUnmarked // a null from a map of the answer fails the case just as well
class ConsumerGroupTest {
    @ParameterizedTest
    @ValueSource(strings = {"classic", "consumer"})
    void groupGoesOnWhereItCommitted(String protocol, Clients clients) {
        String topic = clients.topic(1);
        String group = Clients.name("group");
        clients.send(topic, numbers(10));
        TopicPartition partition = new TopicPartition(topic, 0);

        Consumer<String, String> first = member(clients, protocol, group, "max.poll.records", 4);
        first.subscribe(List.of(topic));
        List<ConsumerRecord<String, String>> read = Clients.poll(first, 4);
        first.commitSync(Map.of(partition, new OffsetAndMetadata(4, "four")));
        assertThat(first.committed(Set.of(partition)).get(partition).metadata()).isEqualTo("four");
        first.close();

        Consumer<String, String> second = member(clients, protocol, group);
        second.subscribe(List.of(topic));
        assertThat(read).extracting(ConsumerRecord::value).containsExactly("0", "1", "2", "3");
        assertThat(Clients.poll(second, 6)).extracting(ConsumerRecord::value).startsWith("4");
    }

    @ParameterizedTest
    @ValueSource(strings = {"classic", "consumer"})
    void autoCommitAndAsyncCommitReachTheGroup(String protocol, Clients clients) {
        String topic = clients.topic(1);
        clients.send(topic, numbers(10));
        TopicPartition partition = new TopicPartition(topic, 0);
        String automatic = Clients.name("group");
        String async = Clients.name("group");

        Consumer<String, String> auto =
                member(
                        clients,
                        protocol,
                        automatic,
                        "enable.auto.commit",
                        true,
                        "auto.commit.interval.ms",
                        200);
        auto.subscribe(List.of(topic));
        Clients.poll(auto, 10);
        Await.until(
                "the offset is committed by itself",
                () -> {
                    auto.poll(Duration.ofMillis(50));
                    return committed(clients, automatic, partition) == 10;
                });

        Consumer<String, String> byHand = member(clients, protocol, async);
        byHand.subscribe(List.of(topic));
        Clients.poll(byHand, 10);
        CompletableFuture<Long> done = new CompletableFuture<>();
        byHand.commitAsync((offsets, error) -> {
            if (error == null) {
                done.complete(offsets.get(partition).offset());
            } else {
                done.completeExceptionally(error);
            }
        });
        Await.until(
                "the commit is answered",
                () -> {
                    byHand.poll(Duration.ofMillis(50));
                    return done.isDone();
                });
        assertThat(done).isCompletedWithValue(10L);
        assertThat(committed(clients, async, partition)).isEqualTo(10);
    }

    @ParameterizedTest
    @ValueSource(strings = {"classic", "consumer"})
    void membersThatComeAndGoShareThePartitions(String protocol, Clients clients) {
        String topic = clients.topic(6);
        String group = Clients.name("group");
        Consumer<String, String> one = member(clients, protocol, group);
        Consumer<String, String> two = member(clients, protocol, group);
        Consumer<String, String> three = member(clients, protocol, group);

        one.subscribe(List.of(topic));
        awaitSizes(List.of(one), 6);
        two.subscribe(List.of(topic));
        awaitSizes(List.of(one, two), 3, 3);
        three.subscribe(List.of(topic));
        awaitSizes(List.of(one, two, three), 2, 2, 2);

        two.close();
        awaitSizes(List.of(one, three), 3, 3);
        one.unsubscribe();
        awaitSizes(List.of(three), 6);
    }

    @Test
    void classicMemberThatGoesSilentLosesItsPartitions(Clients clients) {
        String topic = clients.topic(4);
        String group = Clients.name("group");
        Consumer<String, String> silent =
                member(clients, "classic", group, "session.timeout.ms", 2_000);
        Consumer<String, String> other = member(clients, "classic", group);
        silent.subscribe(List.of(topic));
        other.subscribe(List.of(topic));
        awaitSizes(List.of(silent, other), 2, 2);

        // Stops its heartbeats and says no word to the coordinator.
        silent.close(
                CloseOptions.groupMembershipOperation(
                        CloseOptions.GroupMembershipOperation.REMAIN_IN_GROUP));

        assertThat(members(clients, group)).isEqualTo(2);
        awaitSizes(List.of(other), 4);
    }

    @Test
    void memberOfTheConsumerProtocolThatGoesSilentLosesItsPartitions(Clients clients)
            throws IOException {
        String topic = clients.topic(4);
        String group = Clients.name("group");
        GroupConfigs.set(clients, group, "consumer.session.timeout.ms", "2000");
        Consumer<String, String> other = member(clients, "consumer", group);
        other.subscribe(List.of(topic));
        awaitSizes(List.of(other), 4);

        try (RawConnection connection = RawConnection.open(clients.bootstrap())) {
            ConsumerGroupHeartbeatRequestData join =
                    new ConsumerGroupHeartbeatRequestData()
                            .setGroupId(group)
                            .setMemberId(Uuid.randomUuid().toString())
                            .setMemberEpoch(0)
                            .setRebalanceTimeoutMs(60_000)
                            .setSubscribedTopicNames(List.of(topic))
                            .setTopicPartitions(List.of());
            ConsumerGroupHeartbeatResponse joined =
                    connection.request(
                            new ConsumerGroupHeartbeatRequest.Builder(join)
                                    .build(ApiKeys.CONSUMER_GROUP_HEARTBEAT.latestVersion()),
                            ConsumerGroupHeartbeatResponse.class);
            assertThat(joined.data().errorCode()).isZero();
        }

        awaitSizes(List.of(other), 2);
        awaitSizes(List.of(other), 4);
        assertThat(members(clients, group)).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"classic", "consumer"})
    void staticMemberComesBackToItsPartitions(String protocol, Clients clients) {
        String topic = clients.topic(4);
        String group = Clients.name("group");
        Consumer<String, String> stays =
                member(clients, protocol, group, "group.instance.id", "stays");
        Consumer<String, String> restarts =
                member(clients, protocol, group, "group.instance.id", "restarts");
        stays.subscribe(List.of(topic));
        restarts.subscribe(List.of(topic));
        awaitSizes(List.of(stays, restarts), 2, 2);
        Set<TopicPartition> before = restarts.assignment();
        Set<TopicPartition> other = stays.assignment();

        restarts.close();
        Consumer<String, String> again =
                member(clients, protocol, group, "group.instance.id", "restarts");
        again.subscribe(List.of(topic));

        awaitSizes(List.of(again), 2);
        assertThat(again.assignment()).isEqualTo(before);
        stays.poll(Duration.ofMillis(100));
        assertThat(stays.assignment()).isEqualTo(other);
        assertThat(members(clients, group)).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"classic", "consumer"})
    void newPartitionsAreAssigned(String protocol, Clients clients) {
        String topic = clients.topic(1);
        Consumer<String, String> consumer =
                member(clients, protocol, Clients.name("group"), "metadata.max.age.ms", 300);
        consumer.subscribe(List.of(topic));
        awaitSizes(List.of(consumer), 1);

        Clients.get(
                clients.admin().createPartitions(Map.of(topic, NewPartitions.increaseTo(3))).all());

        awaitSizes(List.of(consumer), 3);
    }

    @ParameterizedTest
    @ValueSource(strings = {"classic", "consumer"})
    void patternsPickUpTopicsThatComeLater(String protocol, Clients clients) {
        String prefix = Clients.name("pattern");
        clients.create(prefix + "-a", 1);
        Consumer<String, String> consumer =
                member(clients, protocol, Clients.name("group"), "metadata.max.age.ms", 300);
        consumer.subscribe(Pattern.compile(Pattern.quote(prefix) + "-.*"));
        awaitSizes(List.of(consumer), 1);

        clients.create(prefix + "-b", 2);
        awaitSizes(List.of(consumer), 3);

        clients.send(prefix + "-b", "late");
        assertThat(Clients.poll(consumer, 1))
                .extracting(ConsumerRecord::topic)
                .containsExactly(prefix + "-b");
    }

    @ParameterizedTest
    @ValueSource(strings = {"classic", "consumer"})
    void subscriptionMayNameATopicThatComesLater(String protocol, Clients clients) {
        String topic = Clients.name("later");
        Consumer<String, String> consumer =
                member(clients, protocol, Clients.name("group"), "metadata.max.age.ms", 300);
        consumer.subscribe(List.of(topic));
        consumer.poll(Duration.ofMillis(300));
        assertThat(consumer.assignment()).isEmpty();

        clients.create(topic, 2);

        awaitSizes(List.of(consumer), 2);
    }

    @Test
    void commitOfAMemberThatWasReplacedIsRefused(Clients clients) {
        String topic = clients.topic(1);
        String group = Clients.name("group");
        clients.send(topic, numbers(3));
        Consumer<String, String> slow =
                member(clients, "classic", group, "max.poll.interval.ms", 1_000);
        slow.subscribe(List.of(topic));
        Clients.poll(slow, 3);

        // Not polling for longer than its interval, it leaves; the other takes over.
        Consumer<String, String> other = member(clients, "classic", group);
        other.subscribe(List.of(topic));
        awaitSizes(List.of(other), 1);

        assertThatThrownBy(slow::commitSync).isInstanceOf(CommitFailedException.class);
    }

    @Test
    void groupsReadOnePartitionEachTheirWay(Clients clients) {
        String topic = clients.topic(1);
        clients.send(topic, numbers(50));

        for (String protocol : List.of("classic", "consumer", "classic")) {
            Consumer<String, String> consumer = member(clients, protocol, Clients.name("group"));
            consumer.subscribe(List.of(topic));
            assertThat(Clients.poll(consumer, 50)).hasSize(50);
        }
    }

    @Test
    void recordsAreReadOnceWhileMembersComeAndGo(Clients clients) {
        String topic = clients.topic(6);
        String group = Clients.name("group");
        Producer<String, String> producer = clients.producer();
        Set<String> seen = new HashSet<>();
        List<Consumer<String, String>> members = new ArrayList<>();
        for (int round = 0; round < 3; round++) {
            int from = round * 300;
            Clients.send(
                    producer,
                    IntStream.range(from, from + 300)
                            .mapToObj(i -> new ProducerRecord<>(topic, i % 6, "k", "v" + i))
                            .toList());
            Consumer<String, String> joined =
                    member(clients, round == 1 ? "classic" : "consumer", group);
            joined.subscribe(List.of(topic));
            members.add(joined);
            Await.until(
                    "all records of the round are read",
                    () -> {
                        for (Consumer<String, String> member : members) {
                            for (ConsumerRecord<String, String> record :
                                    member.poll(Duration.ofMillis(50))) {
                                seen.add(record.value());
                            }
                            member.commitSync();
                        }
                        return seen.size() == from + 300;
                    });
        }
        Await.until("every member has its share", () -> sizes(members).equals(List.of(2, 2, 2)));
    }

    static Consumer<String, String> member(
            Clients clients, String protocol, String group, Object... settings) {
        return clients.consumer(
                Stream.concat(
                                Stream.of("group.protocol", protocol, "group.id", group),
                                Stream.of(settings))
                        .toArray());
    }

    /// Polls all until they have exactly so many partitions, in any order, and no partition twice.
    static void awaitSizes(List<Consumer<String, String>> members, Integer... expected) {
        List<Integer> sorted = Stream.of(expected).sorted().toList();
        Await.until(
                "assignments have the sizes " + sorted,
                Await.DEADLINE,
                () -> sizes(members).stream().sorted().toList().equals(sorted),
                () -> "but " + sizes(members));
        Set<TopicPartition> all = new HashSet<>();
        for (Consumer<String, String> member : members) {
            for (TopicPartition partition : member.assignment()) {
                assertThat(all.add(partition)).as("%s has one owner", partition).isTrue();
            }
        }
    }

    private static List<Integer> sizes(List<Consumer<String, String>> members) {
        for (Consumer<String, String> member : members) {
            // A record that comes here is of no interest to those who look at assignments only.
            member.poll(Duration.ofMillis(30));
        }
        return members.stream().map(member -> member.assignment().size()).toList();
    }

    private static long committed(Clients clients, String group, TopicPartition partition) {
        OffsetAndMetadata offset =
                Clients.get(
                                clients.admin()
                                        .listConsumerGroupOffsets(group)
                                        .partitionsToOffsetAndMetadata())
                        .get(partition);
        return offset == null ? -1 : offset.offset();
    }

    private static int members(Clients clients, String group) {
        var description =
                Clients.get(clients.admin().describeConsumerGroups(List.of(group)).all())
                        .get(group);
        assertThat(description.groupState()).isNotEqualTo(GroupState.DEAD);
        return description.members().size();
    }

    private static List<String> numbers(int count) {
        return IntStream.range(0, count).mapToObj(String::valueOf).toList();
    }
}
