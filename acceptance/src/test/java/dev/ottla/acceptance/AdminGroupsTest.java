package dev.ottla.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ottla.testkit.Await;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.clients.admin.GroupListing;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsSpec;
import org.apache.kafka.clients.admin.ListGroupsOptions;
import org.apache.kafka.clients.admin.MemberDescription;
import org.apache.kafka.clients.admin.MemberToRemove;
import org.apache.kafka.clients.admin.RemoveMembersFromConsumerGroupOptions;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.GroupState;
import org.apache.kafka.common.GroupType;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.apache.kafka.common.errors.GroupNotEmptyException;
import org.apache.kafka.common.errors.GroupSubscribedToTopicException;
import org.apache.kafka.common.errors.UnknownMemberIdException;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Kafka's admin client on groups and their offsets.
@ExtendWith(SharedBroker.class)
@NullUnmarked // a null from a map of the answer fails the case just as well
class AdminGroupsTest {
    @ParameterizedTest
    @ValueSource(strings = {"classic", "consumer"})
    void groupsAreListedAndDescribedWithTheirMembers(String protocol, Clients clients) {
        String topic = clients.topic(3);
        String group = Clients.name("group");
        Consumer<String, String> consumer =
                ConsumerGroupTest.member(
                        clients,
                        protocol,
                        group,
                        "client.id",
                        "my-client",
                        "group.instance.id",
                        "inst");
        consumer.subscribe(List.of(topic));
        ConsumerGroupTest.awaitSizes(List.of(consumer), 3);
        GroupType type = protocol.equals("classic") ? GroupType.CLASSIC : GroupType.CONSUMER;

        Await.until(
                "the group is stable",
                () -> describe(clients, group).groupState() == GroupState.STABLE);
        ConsumerGroupDescription description = describe(clients, group);
        assertThat(description.type()).isEqualTo(type);
        assertThat(description.coordinator().id()).isEqualTo(clients.brokerId());
        assertThat(description.members()).hasSize(1);
        MemberDescription member = description.members().iterator().next();
        assertThat(member.clientId()).isEqualTo("my-client");
        assertThat(member.groupInstanceId()).contains("inst");
        assertThat(member.host()).startsWith("/");
        assertThat(member.assignment().topicPartitions()).isEqualTo(consumer.assignment());

        assertThat(list(clients, new ListGroupsOptions().withTypes(Set.of(type))))
                .filteredOn(l -> l.groupId().equals(group))
                .hasSize(1)
                .allMatch(l -> l.groupState().orElseThrow() == GroupState.STABLE)
                .allMatch(l -> l.protocol().equals("consumer"));
        assertThat(list(clients, new ListGroupsOptions().inGroupStates(Set.of(GroupState.EMPTY))))
                .noneMatch(l -> l.groupId().equals(group));
    }

    @Test
    void classicGroupsAreDescribedByTheirOwnCall(Clients clients) {
        String topic = clients.topic(2);
        String group = Clients.name("group");
        Consumer<String, String> consumer = ConsumerGroupTest.member(clients, "classic", group);
        consumer.subscribe(List.of(topic));
        ConsumerGroupTest.awaitSizes(List.of(consumer), 2);

        var description =
                Clients.get(clients.admin().describeClassicGroups(List.of(group)).all()).get(group);

        assertThat(description.protocol()).isEqualTo("consumer");
        assertThat(description.protocolData()).isEqualTo("range");
        assertThat(description.state().toString()).isEqualTo("Stable");
        assertThat(description.members()).hasSize(1);
    }

    @Test
    void offsetsAreAlteredListedAndDeleted(Clients clients) {
        String topic = clients.topic(2);
        String group = Clients.name("group");
        TopicPartition zero = new TopicPartition(topic, 0);
        TopicPartition one = new TopicPartition(topic, 1);

        Clients.get(
                clients.admin()
                        .alterConsumerGroupOffsets(
                                group,
                                Map.of(
                                        zero,
                                        new OffsetAndMetadata(5, "note"),
                                        one,
                                        new OffsetAndMetadata(6)))
                        .all());
        assertThat(offsets(clients, group))
                .hasSize(2)
                .containsEntry(zero, new OffsetAndMetadata(5, "note"));
        assertThat(describe(clients, group).groupState()).isEqualTo(GroupState.EMPTY);

        Clients.get(clients.admin().deleteConsumerGroupOffsets(group, Set.of(zero)).all());
        assertThat(offsets(clients, group)).containsOnlyKeys(one);
    }

    @Test
    void offsetsOfSeveralGroupsComeInOneAnswer(Clients clients) {
        String topic = clients.topic(1);
        TopicPartition partition = new TopicPartition(topic, 0);
        List<String> groups = List.of(Clients.name("g"), Clients.name("g"), Clients.name("g"));
        for (int i = 0; i < groups.size(); i++) {
            Clients.get(
                    clients.admin()
                            .alterConsumerGroupOffsets(
                                    groups.get(i), Map.of(partition, new OffsetAndMetadata(10 + i)))
                            .all());
        }

        ListConsumerGroupOffsetsSpec spec =
                new ListConsumerGroupOffsetsSpec().topicPartitions(List.of(partition));
        var all =
                Clients.get(
                        clients.admin()
                                .listConsumerGroupOffsets(
                                        Map.of(
                                                groups.get(0),
                                                spec,
                                                groups.get(1),
                                                spec,
                                                groups.get(2),
                                                spec))
                                .all());

        for (int i = 0; i < groups.size(); i++) {
            assertThat(all.get(groups.get(i)).get(partition).offset()).isEqualTo(10 + i);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"classic", "consumer"})
    void groupsWithMembersAreProtected(String protocol, Clients clients) {
        String topic = clients.topic(1);
        String group = Clients.name("group");
        TopicPartition partition = new TopicPartition(topic, 0);
        Consumer<String, String> consumer = ConsumerGroupTest.member(clients, protocol, group);
        consumer.subscribe(List.of(topic));
        ConsumerGroupTest.awaitSizes(List.of(consumer), 1);
        consumer.commitSync(Map.of(partition, new OffsetAndMetadata(1)));

        assertThatThrownBy(() ->
                        Clients.get(clients.admin().deleteConsumerGroups(List.of(group)).all()))
                .isInstanceOf(GroupNotEmptyException.class);
        assertThatThrownBy(() ->
                        Clients.get(
                                clients.admin()
                                        .deleteConsumerGroupOffsets(group, Set.of(partition))
                                        .all()))
                .isInstanceOf(GroupSubscribedToTopicException.class);
        assertThatThrownBy(() ->
                        Clients.get(
                                clients.admin()
                                        .alterConsumerGroupOffsets(
                                                group, Map.of(partition, new OffsetAndMetadata(9)))
                                        .all()))
                .isInstanceOf(UnknownMemberIdException.class);

        consumer.close();
        Await.until(
                "the group is empty",
                () -> describe(clients, group).groupState() == GroupState.EMPTY);
        Clients.get(clients.admin().deleteConsumerGroups(List.of(group)).all());
        assertThat(list(clients, new ListGroupsOptions()))
                .noneMatch(l -> l.groupId().equals(group));
        assertThatThrownBy(() -> describe(clients, group))
                .isInstanceOf(GroupIdNotFoundException.class);
    }

    @Test
    void unknownGroupsAreRefused(Clients clients) {
        String missing = Clients.name("missing");

        assertThatThrownBy(() ->
                        Clients.get(clients.admin().deleteConsumerGroups(List.of(missing)).all()))
                .isInstanceOf(GroupIdNotFoundException.class);
        assertThatThrownBy(() -> describe(clients, missing))
                .isInstanceOf(GroupIdNotFoundException.class);
        assertThat(offsets(clients, missing)).isEmpty();
    }

    @Test
    void anAdministratorRemovesMembers(Clients clients) {
        String topic = clients.topic(2);
        String group = Clients.name("group");
        for (String instance : List.of("one", "two")) {
            Consumer<String, String> consumer =
                    ConsumerGroupTest.member(
                            clients, "classic", group, "group.instance.id", instance);
            consumer.subscribe(List.of(topic));
            ConsumerGroupTest.awaitSizes(List.of(consumer), 2);
            // The member stays in the group when its process ends.
            consumer.close(
                    CloseOptions.groupMembershipOperation(
                            CloseOptions.GroupMembershipOperation.REMAIN_IN_GROUP));
            assertThat(describe(clients, group).members()).hasSize(1);

            Clients.get(
                    clients.admin()
                            .removeMembersFromConsumerGroup(
                                    group,
                                    instance.equals("one")
                                            ? new RemoveMembersFromConsumerGroupOptions(
                                                    List.of(new MemberToRemove(instance)))
                                            : new RemoveMembersFromConsumerGroupOptions())
                            .all());

            assertThat(describe(clients, group).members()).isEmpty();
        }
    }

    private static ConsumerGroupDescription describe(Clients clients, String group) {
        return Clients.get(clients.admin().describeConsumerGroups(List.of(group)).all()).get(group);
    }

    private static Collection<GroupListing> list(Clients clients, ListGroupsOptions options) {
        return Clients.get(clients.admin().listGroups(options).all());
    }

    private static Map<TopicPartition, OffsetAndMetadata> offsets(Clients clients, String group) {
        return Clients.get(
                clients.admin().listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata());
    }
}
