package dev.ottla.broker.controlling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ottla.broker.address.PeerAddresses;
import dev.ottla.broker.handler.TestMetadata;
import dev.ottla.broker.handler.controller.AllocateProducerIdsHandler;
import dev.ottla.broker.handler.controller.AlterPartitionHandler;
import dev.ottla.broker.handler.controller.AssignReplicasToDirsHandler;
import dev.ottla.broker.handler.controller.BrokerHeartbeatHandler;
import dev.ottla.broker.handler.controller.BrokerRegistrationHandler;
import dev.ottla.config.HostPort;
import dev.ottla.metadata.BrokerEndpoint;
import dev.ottla.metadata.Features;
import dev.ottla.metadata.NotControllerException;
import dev.ottla.metadata.controller.AlterPartition;
import dev.ottla.metadata.controller.AlteredPartition;
import dev.ottla.metadata.controller.ApiError;
import dev.ottla.metadata.controller.AssignDirectory;
import dev.ottla.metadata.controller.IsrMember;
import dev.ottla.metadata.controller.PartitionId;
import dev.ottla.metadata.controller.ProducerIdBlock;
import dev.ottla.metadata.controller.RegisterBroker;
import dev.ottla.metadata.controller.RegisteredBroker;
import dev.ottla.metadata.image.BrokerState;
import dev.ottla.metadata.image.PartitionState;
import dev.ottla.metadata.liveness.BrokerIncarnation;
import dev.ottla.metadata.liveness.Finding;
import dev.ottla.wire.ErrorCode;
import dev.ottla.wire.Uuid;
import dev.ottla.wire.message.AlterPartitionResponse;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Node 2, which is not the controller, asks node 1, which is.
final class ControllerLinkTest {
    private static final HostPort CONTROLLER = new HostPort("host1", 9092);
    private static final HostPort FORMER = new HostPort("host3", 9092);
    private static final String CLUSTER = "cluster";
    private static final Uuid FIRST = new Uuid(7, 1);
    private static final Uuid SECOND = new Uuid(7, 2);

    private final TestMetadata controller = new TestMetadata(1);
    private final TestMetadata own = new TestMetadata(0);
    private final ManualDelays time = new ManualDelays();
    private final HandlerPeers nodes = new HandlerPeers();
    private Optional<HostPort> leader = Optional.of(CONTROLLER);
    private Finding finding = Finding.REFUSED;
    private final ControllerLink link =
            new ControllerLink(
                    new ControllerLink.Surroundings(
                            2,
                            own.service(),
                            own::execute,
                            liveness(own, 2),
                            () -> leader,
                            () -> List.of(FORMER, CONTROLLER),
                            nodes,
                            time,
                            time::nowNs));

    ControllerLinkTest() {
        own.resign();
        serve(CONTROLLER, controller);
    }

    private void serve(HostPort address, TestMetadata metadata) {
        serve(address, metadata, CLUSTER);
    }

    private void serve(HostPort address, TestMetadata metadata, String clusterId) {
        nodes.put(
                address,
                new BrokerRegistrationHandler(
                        metadata.service(),
                        clusterId,
                        new Takeover(
                                metadata::image,
                                new PeerAddresses("PLAINTEXT"),
                                (_, found) -> found.accept(finding))),
                new BrokerHeartbeatHandler(liveness(metadata, 1)),
                new AlterPartitionHandler(metadata.service()),
                new AllocateProducerIdsHandler(metadata.service()),
                new AssignReplicasToDirsHandler(metadata.service()));
    }

    private Liveness liveness(TestMetadata metadata, int id) {
        return new Liveness(
                new Liveness.Surroundings(
                        id,
                        9_000,
                        2_000,
                        metadata.service(),
                        metadata::execute,
                        new PeerAddresses("PLAINTEXT"),
                        (_, _) -> {},
                        time,
                        time::nowNs));
    }

    @Test
    void registrationArrivesWhole() {
        BrokerIncarnation two = register();

        BrokerState state = controller.image().broker(2).orElseThrow();
        assertThat(state.epoch()).isEqualTo(two.epoch());
        assertThat(state.fenced()).isTrue();
        assertThat(state.rack()).contains("rack-2");
        assertThat(state.features()).isEqualTo(Features.supported());
        assertThat(state.directories()).containsExactly(FIRST, SECOND);
        assertThat(state.endpoints())
                .containsExactly(new BrokerEndpoint("PLAINTEXT", "host2", 9093, (short) 0));
    }

    @Test
    void registrationInAnotherClusterIsRefused() {
        RegisteredBroker registered =
                link.register(registration(FIRST), "other", false, 1_000).join();

        assertThat(registered.error().code()).isEqualTo(ErrorCode.INCONSISTENT_CLUSTER_ID);
    }

    @Test
    void idOfABrokerThatAnswersIsTakenAtOnce() {
        letIn(register());
        finding = Finding.ANSWERED;

        RegisteredBroker second = again().join();

        assertThat(second.error().code()).isEqualTo(ErrorCode.DUPLICATE_BROKER_REGISTRATION);
        assertThat(second.error().message())
                .startsWith("another process is node 2 of this cluster already at host2:9093");
    }

    @Test
    void brokerThatHasLostItsDirectoriesWaitsUntilItsFormerSessionIsOver() {
        letIn(register());
        CompletableFuture<RegisteredBroker> second = again();
        time.pass(5_000);
        assertThat(second).isNotDone();

        controller.fence(2);
        time.pass(5_000);

        assertThat(second.join().error()).isEqualTo(ApiError.NONE);
    }

    @Test
    void nobodyWaitsLongerThanAFormerSessionMayLast() {
        letIn(register());
        CompletableFuture<RegisteredBroker> second = again();

        time.pass(20_000);

        assertThat(second.join().error().code()).isEqualTo(ErrorCode.DUPLICATE_BROKER_REGISTRATION);
    }

    @Test
    void memberLooksForTheControllerHoweverLongItTakes() {
        nodes.remove(CONTROLLER);
        CompletableFuture<RegisteredBroker> registered =
                Registration.of(registering(), registration(FIRST), CLUSTER, OptionalLong.empty());
        time.pass(300_000);
        assertThat(registered).isNotDone();

        serve(CONTROLLER, controller);
        time.pass(1_000);

        assertThat(registered.join().error()).isEqualTo(ApiError.NONE);
    }

    @Test
    void memberPassesOverANodeThatBeganAnotherClusterAtAKnownAddress() {
        leader = Optional.empty();
        serve(FORMER, new TestMetadata(3), "another cluster");

        CompletableFuture<RegisteredBroker> registered =
                Registration.of(registering(), registration(FIRST), CLUSTER, OptionalLong.empty());
        time.pass(1_000);

        assertThat(registered.join().error()).isEqualTo(ApiError.NONE);
        assertThat(controller.image().broker(2)).isPresent();
    }

    /// The same node id from other directories.
    private CompletableFuture<RegisteredBroker> again() {
        return Registration.of(
                registering(), registration(new Uuid(8, 8)), CLUSTER, OptionalLong.of(60_000));
    }

    private Registration.Surroundings registering() {
        return new Registration.Surroundings(
                link,
                (_, found) -> found.accept(finding),
                () -> "What is known.",
                () -> Optional.of(new HostPort("host2", 9093)),
                9_000,
                own::execute,
                time,
                time::nowNs);
    }

    @Test
    void heartbeatLetsTheBrokerIn() {
        LifeAnswer answer = letIn(register());

        assertThat(answer.error()).isEqualTo(ErrorCode.NONE);
        assertThat(answer.fenced()).isFalse();
        assertThat(controller.image().broker(2).orElseThrow().fenced()).isFalse();
    }

    @Test
    void alteredPartitionsComeInTheOrderOfTheChanges() {
        BrokerIncarnation two = register();
        letIn(two);
        controller.create("t", List.of(List.of(2, 1), List.of(2, 1)));
        PartitionId known = new PartitionId(controller.image().topic("t").orElseThrow().id(), 1);
        PartitionId unknown = new PartitionId(new Uuid(66, 6), 0);

        List<AlteredPartition> altered =
                link.alterPartitions(
                                two, List.of(alone(unknown, 0, 0, two), alone(known, 0, 0, two)))
                        .join();

        assertThat(altered).extracting(AlteredPartition::partition).containsExactly(unknown, known);
        assertThat(altered.getFirst().error().code()).isEqualTo(ErrorCode.UNKNOWN_TOPIC_ID);
        assertThat(altered.getLast().error()).isEqualTo(ApiError.NONE);
        PartitionState state = controller.image().partition("t", 1).orElseThrow();
        assertThat(state.isr()).isEqualTo(List.of(2));
    }

    @Test
    void incarnationThatIsOverIsRefusedAsAWhole() {
        BrokerIncarnation two = register();
        letIn(two);
        controller.create("t", List.of(List.of(2, 1)));
        PartitionId id = new PartitionId(controller.image().topic("t").orElseThrow().id(), 0);
        BrokerIncarnation before = new BrokerIncarnation(2, two.epoch() - 1);
        List<AlterPartition> changes = List.of(alone(id, 0, 0, before));

        AlterPartitionResponse response =
                AlterPartitionMessages.response(
                        controller
                                .service()
                                .submit(c ->
                                        c.alterPartitions(before.id(), before.epoch(), changes))
                                .join());

        assertThat(response.errorCode()).isEqualTo(ErrorCode.STALE_BROKER_EPOCH.code());
        assertThat(response.topics()).isEmpty();
        assertThat(link.alterPartitions(before, changes).join())
                .extracting(altered -> altered.error().code())
                .containsExactly(ErrorCode.STALE_BROKER_EPOCH);
        assertThat(
                        link.assignDirectories(
                                        before, List.of(new AssignDirectory(id, new Uuid(7, 7))))
                                .join())
                .extracting(ApiError::code)
                .containsExactly(ErrorCode.STALE_BROKER_EPOCH);
    }

    private static AlterPartition alone(
            PartitionId id, int leaderEpoch, int partitionEpoch, BrokerIncarnation broker) {
        return new AlterPartition(
                id,
                leaderEpoch,
                partitionEpoch,
                List.of(new IsrMember(broker.id(), broker.epoch())),
                false);
    }

    @Test
    void producerIdsComeInBlocks() {
        BrokerIncarnation two = register();

        ProducerIdBlock first = link.allocateProducerIds(two).join();
        ProducerIdBlock second = link.allocateProducerIds(two).join();

        assertThat(second.first()).isEqualTo(first.end()).isGreaterThan(first.first());
    }

    @Test
    void nobodyWaitsForAControllerThatStandsStillOnceAnotherOneLeads() {
        BrokerIncarnation two = register();
        nodes.freeze(FORMER);
        leader = Optional.of(FORMER);
        CompletableFuture<ProducerIdBlock> block = link.allocateProducerIds(two);
        time.pass(2_000);
        assertThat(block).isNotDone();

        leader = Optional.of(CONTROLLER);
        time.pass(300);

        assertThat(block).isCompleted();
    }

    @Test
    void nodeThatStandsStillDoesNotHoldUpTheSearchForTheController() {
        BrokerIncarnation two = register();
        leader = Optional.empty();
        nodes.freeze(FORMER);

        CompletableFuture<ProducerIdBlock> block = link.allocateProducerIds(two);
        time.pass(700);

        assertThat(block).isCompleted();
    }

    @Test
    void controllerThatComesBackIsFoundWhileAnotherNodeStandsStill() {
        BrokerIncarnation two = register();
        nodes.freeze(FORMER);
        nodes.remove(CONTROLLER);
        CompletableFuture<ProducerIdBlock> block = link.allocateProducerIds(two);
        time.pass(3_000);
        assertThat(block).isNotDone();

        serve(CONTROLLER, controller);
        time.pass(700);

        assertThat(block).isCompleted();
    }

    @Test
    void whoIsKnownToLeadIsWaitedForAlone() {
        BrokerIncarnation two = register();
        nodes.asked.clear();
        nodes.freeze(CONTROLLER);

        var _ = link.allocateProducerIds(two);
        time.pass(5_000);

        assertThat(nodes.asked).containsExactly(CONTROLLER);
    }

    @Test
    void producerIdsAreNotGivenToStrangers() {
        register();

        assertThatThrownBy(() -> link.allocateProducerIds(new BrokerIncarnation(99, -1)).join())
                .hasCauseInstanceOf(NotControllerException.class);
    }

    @Test
    void producerIdsAreNotGivenToAnEarlierIncarnation() {
        BrokerIncarnation two = register();

        assertThatThrownBy(() ->
                        link.allocateProducerIds(new BrokerIncarnation(2, two.epoch() - 1)).join())
                .hasCauseInstanceOf(NotControllerException.class);
    }

    @Test
    void directoriesOfReplicasAreAssigned() {
        BrokerIncarnation two = register();
        letIn(two);
        controller.create("t", List.of(List.of(2)));
        PartitionId partition =
                new PartitionId(controller.image().topic("t").orElseThrow().id(), 0);
        PartitionId unknown = new PartitionId(new Uuid(66, 6), 0);

        List<ApiError> errors =
                link.assignDirectories(
                                two,
                                List.of(
                                        new AssignDirectory(unknown, FIRST),
                                        new AssignDirectory(partition, SECOND)))
                        .join();

        assertThat(errors.getFirst().code()).isEqualTo(ErrorCode.UNKNOWN_TOPIC_ID);
        assertThat(errors.getLast()).isEqualTo(ApiError.NONE);
        assertThat(controller.image().partition("t", 0).orElseThrow().directoryOf(2))
                .isEqualTo(SECOND);
    }

    @Test
    void whoIsNotTheControllerIsFollowedByTheNextOne() {
        TestMetadata former = new TestMetadata(1);
        former.resign();
        serve(FORMER, former);
        leader = Optional.of(FORMER);

        CompletableFuture<RegisteredBroker> registered =
                link.register(registration(FIRST), CLUSTER, false, 60_000);
        time.pass(1_000);

        assertThat(registered.join().error()).isEqualTo(ApiError.NONE);
        assertThat(nodes.asked).containsExactly(FORMER, CONTROLLER);
    }

    @Test
    @Tag("config:initial.broker.registration.timeout.ms")
    void commandFailsWhenNoControllerIsFoundInTime() {
        nodes.remove(CONTROLLER);

        CompletableFuture<RegisteredBroker> registered =
                link.register(registration(FIRST), CLUSTER, false, 5_000);
        time.pass(4_000);
        assertThat(registered).isNotDone();
        time.pass(2_000);

        assertThatThrownBy(registered::join)
                .hasCauseInstanceOf(NotControllerException.class)
                .hasMessageContaining("does not answer");
    }

    @Test
    void controllerItselfIsAskedWithoutTheNetwork() {
        ControllerLink local =
                new ControllerLink(
                        new ControllerLink.Surroundings(
                                1,
                                controller.service(),
                                controller::execute,
                                liveness(controller, 1),
                                Optional::empty,
                                List::of,
                                nodes,
                                time,
                                time::nowNs));

        RegisteredBroker registered =
                local.register(registration(FIRST), CLUSTER, false, 1_000).join();

        assertThat(registered.error()).isEqualTo(ApiError.NONE);
        assertThat(nodes.asked).isEmpty();
    }

    private BrokerIncarnation register() {
        RegisteredBroker registered =
                link.register(registration(FIRST, SECOND), CLUSTER, false, 1_000).join();
        assertThat(registered.error()).isEqualTo(ApiError.NONE);
        return new BrokerIncarnation(2, registered.brokerEpoch());
    }

    private LifeAnswer letIn(BrokerIncarnation broker) {
        return link.heartbeat(
                        new SignOfLife(
                                broker,
                                broker.epoch(),
                                false,
                                false,
                                List.of(),
                                List.of(),
                                Optional.empty()),
                        1_000)
                .join();
    }

    private static RegisterBroker registration(Uuid... directories) {
        return new RegisterBroker(
                2,
                new Uuid(directories[0].leastSignificantBits(), 99),
                List.of(new BrokerEndpoint("PLAINTEXT", "host2", 9093, (short) 0)),
                Features.supported(),
                Optional.of("rack-2"),
                List.of(directories),
                List.of(),
                true,
                true);
    }
}
