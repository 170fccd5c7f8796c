package dev.ottla.metadata.controller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ottla.metadata.BrokerEndpoint;
import dev.ottla.metadata.image.BrokerState;
import dev.ottla.metadata.image.PartitionState;
import dev.ottla.wire.ErrorCode;
import dev.ottla.wire.Uuid;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class BrokerCommandsTest {
    @Test
    void brokerThatRunsIsNotRemoved() {
        TestCluster cluster = TestCluster.of(2);
        cluster.createOn("t", 2, 1);

        assertThat(cluster.run(c -> c.unregisterBroker(2)).code())
                .isEqualTo(ErrorCode.INVALID_REQUEST);
        cluster.fence(2);
        assertThat(cluster.run(c -> c.unregisterBroker(2)).isNone()).isTrue();

        assertThat(cluster.image().broker(2)).isEmpty();
        assertThat(cluster.partition("t", 0).replicas()).isEqualTo(List.of(2, 1));
        assertThat(cluster.partition("t", 0).leader()).isEqualTo(1);
    }

    @Test
    void everyStartRaisesTheLeaderEpochOfWhatTheBrokerLed() {
        TestCluster cluster = TestCluster.of(1);
        cluster.create(CreateTopic.named("t").withPartitions(3));
        long firstEpoch = cluster.epoch(1);

        for (int start = 1; start <= 3; start++) {
            cluster.start(1);

            for (int i = 0; i < 3; i++) {
                assertThat(cluster.partition("t", i).leader()).isEqualTo(1);
                assertThat(cluster.partition("t", i).leaderEpoch()).isEqualTo(start);
                assertThat(cluster.partition("t", i).isr()).isEqualTo(List.of(1));
            }
        }
        assertThat(cluster.epoch(1)).isGreaterThan(firstEpoch);
    }

    @Test
    void aFencedStartLeadsNothingUntilItIsUnfenced() {
        TestCluster cluster = TestCluster.of(1);
        cluster.createOn("t", 1);

        cluster.register(cluster.registration(1, false));
        assertThat(cluster.partition("t", 0).leader()).isEqualTo(PartitionState.NO_LEADER);
        assertThat(cluster.partition("t", 0).leaderEpoch()).isEqualTo(1);
        assertThat(cluster.partition("t", 0).isr()).isEqualTo(List.of(1));

        cluster.unfence(1);
        assertThat(cluster.partition("t", 0).leader()).isEqualTo(1);
        assertThat(cluster.partition("t", 0).leaderEpoch()).isEqualTo(2);
    }

    @Test
    void theSameIncarnationKeepsItsEpoch() {
        TestCluster cluster = new TestCluster();
        RegisterBroker registration = cluster.registration(1, true);

        long epoch = cluster.register(registration).brokerEpoch();

        assertThat(cluster.register(registration).brokerEpoch()).isEqualTo(epoch);
    }

    /// -1 says that a partition has no leader.
    @Test
    void negativeIdIsRefused() {
        TestCluster cluster = new TestCluster();

        assertThat(cluster.register(cluster.registration(-1, false)).error().code())
                .isEqualTo(ErrorCode.INVALID_REGISTRATION);
        assertThat(cluster.image().broker(-1)).isEmpty();
    }

    @Test
    void addressesThatNobodyCanReachAreRefused() {
        List<List<BrokerEndpoint>> unusable =
                List.of(
                        List.of(),
                        List.of(endpoint("A", "", 9092)),
                        List.of(endpoint("A", "two words", 9092)),
                        List.of(endpoint("A", "0.0.0.0", 9092)),
                        List.of(endpoint("A", "host", 9092), endpoint("B", "::", 9093)),
                        List.of(endpoint("A", "host", 0)),
                        List.of(endpoint("", "host", 9092)),
                        List.of(endpoint("A", "host", 9092), endpoint("A", "host", 9093)));
        TestCluster cluster = TestCluster.of(1);
        BrokerState known = cluster.image().broker(1).orElseThrow();

        for (List<BrokerEndpoint> endpoints : unusable) {
            ApiError error = register(cluster, 2, endpoints);

            assertThat(error.code()).as("%s", endpoints).isEqualTo(ErrorCode.INVALID_REGISTRATION);
            assertThat(error.message()).contains("Broker 2 registers");
            assertThat(cluster.run(c -> c.changeEndpoints(1, known.epoch(), endpoints)).code())
                    .isEqualTo(ErrorCode.INVALID_REGISTRATION);
        }
        assertThat(cluster.image().broker(2)).isEmpty();
        assertThat(cluster.image().broker(1)).contains(known);
        assertThat(register(cluster, 2, List.of(endpoint("A", "::1", 9092))))
                .isEqualTo(ApiError.NONE);
    }

    private static BrokerEndpoint endpoint(String listener, String host, int port) {
        return new BrokerEndpoint(listener, host, port, (short) 0);
    }

    private static ApiError register(TestCluster cluster, int id, List<BrokerEndpoint> endpoints) {
        RegisterBroker usual = cluster.registration(id, false);
        return cluster.register(
                        new RegisterBroker(
                                id,
                                usual.incarnationId(),
                                endpoints,
                                usual.features(),
                                usual.rack(),
                                usual.directories(),
                                usual.cordonedDirectories(),
                                usual.stoppedCleanly(),
                                usual.active()))
                .error();
    }

    @Test
    void theSameIncarnationMayBeFoundElsewhere() {
        TestCluster cluster = TestCluster.of(2);
        cluster.createOn("t", 2);
        BrokerState before = cluster.image().broker(2).orElseThrow();
        List<BrokerEndpoint> elsewhere =
                List.of(new BrokerEndpoint("PLAINTEXT", "elsewhere", 1234, (short) 0));

        cluster.run(controller -> controller.changeEndpoints(2, before.epoch(), elsewhere));

        BrokerState after = cluster.image().broker(2).orElseThrow();
        assertThat(after.endpoints()).isEqualTo(elsewhere);
        assertThat(after.epoch()).isEqualTo(before.epoch());
        assertThat(after.isActive()).isTrue();
        assertThat(cluster.partition("t", 0).leaderEpoch()).isZero();
    }

    @Test
    void secondBrokerOfTheSameIdIsRefusedWhileTheFirstIsInService() {
        TestCluster cluster = TestCluster.of(2);
        long epoch = cluster.epoch(2);
        RegisterBroker second = cluster.registration(2, false, TestCluster.directory(2, 5));

        assertThat(cluster.register(second).error().code())
                .isEqualTo(ErrorCode.DUPLICATE_BROKER_REGISTRATION);
        assertThat(cluster.image().broker(2).orElseThrow().epoch()).isEqualTo(epoch);

        cluster.fence(2);
        assertThat(cluster.register(second).error().isNone()).isTrue();
    }

    @Test
    void brokerThatHoldsTheDirectoriesOfTheRegisteredOneTakesItsPlaceAtOnce() {
        TestCluster cluster = TestCluster.of(2);
        RegisterBroker restarted =
                cluster.registration(
                        2, false, TestCluster.directory(2, 5), TestCluster.directory(2, 0));

        assertThat(cluster.register(restarted).error().isNone()).isTrue();
        assertThat(cluster.image().broker(2).orElseThrow().fenced()).isTrue();
    }

    @Test
    void fencingMovesLeadersAndUnfencingAloneDoesNotMoveThemBack() {
        TestCluster cluster = TestCluster.of(3);
        cluster.createOn("t", 1, 2, 3);

        cluster.fence(1);
        assertThat(cluster.partition("t", 0).leader()).isEqualTo(2);
        assertThat(cluster.partition("t", 0).isr()).isEqualTo(List.of(2, 3));
        assertThat(cluster.partition("t", 0).elr()).isEmpty();

        cluster.unfence(1);
        assertThat(cluster.partition("t", 0).leader()).isEqualTo(2);
        assertThat(cluster.partition("t", 0).isr()).isEqualTo(List.of(2, 3));
    }

    @Test
    void aStaleEpochIsRefused() {
        TestCluster cluster = TestCluster.of(1);

        assertThat(cluster.run(c -> c.fenceBroker(1, cluster.epoch(1) - 1)).code())
                .isEqualTo(ErrorCode.STALE_BROKER_EPOCH);
        assertThat(cluster.run(c -> c.fenceBroker(9, 1)).code())
                .isEqualTo(ErrorCode.BROKER_ID_NOT_REGISTERED);
    }

    @Test
    void whoLeavesAnIsrBelowTheMinimumStaysEligible() {
        TestCluster cluster = TestCluster.of(3);
        cluster.createOn("t", 1, 2, 3);

        cluster.fence(1);
        cluster.fence(2);
        assertThat(cluster.partition("t", 0).isr()).isEqualTo(List.of(3));
        assertThat(cluster.partition("t", 0).elr()).isEqualTo(List.of(2));

        cluster.fence(3);
        assertThat(cluster.partition("t", 0).leader()).isEqualTo(PartitionState.NO_LEADER);

        cluster.unfence(1);
        assertThat(cluster.partition("t", 0).leader()).isEqualTo(PartitionState.NO_LEADER);

        cluster.unfence(2);
        assertThat(cluster.partition("t", 0).leader()).isEqualTo(2);
        assertThat(cluster.partition("t", 0).isr()).isEqualTo(List.of(2));
        assertThat(cluster.partition("t", 0).elr()).isEqualTo(List.of(3));
    }

    @Test
    void uncleanElectionHappensOnlyWhereTheTopicAllowsIt() {
        TestCluster cluster = TestCluster.of(2);
        cluster.create(
                CreateTopic.named("risky")
                        .withAssignments(Map.of(0, List.of(1, 2)))
                        .withConfig("unclean.leader.election.enable", "true"));
        cluster.createOn("safe", 1, 2);
        cluster.fence(2);
        cluster.fence(1);

        cluster.unfence(2);

        assertThat(cluster.partition("risky", 0).leader()).isEqualTo(2);
        assertThat(cluster.partition("risky", 0).isr()).isEqualTo(List.of(2));
        assertThat(cluster.partition("risky", 0).recovering()).isTrue();
        assertThat(cluster.partition("safe", 0).leader()).isEqualTo(PartitionState.NO_LEADER);
        assertThat(cluster.partition("safe", 0).isr()).isEqualTo(List.of(1));
    }

    @Test
    void aLostDirectoryLeavesNoEmptyLeader() {
        Uuid first = TestCluster.directory(1, 0);
        Uuid second = TestCluster.directory(1, 1);
        TestCluster cluster = new TestCluster();
        cluster.start(1, first, second);
        cluster.create(CreateTopic.named("t").withPartitions(2));
        int onSecond = cluster.partition("t", 0).directoryOf(1).equals(second) ? 0 : 1;

        cluster.run(c -> c.onlineDirectories(1, cluster.epoch(1), List.of(first)));
        assertThat(cluster.partition("t", onSecond).leader()).isEqualTo(PartitionState.NO_LEADER);
        assertThat(cluster.partition("t", onSecond).isr()).isEqualTo(List.of(1));
        assertThat(cluster.partition("t", 1 - onSecond).leader()).isEqualTo(1);

        cluster.start(1, first, TestCluster.directory(1, 2));
        assertThat(cluster.partition("t", onSecond).leader()).isEqualTo(PartitionState.NO_LEADER);

        cluster.start(1, first, second);
        assertThat(cluster.partition("t", onSecond).leader()).isEqualTo(1);
    }

    @Test
    void aReplicaOnALostDirectoryLeavesTheIsrBeforeTheElection() {
        TestCluster cluster = TestCluster.of(3);
        cluster.createOn("t", 1, 2, 3);

        cluster.start(1, TestCluster.directory(1, 9));

        assertThat(cluster.partition("t", 0).leader()).isEqualTo(2);
        assertThat(cluster.partition("t", 0).isr()).isEqualTo(List.of(2, 3));
        assertThat(cluster.partition("t", 0).elr()).isEmpty();
    }

    @Test
    void controlledShutdownHandsLeadersOver() {
        TestCluster cluster = TestCluster.of(2);
        cluster.createOn("t", 1, 2);

        cluster.run(c -> c.beginControlledShutdown(1, cluster.epoch(1)));

        assertThat(cluster.partition("t", 0).leader()).isEqualTo(2);
        assertThat(cluster.image().broker(1).orElseThrow().isActive()).isFalse();
        assertThat(cluster.image().broker(1).orElseThrow().fenced()).isFalse();
    }

    @Test
    void cordonedDirectoriesGetNothingNew() {
        Uuid first = TestCluster.directory(1, 0);
        Uuid second = TestCluster.directory(1, 1);
        TestCluster cluster = new TestCluster();
        cluster.start(1, first, second);

        cluster.run(c -> c.cordonDirectories(1, cluster.epoch(1), List.of(first)));
        cluster.create(CreateTopic.named("t").withPartitions(4));

        assertThat(cluster.image().topic("t").orElseThrow().partitions())
                .allSatisfy(p -> assertThat(p.directories()).isEqualTo(List.of(second)));
    }
}
