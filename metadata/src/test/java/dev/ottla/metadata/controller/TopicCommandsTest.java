package dev.ottla.metadata.controller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ottla.metadata.ConfigResource;
import dev.ottla.metadata.image.PartitionState;
import dev.ottla.metadata.image.TopicState;
import dev.ottla.wire.ErrorCode;
import dev.ottla.wire.Uuid;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TopicCommandsTest {
    private final TestCluster cluster = TestCluster.of(3);

    @Test
    void createdTopicHasLeadersOnEveryBroker() {
        CreatedTopic created =
                cluster.create(CreateTopic.named("t").withPartitions(6).withReplicationFactor(2));

        assertThat(created.error()).isEqualTo(ApiError.NONE);
        assertThat(created.partitionCount()).isEqualTo(6);
        assertThat(created.replicationFactor()).isEqualTo(2);
        TopicState topic = cluster.image().topic("t").orElseThrow();
        assertThat(topic.id()).isEqualTo(created.id());
        assertThat(topic.partitions().stream().map(PartitionState::leader))
                .containsExactlyInAnyOrder(1, 1, 2, 2, 3, 3);
        assertThat(topic.partitions())
                .allSatisfy(p -> {
                    assertThat(p.isr()).isEqualTo(p.replicas()).hasSize(2).doesNotHaveDuplicates();
                    assertThat(p.leaderEpoch()).isZero();
                    assertThat(p.directories())
                            .isEqualTo(
                                    p.replicas().stream()
                                            .map(id -> TestCluster.directory(id, 0))
                                            .toList());
                });
    }

    @Test
    void defaultsComeFromTheSettings() {
        TestCluster small = new TestCluster(Map.of("num.partitions", "5"));
        small.start(1);

        CreatedTopic created = small.create(CreateTopic.named("t"));

        assertThat(created.partitionCount()).isEqualTo(5);
        assertThat(created.replicationFactor()).isEqualTo(1);
    }

    @Test
    void defaultReplicationFactorIsThreeFromThreeBrokersUp() {
        assertThat(cluster.create(CreateTopic.named("t")).replicationFactor()).isEqualTo(3);
    }

    @Test
    void illegalNamesAreRefused() {
        for (String name : List.of("", ".", "..", "a b", "a/b", "é", "x".repeat(250))) {
            assertThat(cluster.create(CreateTopic.named(name)).error().code())
                    .as(name)
                    .isEqualTo(ErrorCode.INVALID_TOPIC_EXCEPTION);
        }
        assertThat(cluster.create(CreateTopic.named("__cluster_metadata")).error().code())
                .isEqualTo(ErrorCode.INVALID_REQUEST);
        assertThat(cluster.create(CreateTopic.named("x".repeat(249))).error())
                .isEqualTo(ApiError.NONE);
    }

    @Test
    void namesThatDifferOnlyInDotsAndUnderscoresCollide() {
        cluster.create(CreateTopic.named("a.b"));

        assertThat(cluster.create(CreateTopic.named("a_b")).error().code())
                .isEqualTo(ErrorCode.INVALID_TOPIC_EXCEPTION);
        List<CreatedTopic> together =
                cluster.run(c ->
                        c.createTopics(
                                List.of(CreateTopic.named("c_d"), CreateTopic.named("c.d")),
                                false));
        assertThat(together.stream().map(t -> t.error().code()))
                .containsExactly(ErrorCode.NONE, ErrorCode.INVALID_TOPIC_EXCEPTION);

        cluster.run(c -> c.deleteTopics(List.of("a.b"), List.of()));
        assertThat(cluster.create(CreateTopic.named("a_b")).error()).isEqualTo(ApiError.NONE);
    }

    @Test
    void anExistingNameIsRefused() {
        cluster.create(CreateTopic.named("t"));

        assertThat(cluster.create(CreateTopic.named("t")).error().code())
                .isEqualTo(ErrorCode.TOPIC_ALREADY_EXISTS);
    }

    @Test
    void aNameThatStandsTwiceInOneRequestIsCreatedNeverAtAll() {
        List<CreatedTopic> results =
                cluster.run(c ->
                        c.createTopics(
                                List.of(CreateTopic.named("t"), CreateTopic.named("t")), false));

        assertThat(results.stream().map(t -> t.error().code()))
                .containsExactly(ErrorCode.INVALID_REQUEST, ErrorCode.INVALID_REQUEST);
        assertThat(cluster.image().topic("t")).isEmpty();
    }

    @Test
    void partitionsBeyondTheMemoryOfTheClusterAreRefused() {
        TestCluster cluster = new TestCluster(Map.of(), new Machine(4, 10));
        cluster.start(1);
        cluster.create(CreateTopic.named("t").withPartitions(6).withReplicationFactor(1));

        CreatedTopic more =
                cluster.create(CreateTopic.named("u").withPartitions(5).withReplicationFactor(1));

        assertThat(more.error().code()).isEqualTo(ErrorCode.POLICY_VIOLATION);
        assertThat(more.error().message()).contains("has 6").contains("allows 10");
        assertThat(cluster.image().topic("u")).isEmpty();
    }

    @Test
    void impossibleCountsAreRefused() {
        CreateTopic topic = CreateTopic.named("t");
        assertThat(cluster.create(topic.withPartitions(0)).error().code())
                .isEqualTo(ErrorCode.INVALID_PARTITIONS);
        assertThat(cluster.create(topic.withPartitions(-2)).error().code())
                .isEqualTo(ErrorCode.INVALID_PARTITIONS);
        assertThat(cluster.create(topic.withPartitions(200_001)).error().code())
                .isEqualTo(ErrorCode.POLICY_VIOLATION);
        for (int factor : List.of(0, -2, 4)) {
            assertThat(cluster.create(topic.withReplicationFactor(factor)).error().code())
                    .isEqualTo(ErrorCode.INVALID_REPLICATION_FACTOR);
        }
    }

    @Test
    void assignmentsAreKeptAsGiven() {
        CreatedTopic created =
                cluster.create(
                        CreateTopic.named("t")
                                .withAssignments(Map.of(0, List.of(3, 1), 1, List.of(2, 3))));

        assertThat(created.error()).isEqualTo(ApiError.NONE);
        assertThat(cluster.partition("t", 0).replicas()).isEqualTo(List.of(3, 1));
        assertThat(cluster.partition("t", 0).leader()).isEqualTo(3);
        assertThat(cluster.partition("t", 1).replicas()).isEqualTo(List.of(2, 3));
    }

    @Test
    void wrongAssignmentsAreRefused() {
        List<Map<Integer, List<Integer>>> wrong =
                List.of(
                        Map.of(1, List.of(1)),
                        Map.of(0, List.of(1), 2, List.of(1)),
                        Map.of(0, List.of()),
                        Map.of(0, List.of(1, 1)),
                        Map.of(0, List.of(7)),
                        Map.of(0, List.of(1), 1, List.of(1, 2)));
        for (Map<Integer, List<Integer>> assignment : wrong) {
            assertThat(
                            cluster.create(CreateTopic.named("t").withAssignments(assignment))
                                    .error()
                                    .code())
                    .as(assignment.toString())
                    .isEqualTo(ErrorCode.INVALID_REPLICA_ASSIGNMENT);
        }
        CreateTopic both = CreateTopic.named("t").withAssignments(Map.of(0, List.of(1)));
        assertThat(cluster.create(both.withPartitions(1)).error().code())
                .isEqualTo(ErrorCode.INVALID_REQUEST);
        assertThat(cluster.create(both.withReplicationFactor(1)).error().code())
                .isEqualTo(ErrorCode.INVALID_REQUEST);
    }

    @Test
    void configsAreCheckedAndStored() {
        CreateTopic topic = CreateTopic.named("t");
        assertThat(cluster.create(topic.withConfig("no.such.key", "1")).error().code())
                .isEqualTo(ErrorCode.INVALID_CONFIG);
        assertThat(cluster.create(topic.withConfig("retention.ms", "abc")).error().code())
                .isEqualTo(ErrorCode.INVALID_CONFIG);
        CreateTopic withoutValue =
                new CreateTopic("t", -1, -1, Map.of(), Map.of("retention.ms", Optional.empty()));
        assertThat(cluster.create(withoutValue).error().code()).isEqualTo(ErrorCode.INVALID_CONFIG);

        cluster.create(topic.withConfig("retention.ms", "1000"));

        assertThat(cluster.image().config(ConfigResource.topic("t")))
                .isEqualTo(Map.of("retention.ms", "1000"));
    }

    @Test
    void validationChangesNothing() {
        List<CreatedTopic> results =
                cluster.run(c -> c.createTopics(List.of(CreateTopic.named("t")), true));

        assertThat(results.getFirst().error()).isEqualTo(ApiError.NONE);
        assertThat(results.getFirst().partitionCount()).isEqualTo(1);
        assertThat(results.getFirst().id()).isEqualTo(Uuid.ZERO);
        assertThat(cluster.image().topicCount()).isZero();
    }

    @Test
    void withoutBrokersNothingCanBeCreated() {
        CreatedTopic created = new TestCluster().create(CreateTopic.named("t"));

        assertThat(created.error().code()).isEqualTo(ErrorCode.INVALID_REPLICATION_FACTOR);
    }

    @Test
    void deletionTakesConfigurationAlong() {
        CreatedTopic created =
                cluster.create(CreateTopic.named("t").withConfig("retention.ms", "1000"));
        cluster.create(CreateTopic.named("kept"));

        List<TopicResult> results =
                cluster.run(c -> c.deleteTopics(List.of(), List.of(created.id())));

        assertThat(results.getFirst()).isEqualTo(new TopicResult("t", created.id(), ApiError.NONE));
        assertThat(cluster.image().topic("t")).isEmpty();
        assertThat(cluster.image().topic(created.id())).isEmpty();
        assertThat(cluster.image().config(ConfigResource.topic("t"))).isEmpty();
        assertThat(cluster.image().topicCount()).isEqualTo(1);
    }

    @Test
    void aRecreatedTopicHasAnotherId() {
        Uuid first = cluster.create(CreateTopic.named("t")).id();
        cluster.run(c -> c.deleteTopics(List.of("t"), List.of()));

        assertThat(cluster.create(CreateTopic.named("t")).id()).isNotEqualTo(first);
    }

    @Test
    void deletionOfTheUnknownIsRefused() {
        List<TopicResult> results =
                cluster.run(c -> c.deleteTopics(List.of("no"), List.of(new Uuid(5, 5))));

        assertThat(results.stream().map(r -> r.error().code()))
                .containsExactly(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, ErrorCode.UNKNOWN_TOPIC_ID);
    }

    @Test
    void deletionCanBeSwitchedOff() {
        TestCluster strict = new TestCluster(Map.of("delete.topic.enable", "false"));
        strict.start(1);
        strict.create(CreateTopic.named("t"));

        List<TopicResult> results = strict.run(c -> c.deleteTopics(List.of("t"), List.of()));

        assertThat(results.getFirst().error().code()).isEqualTo(ErrorCode.TOPIC_DELETION_DISABLED);
        assertThat(strict.image().topic("t")).isPresent();
    }

    @Test
    void partitionsAreAdded() {
        cluster.create(CreateTopic.named("t").withPartitions(2).withReplicationFactor(1));

        assertThat(grow(new CreatePartitions("t", 4, List.of()))).isEqualTo(ErrorCode.NONE);
        assertThat(grow(new CreatePartitions("t", 5, List.of(List.of(2)))))
                .isEqualTo(ErrorCode.NONE);

        assertThat(cluster.image().topic("t").orElseThrow().partitionCount()).isEqualTo(5);
        assertThat(cluster.partition("t", 4).replicas()).isEqualTo(List.of(2));
    }

    @Test
    void partitionsOnlyGrow() {
        cluster.create(CreateTopic.named("t").withPartitions(2).withReplicationFactor(1));

        assertThat(grow(new CreatePartitions("t", 2, List.of())))
                .isEqualTo(ErrorCode.INVALID_PARTITIONS);
        assertThat(grow(new CreatePartitions("t", 1, List.of())))
                .isEqualTo(ErrorCode.INVALID_PARTITIONS);
        assertThat(grow(new CreatePartitions("no", 9, List.of())))
                .isEqualTo(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION);
        assertThat(grow(new CreatePartitions("t", 4, List.of(List.of(1)))))
                .isEqualTo(ErrorCode.INVALID_REPLICA_ASSIGNMENT);
        assertThat(grow(new CreatePartitions("t", 3, List.of(List.of(1, 2)))))
                .isEqualTo(ErrorCode.INVALID_REPLICA_ASSIGNMENT);
    }

    private ErrorCode grow(CreatePartitions request) {
        return cluster.run(c -> c.createPartitions(List.of(request), false))
                .getFirst()
                .error()
                .code();
    }
}
