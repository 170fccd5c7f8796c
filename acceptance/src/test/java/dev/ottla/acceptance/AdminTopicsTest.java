package dev.ottla.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ottla.testkit.Await;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.CreateTopicsOptions;
import org.apache.kafka.clients.admin.CreateTopicsResult;
import org.apache.kafka.clients.admin.DescribeTopicsOptions;
import org.apache.kafka.clients.admin.ListTopicsOptions;
import org.apache.kafka.clients.admin.LogDirDescription;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.ProducerState;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.admin.ReplicaInfo;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.ElectionType;
import org.apache.kafka.common.TopicCollection;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.TopicPartitionReplica;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.InvalidConfigurationException;
import org.apache.kafka.common.errors.InvalidPartitionsException;
import org.apache.kafka.common.errors.InvalidReplicaAssignmentException;
import org.apache.kafka.common.errors.InvalidReplicationFactorException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.OffsetOutOfRangeException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicIdException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// Kafka's admin client on topics, partitions, offsets and directories.
@ExtendWith(SharedBroker.class)
@NullUnmarked // a null from a map of the answer fails the case just as well
class AdminTopicsTest {
    @Test
    void topicsAreCreatedDescribedAndDeletedByNameAndById(Clients clients) {
        String name = Clients.name("topic");
        int broker = clients.brokerId();
        CreateTopicsResult created =
                clients.admin()
                        .createTopics(
                                List.of(
                                        new NewTopic(name, 3, (short) 1)
                                                .configs(Map.of("retention.ms", "3600000"))));
        Uuid id = Clients.get(created.topicId(name));
        assertThat(Clients.get(created.numPartitions(name))).isEqualTo(3);
        assertThat(Clients.get(created.replicationFactor(name))).isEqualTo(1);
        assertThat(Clients.get(created.config(name)).get("retention.ms").value())
                .isEqualTo("3600000");

        TopicDescription byName =
                Clients.get(clients.admin().describeTopics(List.of(name)).allTopicNames())
                        .get(name);
        TopicDescription byId =
                Clients.get(
                                clients.admin()
                                        .describeTopics(TopicCollection.ofTopicIds(List.of(id)))
                                        .allTopicIds())
                        .get(id);
        assertThat(byName.topicId()).isEqualTo(id).isNotEqualTo(Uuid.ZERO_UUID);
        assertThat(byId.name()).isEqualTo(name);
        assertThat(byName.isInternal()).isFalse();
        assertThat(byName.partitions()).hasSize(3);
        for (TopicPartitionInfo partition : byName.partitions()) {
            assertThat(partition.leader().id()).isEqualTo(broker);
            assertThat(partition.isr()).hasSize(1);
            assertThat(partition.replicas()).hasSize(1);
        }

        Clients.get(clients.admin().deleteTopics(TopicCollection.ofTopicIds(List.of(id))).all());
        Await.until(
                "the topic is gone",
                () -> !Clients.get(clients.admin().listTopics().names()).contains(name));
        assertThatThrownBy(() ->
                        Clients.get(clients.admin().describeTopics(List.of(name)).allTopicNames()))
                .isInstanceOf(UnknownTopicOrPartitionException.class);
    }

    @Test
    void createRefusesWhatCannotBe(Clients clients) {
        String existing = clients.topic(1);

        assertCreateFails(
                clients, new NewTopic(existing, 1, (short) 1), TopicExistsException.class);
        assertCreateFails(
                clients,
                new NewTopic(Clients.name("t"), 1, (short) 9),
                InvalidReplicationFactorException.class);
        assertCreateFails(
                clients,
                new NewTopic(Clients.name("t"), 0, (short) 1),
                InvalidPartitionsException.class);
        assertCreateFails(clients, new NewTopic("a b", 1, (short) 1), InvalidTopicException.class);
        assertCreateFails(
                clients, new NewTopic("x".repeat(250), 1, (short) 1), InvalidTopicException.class);
        assertCreateFails(
                clients,
                new NewTopic(Clients.name("t"), 1, (short) 1).configs(Map.of("no.such.key", "1")),
                InvalidConfigurationException.class);
        assertCreateFails(
                clients,
                new NewTopic(Clients.name("t"), 1, (short) 1)
                        .configs(Map.of("retention.ms", "soon")),
                InvalidConfigurationException.class);
        assertCreateFails(
                clients,
                new NewTopic(Clients.name("t"), Map.of(0, List.of(4_711))),
                InvalidReplicaAssignmentException.class);
    }

    @Test
    void validateOnlyCreatesNothing(Clients clients) {
        String name = Clients.name("topic");

        CreateTopicsResult result =
                clients.admin()
                        .createTopics(
                                List.of(new NewTopic(name, 4, (short) 1)),
                                new CreateTopicsOptions().validateOnly(true));

        assertThat(Clients.get(result.numPartitions(name))).isEqualTo(4);
        assertThat(Clients.get(clients.admin().listTopics().names())).doesNotContain(name);
    }

    @Test
    void assignmentByHandAndDefaultsAreFollowed(Clients clients) {
        String byHand = Clients.name("topic");
        String defaults = Clients.name("topic");
        int broker = clients.brokerId();

        Clients.get(
                clients.admin()
                        .createTopics(
                                List.of(
                                        new NewTopic(
                                                byHand,
                                                Map.of(0, List.of(broker), 1, List.of(broker))),
                                        new NewTopic(defaults, Optional.empty(), Optional.empty())))
                        .all());

        Map<String, TopicDescription> described =
                Clients.get(
                        clients.admin().describeTopics(List.of(byHand, defaults)).allTopicNames());
        assertThat(described.get(byHand).partitions()).hasSize(2);
        assertThat(described.get(defaults).partitions()).hasSize(1);
    }

    @Test
    void internalTopicsAreListedOnlyWhenAskedFor(Clients clients) {
        String topic = clients.topic(1);
        var consumer = clients.consumer("group.id", Clients.name("group"));
        consumer.subscribe(List.of(topic));
        ConsumerGroupTest.awaitSizes(List.of(consumer), 1);

        assertThat(Clients.get(clients.admin().listTopics().names()))
                .contains(topic)
                .doesNotContain("__consumer_offsets");
        assertThat(
                        Clients.get(
                                clients.admin()
                                        .listTopics(new ListTopicsOptions().listInternal(true))
                                        .names()))
                .contains("__consumer_offsets");
    }

    @Test
    void descriptionsComeInPages(Clients clients) {
        String wide = clients.topic(25);
        String other = clients.topic(25);

        Map<String, TopicDescription> described =
                Clients.get(
                        clients.admin()
                                .describeTopics(
                                        List.of(wide, other),
                                        new DescribeTopicsOptions()
                                                .partitionSizeLimitPerResponse(7))
                                .allTopicNames());

        for (String topic : List.of(wide, other)) {
            assertThat(described.get(topic).partitions())
                    .extracting(TopicPartitionInfo::partition)
                    .isEqualTo(IntStream.range(0, 25).boxed().toList());
        }
    }

    @Test
    void partitionsAreAddedAndNeverTaken(Clients clients) {
        String topic = clients.topic(2);
        int broker = clients.brokerId();

        Clients.get(
                clients.admin()
                        .createPartitions(
                                Map.of(
                                        topic,
                                        NewPartitions.increaseTo(
                                                4, List.of(List.of(broker), List.of(broker)))))
                        .all());

        assertThat(
                        Clients.get(clients.admin().describeTopics(List.of(topic)).allTopicNames())
                                .get(topic)
                                .partitions())
                .hasSize(4);
        clients.send(topic, "usable at once");
        for (int count : new int[] {3, 4}) {
            assertThatThrownBy(() ->
                            Clients.get(
                                    clients.admin()
                                            .createPartitions(
                                                    Map.of(topic, NewPartitions.increaseTo(count)))
                                            .all()))
                    .isInstanceOf(InvalidPartitionsException.class);
        }
    }

    @Test
    void deletedRecordsStayDeleted(Clients clients) {
        String topic = clients.topic(1);
        TopicPartition partition = new TopicPartition(topic, 0);
        clients.send(topic, IntStream.range(0, 20).mapToObj(String::valueOf).toList());

        long low =
                Clients.get(
                                clients.admin()
                                        .deleteRecords(
                                                Map.of(partition, RecordsToDelete.beforeOffset(8)))
                                        .lowWatermarks()
                                        .get(partition))
                        .lowWatermark();

        assertThat(low).isEqualTo(8);
        assertThat(clients.offset(topic, 0, OffsetSpec.earliest())).isEqualTo(8);
        assertThat(clients.readAll(topic)).hasSize(12);
        assertThatThrownBy(() ->
                        Clients.get(
                                clients.admin()
                                        .deleteRecords(
                                                Map.of(partition, RecordsToDelete.beforeOffset(21)))
                                        .all()))
                .isInstanceOf(OffsetOutOfRangeException.class);
        Clients.get(
                clients.admin()
                        .deleteRecords(Map.of(partition, RecordsToDelete.beforeOffset(-1)))
                        .all());
        assertThat(clients.offset(topic, 0, OffsetSpec.earliest())).isEqualTo(20);
    }

    @Test
    void everyKindOfOffsetIsListed(Clients clients) {
        String topic = clients.topic(1, "retention.ms", "-1");
        Producer<String, String> producer = clients.producer();
        long base = 1_700_000_000_000L;
        for (long delta : new long[] {0, 5_000, 9_000, 7_000}) {
            Clients.send(
                    producer,
                    List.of(new ProducerRecord<>(topic, 0, base + delta, "k", "v" + delta)));
        }

        assertThat(clients.offset(topic, 0, OffsetSpec.earliest())).isZero();
        assertThat(clients.offset(topic, 0, OffsetSpec.latest())).isEqualTo(4);
        assertThat(clients.offset(topic, 0, OffsetSpec.maxTimestamp())).isEqualTo(2);
        assertThat(clients.offset(topic, 0, OffsetSpec.forTimestamp(base + 4_000))).isEqualTo(1);
        assertThat(clients.offset(topic, 0, OffsetSpec.forTimestamp(base + 99_000))).isEqualTo(-1);
        assertThat(clients.offset(topic, 0, OffsetSpec.earliestLocal())).isZero();
        assertThat(clients.offset(topic, 0, OffsetSpec.latestTiered())).isEqualTo(-1);
        assertThat(clients.offset(clients.topic(1), 0, OffsetSpec.maxTimestamp())).isEqualTo(-1);
        TopicPartition partition = new TopicPartition(topic, 0);
        var info =
                Clients.get(
                        clients.admin()
                                .listOffsets(Map.of(partition, OffsetSpec.maxTimestamp()))
                                .partitionResult(partition));
        assertThat(info.timestamp()).isEqualTo(base + 9_000);
        assertThat(info.leaderEpoch()).isPresent();
    }

    @Test
    void logDirectoriesShowTheSizeOfAReplica(Clients clients) {
        String topic = clients.topic(1);
        int broker = clients.brokerId();
        clients.send(topic, "x".repeat(10_000));

        Map<String, LogDirDescription> directories =
                Clients.get(clients.admin().describeLogDirs(List.of(broker)).allDescriptions())
                        .get(broker);

        TopicPartition partition = new TopicPartition(topic, 0);
        String path =
                directories.entrySet().stream()
                        .filter(e -> e.getValue().replicaInfos().containsKey(partition))
                        .map(Map.Entry::getKey)
                        .findFirst()
                        .orElseThrow();
        LogDirDescription directory = directories.get(path);
        ReplicaInfo replica = directory.replicaInfos().get(partition);
        assertThat(directory.error()).isNull();
        assertThat(replica.size()).isGreaterThan(10_000);
        assertThat(replica.offsetLag()).isZero();
        assertThat(replica.isFuture()).isFalse();
        assertThat(directory.totalBytes().orElseThrow())
                .isGreaterThan(directory.usableBytes().orElseThrow());

        // Where the replica already is: accepted, nothing moves.
        TopicPartitionReplica where = new TopicPartitionReplica(topic, 0, broker);
        Clients.get(clients.admin().alterReplicaLogDirs(Map.of(where, path)).all());
        assertThat(
                        Clients.get(clients.admin().describeReplicaLogDirs(List.of(where)).all())
                                .get(where)
                                .getCurrentReplicaLogDir())
                .isEqualTo(path);
    }

    @Test
    void producersOfAPartitionAreDescribed(Clients clients) {
        String topic = clients.topic(1);
        TopicPartition partition = new TopicPartition(topic, 0);
        Producer<String, String> producer = clients.producer("enable.idempotence", true);
        for (int i = 0; i < 3; i++) {
            Clients.send(producer, List.of(new ProducerRecord<>(topic, 0, "k", "v")));
        }

        List<ProducerState> states =
                Clients.get(clients.admin().describeProducers(List.of(partition)).all())
                        .get(partition)
                        .activeProducers();

        assertThat(states).hasSize(1);
        assertThat(states.getFirst().lastSequence()).isEqualTo(2);
        assertThat(states.getFirst().producerEpoch()).isZero();
        assertThat(states.getFirst().currentTransactionStartOffset()).isEmpty();
    }

    @Test
    void electionsAnswerForEachPartition(Clients clients) {
        String topic = clients.topic(2);
        Set<TopicPartition> partitions =
                Set.of(new TopicPartition(topic, 0), new TopicPartition(topic, 1));
        for (ElectionType type : ElectionType.values()) {
            Map<TopicPartition, Optional<Throwable>> result =
                    Clients.get(clients.admin().electLeaders(type, partitions).partitions());

            // There is nothing to elect: the leader is there and is the preferred one.
            assertThat(result.keySet()).isEqualTo(partitions);
            assertThat(result.values())
                    .allSatisfy(e ->
                            assertThat(e.orElseThrow())
                                    .isInstanceOf(
                                            org.apache.kafka.common.errors
                                                    .ElectionNotNeededException.class));
        }
    }

    @Test
    void unknownTopicsAreNamedInTheAnswer(Clients clients) {
        String missing = Clients.name("missing");

        assertThatThrownBy(() -> Clients.get(clients.admin().deleteTopics(List.of(missing)).all()))
                .isInstanceOf(UnknownTopicOrPartitionException.class);
        assertThatThrownBy(() ->
                        Clients.get(
                                clients.admin()
                                        .deleteTopics(
                                                TopicCollection.ofTopicIds(
                                                        List.of(Uuid.randomUuid())))
                                        .all()))
                .isInstanceOf(UnknownTopicIdException.class);
        assertThatThrownBy(() ->
                        Clients.get(
                                clients.admin()
                                        .createPartitions(
                                                Map.of(missing, NewPartitions.increaseTo(2)))
                                        .all()))
                .isInstanceOf(UnknownTopicOrPartitionException.class);
    }

    private static void assertCreateFails(
            Clients clients, NewTopic topic, Class<? extends Exception> expected) {
        assertThatThrownBy(() -> Clients.get(clients.admin().createTopics(List.of(topic)).all()))
                .isInstanceOf(expected)
                .hasMessageMatching("(?s).{5,}");
    }
}
