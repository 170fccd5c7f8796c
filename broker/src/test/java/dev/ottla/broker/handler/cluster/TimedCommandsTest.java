package dev.ottla.broker.handler.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ottla.broker.handler.TestMetadata;
import dev.ottla.broker.request.Asked;
import dev.ottla.config.BrokerLayers;
import dev.ottla.config.ConfigResolver;
import dev.ottla.config.Surroundings;
import dev.ottla.wire.ErrorCode;
import dev.ottla.wire.message.CreatePartitionsRequest;
import dev.ottla.wire.message.CreatePartitionsResponse;
import dev.ottla.wire.message.CreateTopicsRequest;
import dev.ottla.wire.message.CreateTopicsResponse;
import dev.ottla.wire.message.DeleteTopicsRequest;
import dev.ottla.wire.message.DeleteTopicsResponse;
import dev.ottla.wire.message.ElectLeadersRequest;
import dev.ottla.wire.message.ElectLeadersResponse;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What Apache Kafka 4.4.0 answers was asked of it.
final class TimedCommandsTest {
    private static final short TIMED_OUT = ErrorCode.REQUEST_TIMED_OUT.code();

    private final TestMetadata metadata = new TestMetadata(1);
    private long nowNs;
    private final TimedCommands commands = new TimedCommands(metadata.service(), () -> nowNs);

    @BeforeEach
    void createOne() {
        metadata.create("there", List.of(List.of(1)));
    }

    @Test
    void withoutTimeNothingIsDone() {
        for (int timeoutMs : new int[] {0, -1, Integer.MIN_VALUE}) {
            assertThat(create("new", timeoutMs)).isEqualTo(TIMED_OUT);
            assertThat(create("there", timeoutMs)).isEqualTo(TIMED_OUT);
            assertThat(addPartitions(timeoutMs)).isEqualTo(TIMED_OUT);
            assertThat(elect(timeoutMs)).isEqualTo(TIMED_OUT);
            assertThat(delete(timeoutMs)).isEqualTo(TIMED_OUT);
        }

        assertThat(metadata.image().topic("new")).isEmpty();
        assertThat(metadata.image().topic("there").orElseThrow().partitionCount()).isEqualTo(1);
    }

    @Test
    void inTimeItIsDone() {
        assertThat(create("new", 1)).isZero();
        assertThat(addPartitions(1)).isZero();
        assertThat(elect(1)).isZero();
        assertThat(delete(1)).isZero();
    }

    @Test
    void controllerThatComesTooLateDoesNothing() {
        nowNs = TimeUnit.MILLISECONDS.toNanos(500) + 1;

        assertThat(create("new", 500)).isEqualTo(TIMED_OUT);
        assertThat(create("new", 501)).isZero();
    }

    private short create(String name, int timeoutMs) {
        ConfigResolver config =
                new ConfigResolver(BrokerLayers.of(Map.of()), Surroundings.of(1, 1));
        return Asked.ask(
                        new CreateTopicsHandler(commands, () -> config),
                        7,
                        CreateTopicsRequest.builder()
                                .topics(
                                        List.of(
                                                CreateTopicsRequest.CreatableTopic.builder()
                                                        .name(name)
                                                        .numPartitions(1)
                                                        .replicationFactor((short) 1)
                                                        .build()))
                                .timeoutMs(timeoutMs)
                                .build(),
                        CreateTopicsResponse.class)
                .topics()
                .getFirst()
                .errorCode();
    }

    private short addPartitions(int timeoutMs) {
        return Asked.ask(
                        new CreatePartitionsHandler(commands),
                        3,
                        CreatePartitionsRequest.builder()
                                .topics(
                                        List.of(
                                                CreatePartitionsRequest.CreatePartitionsTopic
                                                        .builder()
                                                        .name("there")
                                                        .count(2)
                                                        .assignments(null)
                                                        .build()))
                                .timeoutMs(timeoutMs)
                                .build(),
                        CreatePartitionsResponse.class)
                .results()
                .getFirst()
                .errorCode();
    }

    private short elect(int timeoutMs) {
        return Asked.ask(
                        new ElectLeadersHandler(commands),
                        2,
                        ElectLeadersRequest.builder()
                                .topicPartitions(null)
                                .timeoutMs(timeoutMs)
                                .build(),
                        ElectLeadersResponse.class)
                .errorCode();
    }

    private short delete(int timeoutMs) {
        return Asked.ask(
                        new DeleteTopicsHandler(commands),
                        5,
                        DeleteTopicsRequest.builder()
                                .topicNames(List.of("there"))
                                .timeoutMs(timeoutMs)
                                .build(),
                        DeleteTopicsResponse.class)
                .responses()
                .getFirst()
                .errorCode();
    }
}
