package dev.ottla.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ottla.testkit.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.CooperativeStickyAssignor;
import org.apache.kafka.clients.consumer.RangeAssignor;
import org.apache.kafka.clients.consumer.RoundRobinAssignor;
import org.apache.kafka.clients.consumer.StickyAssignor;
import org.apache.kafka.clients.consumer.SubscriptionPattern;
import org.apache.kafka.common.GroupState;
import org.apache.kafka.common.GroupType;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Every assignor, the client's and the server's, and what a rebalance takes away from whom.
@ExtendWith(SharedBroker.class)
@NullUnmarked // a null from a map of the answer fails the case just as well
class AssignorsTest {
    @ParameterizedTest
    @ValueSource(
            classes = {
                RangeAssignor.class,
                RoundRobinAssignor.class,
                StickyAssignor.class,
                CooperativeStickyAssignor.class
            })
    void clientsAssignorsShareTwoTopics(Class<?> assignor, Clients clients) {
        List<String> topics = List.of(clients.topic(3), clients.topic(3));
        String group = Clients.name("group");
        Object[] settings = {"partition.assignment.strategy", assignor.getName()};
        Consumer<String, String> one =
                ConsumerGroupTest.member(clients, "classic", group, settings);
        Consumer<String, String> two =
                ConsumerGroupTest.member(clients, "classic", group, settings);
        one.subscribe(topics);
        ConsumerGroupTest.awaitSizes(List.of(one), 6);
        two.subscribe(topics);

        if (assignor == RangeAssignor.class) {
            ConsumerGroupTest.awaitSizes(List.of(one, two), 4, 2);
        } else {
            ConsumerGroupTest.awaitSizes(List.of(one, two), 3, 3);
        }

        one.close();
        ConsumerGroupTest.awaitSizes(List.of(two), 6);
        assertThat(describe(clients, group).partitionAssignor())
                .isEqualTo(
                        assignor == CooperativeStickyAssignor.class
                                ? "cooperative-sticky"
                                : name(assignor));
    }

    @ParameterizedTest
    @ValueSource(strings = {"range", "uniform"})
    void serversAssignorsShareTwoTopics(String assignor, Clients clients) {
        List<String> topics = List.of(clients.topic(3), clients.topic(3));
        String group = Clients.name("group");
        Object[] settings = {"group.remote.assignor", assignor};
        Consumer<String, String> one =
                ConsumerGroupTest.member(clients, "consumer", group, settings);
        Consumer<String, String> two =
                ConsumerGroupTest.member(clients, "consumer", group, settings);
        one.subscribe(topics);
        ConsumerGroupTest.awaitSizes(List.of(one), 6);
        two.subscribe(topics);

        if (assignor.equals("range")) {
            ConsumerGroupTest.awaitSizes(List.of(one, two), 4, 2);
        } else {
            ConsumerGroupTest.awaitSizes(List.of(one, two), 3, 3);
        }

        assertThat(describe(clients, group).partitionAssignor()).isEqualTo(assignor);
        one.close();
        ConsumerGroupTest.awaitSizes(List.of(two), 6);
    }

    @Test
    void cooperativeMembersKeepWhatTheyMayKeep(Clients clients) {
        String topic = clients.topic(4);
        String group = Clients.name("group");
        Object[] settings = {
            "partition.assignment.strategy", CooperativeStickyAssignor.class.getName()
        };
        Recorder recorder = new Recorder();
        Consumer<String, String> one =
                ConsumerGroupTest.member(clients, "classic", group, settings);
        Consumer<String, String> two =
                ConsumerGroupTest.member(clients, "classic", group, settings);
        one.subscribe(List.of(topic), recorder);
        ConsumerGroupTest.awaitSizes(List.of(one), 4);

        two.subscribe(List.of(topic));
        ConsumerGroupTest.awaitSizes(List.of(one, two), 2, 2);

        assertThat(recorder.revoked).hasSize(2).doesNotContainAnyElementsOf(one.assignment());
        assertThat(recorder.lost).isEmpty();
    }

    @Test
    void consumerProtocolTakesAwayOnlyWhatMoves(Clients clients) {
        String topic = clients.topic(4);
        String group = Clients.name("group");
        Recorder recorder = new Recorder();
        Consumer<String, String> one = ConsumerGroupTest.member(clients, "consumer", group);
        Consumer<String, String> two = ConsumerGroupTest.member(clients, "consumer", group);
        one.subscribe(List.of(topic), recorder);
        ConsumerGroupTest.awaitSizes(List.of(one), 4);

        two.subscribe(List.of(topic));
        ConsumerGroupTest.awaitSizes(List.of(one, two), 2, 2);

        assertThat(recorder.revoked).hasSize(2).doesNotContainAnyElementsOf(one.assignment());
        assertThat(recorder.lost).isEmpty();
    }

    @Test
    void serverEvaluatesPatterns(Clients clients) {
        String prefix = Clients.name("re2");
        clients.create(prefix + "-a", 1);
        clients.create(prefix + "-x", 1);
        Consumer<String, String> consumer =
                ConsumerGroupTest.member(clients, "consumer", Clients.name("group"));
        consumer.subscribe(new SubscriptionPattern(Pattern.quote(prefix) + "-[ab]"));
        ConsumerGroupTest.awaitSizes(List.of(consumer), 1);

        clients.create(prefix + "-b", 2);

        ConsumerGroupTest.awaitSizes(List.of(consumer), 3);
        assertThat(consumer.assignment()).noneMatch(p -> p.topic().endsWith("-x"));
    }

    @Test
    void groupMovesFromTheClassicToTheConsumerProtocolAndBack(Clients clients) {
        String topic = clients.topic(4);
        String group = Clients.name("group");
        Consumer<String, String> classic = ConsumerGroupTest.member(clients, "classic", group);
        classic.subscribe(List.of(topic));
        ConsumerGroupTest.awaitSizes(List.of(classic), 4);
        assertThat(describe(clients, group).type()).isEqualTo(GroupType.CLASSIC);

        Consumer<String, String> modern = ConsumerGroupTest.member(clients, "consumer", group);
        modern.subscribe(List.of(topic));
        ConsumerGroupTest.awaitSizes(List.of(classic, modern), 2, 2);
        assertThat(describe(clients, group).type()).isEqualTo(GroupType.CONSUMER);

        modern.close();
        ConsumerGroupTest.awaitSizes(List.of(classic), 4);
        Await.until(
                "the group is a classic one again",
                () -> {
                    classic.poll(Duration.ofMillis(50));
                    return describe(clients, group).type() == GroupType.CLASSIC
                            && describe(clients, group).groupState() == GroupState.STABLE;
                });
    }

    private static String name(Class<?> assignor) {
        return assignor.getSimpleName().replace("Assignor", "").toLowerCase(java.util.Locale.ROOT);
    }

    private static org.apache.kafka.clients.admin.ConsumerGroupDescription describe(
            Clients clients, String group) {
        return Clients.get(clients.admin().describeConsumerGroups(List.of(group)).all()).get(group);
    }

    /// Remembers what was taken away. Called by the consumer's own thread only.
    private static final class Recorder implements ConsumerRebalanceListener {
        final Set<TopicPartition> revoked = new HashSet<>();
        final List<TopicPartition> lost = new ArrayList<>();

        @Override
        public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
            revoked.addAll(partitions);
        }

        @Override
        public void onPartitionsAssigned(Collection<TopicPartition> partitions) {}

        @Override
        public void onPartitionsLost(Collection<TopicPartition> partitions) {
            lost.addAll(partitions);
        }
    }
}
