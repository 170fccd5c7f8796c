package dev.ottla.broker.controlling;

import dev.ottla.config.HostPort;
import dev.ottla.metadata.NotControllerException;
import dev.ottla.metadata.QuorumState;
import dev.ottla.metadata.QuorumVoter;
import dev.ottla.metadata.controller.AlterPartition;
import dev.ottla.metadata.controller.AlteredPartition;
import dev.ottla.metadata.controller.ApiError;
import dev.ottla.metadata.controller.AssignDirectory;
import dev.ottla.metadata.controller.ProducerIdBlock;
import dev.ottla.metadata.controller.RegisterBroker;
import dev.ottla.metadata.controller.RegisteredBroker;
import dev.ottla.metadata.liveness.BrokerIncarnation;
import dev.ottla.metadata.service.MetadataService;
import dev.ottla.wire.ApiMessage;
import dev.ottla.wire.ErrorCode;
import dev.ottla.wire.Uuid;
import dev.ottla.wire.message.AddRaftVoterResponse;
import dev.ottla.wire.message.AllocateProducerIdsRequest;
import dev.ottla.wire.message.AllocateProducerIdsResponse;
import dev.ottla.wire.message.AlterPartitionResponse;
import dev.ottla.wire.message.AssignReplicasToDirsResponse;
import dev.ottla.wire.message.BrokerHeartbeatResponse;
import dev.ottla.wire.message.BrokerRegistrationResponse;
import dev.ottla.wire.message.EnvelopeRequest;
import dev.ottla.wire.message.EnvelopeResponse;
import dev.ottla.wire.message.RemoveRaftVoterResponse;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// What a broker asks of the active controller, wherever that is: in this process as a command of
/// its [MetadataService], elsewhere by wire. Who is not the controller, or does not answer, is
/// followed by the next one, until the time of the command is over; then it fails with
/// [NotControllerException], and whether it was carried out is not known. All commands may be
/// repeated. Thread-safe; futures are completed on the metadata thread.
public final class ControllerLink {
    private static final long COMMAND_MS = 30_000;
    private static final long ATTEMPT_MS = 10_000;

    /// How long requests of clients look for the controller, as a rule.
    public static final long FORWARD_MS = 20_000;

    /// What the wiring gives.
    ///
    /// @param leaderAddress where the leader of the quorum is, as far as this node knows; asked on
    ///   the metadata thread
    /// @param otherNodes all who may know better; asked on the metadata thread
    /// @param nanoClock monotonic
    public record Surroundings(
            int nodeId,
            MetadataService metadata,
            Executor metadataThread,
            Liveness liveness,
            Supplier<Optional<HostPort>> leaderAddress,
            Supplier<List<HostPort>> otherNodes,
            Connector peers,
            Delays delays,
            LongSupplier nanoClock) {}

    private final int nodeId;
    private final MetadataService metadata;
    private final Liveness liveness;
    private final ControllerCalls commands;

    /// Not behind commands, which may take long.
    private final ControllerCalls heartbeats;

    /// Requests of clients, which may take longer still.
    private final ControllerCalls forwarded;

    /// Changes of the voters, which wait until a node has all of the metadata.
    private final ControllerCalls voting;

    public ControllerLink(Surroundings surroundings) {
        this.nodeId = surroundings.nodeId();
        this.metadata = surroundings.metadata();
        this.liveness = surroundings.liveness();
        ControllerCalls.Surroundings calls =
                new ControllerCalls.Surroundings(
                        metadata,
                        surroundings.metadataThread(),
                        surroundings.peers(),
                        surroundings.delays(),
                        surroundings.nanoClock());
        commands = calls(surroundings, calls, "commands", ATTEMPT_MS);
        heartbeats = calls(surroundings, calls, "heartbeats", ATTEMPT_MS);
        forwarded = calls(surroundings, calls, "forwarding", FORWARD_MS);
        voting = calls(surroundings, calls, "voting", FORWARD_MS);
    }

    private static ControllerCalls calls(
            Surroundings surroundings,
            ControllerCalls.Surroundings calls,
            String purpose,
            long attemptMs) {
        return new ControllerCalls(
                calls,
                new Controllers(surroundings.leaderAddress(), surroundings.otherNodes()),
                "ottla-" + surroundings.nodeId() + "-" + purpose,
                attemptMs);
    }

    /// Begins an incarnation of this broker. In the controller's own process it may lead at once;
    /// elsewhere it is fenced until a heartbeat says that it follows the metadata.
    ///
    /// @param passOverOthers whether a node of another cluster is followed by the next one; else it
    ///   refuses the broker
    public CompletableFuture<RegisteredBroker> register(
            RegisterBroker registration, String clusterId, boolean passOverOthers, long timeoutMs) {
        return commands.run(
                new ControllerCalls.Command<>(
                        () ->
                                metadata.submit(
                                        controller -> controller.registerBroker(registration)),
                        () -> RegistrationMessages.request(registration, clusterId),
                        answer -> {
                            BrokerRegistrationResponse response =
                                    (BrokerRegistrationResponse) answer;
                            boolean isOthers =
                                    code(response.errorCode()) == ErrorCode.INCONSISTENT_CLUSTER_ID;
                            if (passOverOthers && isOthers) {
                                return Optional.empty();
                            }
                            return ofController(
                                    response.errorCode(),
                                    () -> RegistrationMessages.read(response));
                        }),
                timeoutMs);
    }

    /// One heartbeat.
    CompletableFuture<LifeAnswer> heartbeat(SignOfLife sign, long timeoutMs) {
        return heartbeats.run(
                new ControllerCalls.Command<>(
                        () -> liveness.heartbeat(sign, Optional.empty()),
                        () -> HeartbeatMessages.request(sign),
                        answer -> {
                            BrokerHeartbeatResponse response = (BrokerHeartbeatResponse) answer;
                            return ofController(
                                    response.errorCode(), () -> HeartbeatMessages.read(response));
                        }),
                timeoutMs);
    }

    /// Whether heartbeats go to that node and the connection stands. On the metadata thread.
    public boolean isConnectedTo(HostPort address) {
        return heartbeats.isConnectedTo(address);
    }

    /// What the leader of these partitions wants their ISRs to be; the answers come in the order of
    /// `changes`, each partition by itself. Where the controller is elsewhere, an answer brings no
    /// state: that comes with the metadata.
    public CompletableFuture<List<AlteredPartition>> alterPartitions(
            BrokerIncarnation leader, List<AlterPartition> changes) {
        return commands.run(
                new ControllerCalls.Command<>(
                        () ->
                                metadata.submit(controller ->
                                                controller.alterPartitions(
                                                        leader.id(), leader.epoch(), changes))
                                        .thenApply(reply ->
                                                reply.partsOr(changes, ControllerLink::refused)),
                        () -> AlterPartitionMessages.request(leader, changes),
                        answer -> {
                            AlterPartitionResponse response = (AlterPartitionResponse) answer;
                            return ofController(
                                    response.errorCode(),
                                    () -> AlterPartitionMessages.read(response, changes));
                        }),
                COMMAND_MS);
    }

    private static AlteredPartition refused(AlterPartition change, ApiError error) {
        return new AlteredPartition(change.partition(), error, Optional.empty());
    }

    /// The next block of producer ids. Fails with a [NotControllerException] too when the
    /// controller refuses it.
    public CompletableFuture<ProducerIdBlock> allocateProducerIds(BrokerIncarnation broker) {
        return commands.run(
                new ControllerCalls.Command<>(
                        () ->
                                metadata.submit(controller ->
                                        controller.allocateProducerIds(
                                                broker.id(), broker.epoch())),
                        () ->
                                AllocateProducerIdsRequest.builder()
                                        .brokerId(broker.id())
                                        .brokerEpoch(broker.epoch())
                                        .build(),
                        ControllerLink::block),
                COMMAND_MS);
    }

    private static Optional<ProducerIdBlock> block(ApiMessage answer) {
        AllocateProducerIdsResponse response = (AllocateProducerIdsResponse) answer;
        ErrorCode error = code(response.errorCode());
        if (error != ErrorCode.NONE && error != ErrorCode.NOT_CONTROLLER) {
            throw new NotControllerException("The controller gives no producer ids: " + error);
        }
        return ofController(
                response.errorCode(),
                () ->
                        new ProducerIdBlock(
                                response.producerIdStart(),
                                response.producerIdStart() + response.producerIdLen()));
    }

    /// In which of its directories this broker holds its replicas; answers in the order of
    /// `assignments`.
    public CompletableFuture<List<ApiError>> assignDirectories(
            BrokerIncarnation broker, List<AssignDirectory> assignments) {
        return commands.run(
                new ControllerCalls.Command<>(
                        () ->
                                metadata.submit(controller ->
                                                controller.assignDirectories(
                                                        broker.id(), broker.epoch(), assignments))
                                        .thenApply(reply ->
                                                reply.partsOr(assignments, (_, error) -> error)),
                        () -> DirectoryMessages.request(broker, assignments),
                        answer -> {
                            AssignReplicasToDirsResponse response =
                                    (AssignReplicasToDirsResponse) answer;
                            return ofController(
                                    response.errorCode(),
                                    () -> DirectoryMessages.read(response, assignments));
                        }),
                COMMAND_MS);
    }

    /// Sends a request of a client. Empty when this node has become the controller itself, so that
    /// the request is to be carried out here.
    public CompletableFuture<Optional<EnvelopeResponse>> forward(
            EnvelopeRequest envelope, long timeoutMs) {
        return forwarded.run(
                new ControllerCalls.Command<>(
                        () -> CompletableFuture.completedFuture(Optional.empty()),
                        () -> envelope,
                        answer -> {
                            EnvelopeResponse response = (EnvelopeResponse) answer;
                            return ofController(response.errorCode(), () -> Optional.of(response));
                        }),
                timeoutMs);
    }

    /// Who votes, as the active controller knows it.
    public CompletableFuture<QuorumState> quorum() {
        return voting.run(
                new ControllerCalls.Command<>(
                        metadata::quorumState,
                        () -> VoterMessages.describe(nodeId),
                        answer -> {
                            EnvelopeResponse response = (EnvelopeResponse) answer;
                            return ofController(
                                    response.errorCode(),
                                    () -> VoterMessages.read(nodeId, response));
                        }),
                ATTEMPT_MS);
    }

    /// Asks that a node may vote; the answer says what came of it. Takes a while: the node is
    /// brought up to date first. A node that leads votes already.
    public CompletableFuture<ApiError> addVoter(QuorumVoter voter, String clusterId) {
        return voting.run(
                new ControllerCalls.Command<>(
                        () -> CompletableFuture.completedFuture(ApiError.NONE),
                        () -> VoterMessages.add(voter, clusterId, (int) FORWARD_MS),
                        answer -> {
                            AddRaftVoterResponse response = (AddRaftVoterResponse) answer;
                            return voted(response.errorCode(), response.errorMessage());
                        }),
                FORWARD_MS);
    }

    /// Asks that a voter, which this node is not any more, is taken out; the answer says what came
    /// of it.
    public CompletableFuture<ApiError> removeVoter(
            int voterId, Uuid directoryId, String clusterId) {
        return voting.run(
                new ControllerCalls.Command<>(
                        () ->
                                CompletableFuture.failedFuture(
                                        new NotControllerException("this node votes again")),
                        () -> VoterMessages.remove(voterId, directoryId, clusterId),
                        answer -> {
                            RemoveRaftVoterResponse response = (RemoveRaftVoterResponse) answer;
                            return voted(response.errorCode(), response.errorMessage());
                        }),
                FORWARD_MS);
    }

    private static Optional<ApiError> voted(short code, @Nullable String message) {
        return ofController(code, () -> VoterMessages.error(code, message));
    }

    private static <R> Optional<R> ofController(short errorCode, Supplier<R> reply) {
        return code(errorCode) == ErrorCode.NOT_CONTROLLER
                ? Optional.empty()
                : Optional.of(reply.get());
    }

    private static ErrorCode code(short code) {
        return ErrorCode.forCode(code).orElse(ErrorCode.UNKNOWN_SERVER_ERROR);
    }
}
