package dev.ottla.broker.server;

import dev.ottla.broker.controlling.ControllerLink;
import dev.ottla.broker.voting.Candidacy;
import dev.ottla.broker.voting.Role;
import dev.ottla.broker.voting.VoterChanges;
import dev.ottla.config.ConfigValues;
import dev.ottla.config.QuorumKeys;
import dev.ottla.config.ServerKeys;
import dev.ottla.metadata.MetadataLogException;
import dev.ottla.metadata.QuorumVoter;
import dev.ottla.metadata.controller.ApiError;
import dev.ottla.metadata.image.ClusterImage;
import dev.ottla.metadata.service.MetadataService;
import dev.ottla.quorum.engine.QuorumEngine;
import dev.ottla.quorum.observer.ObserverMetadataLog;
import dev.ottla.quorum.raft.FreePort;
import dev.ottla.quorum.raft.QuorumFiles;
import dev.ottla.quorum.store.Engine;
import dev.ottla.quorum.store.MetadataStore;
import dev.ottla.wire.ErrorCode;
import dev.ottla.wire.Uuid;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// This node's engine, and its way to a vote. Owned by the metadata thread.
final class NodeQuorum {
    private static final int FIRST_PORT = 20_000;
    private static final int END_OF_PORTS = 32_000;
    private static final int PORT_TRIES = 1_000;

    private final Parts parts;
    private final QuorumFiles files;
    private final QuorumEngine engine;
    private final boolean wasVoter;

    /// Done when everything is here that the cluster had committed at some moment of this start.
    private final CompletableFuture<Void> caughtUp = new CompletableFuture<>();

    /// The newest that copies from others. Written by the metadata thread, read by the starting
    /// one.
    private volatile Optional<ObserverMetadataLog> copying = Optional.empty();

    private @Nullable Candidacy candidacy;
    private int port;

    /// What the wiring gives.
    ///
    /// @param joins whether the cluster was begun by another node
    /// @param dataDirectory that holds the metadata
    /// @param newObserver makes the engine that copies from others
    /// @param storedClusterId the cluster of an earlier start
    /// @param image the newest
    record Parts(
            int nodeId,
            boolean joins,
            Path dataDirectory,
            MetadataStore store,
            Supplier<ObserverMetadataLog> newObserver,
            Optional<Uuid> storedClusterId,
            Supplier<ClusterImage> image,
            Executor metadataThread,
            Executor lane,
            InstantSource clock,
            ConfigValues config) {}

    NodeQuorum(Parts parts) {
        this.parts = parts;
        files = new QuorumFiles(parts.dataDirectory(), parts.nodeId(), directoryId());
        wasVoter = voterBefore().isPresent();
        engine =
                new QuorumEngine(
                        parts.store(),
                        new NodeEngines(
                                parts.nodeId(),
                                parts.store(),
                                files,
                                this::clusterId,
                                this::observer,
                                parts.metadataThread(),
                                parts.lane(),
                                parts.clock(),
                                parts.config()),
                        files,
                        new QuorumEngine.Place() {
                            @Override
                            public boolean joins() {
                                return parts.joins();
                            }

                            @Override
                            public QuorumVoter self() {
                                return NodeQuorum.this.self();
                            }
                        });
    }

    /// What part it takes in the quorum.
    Role role() {
        return Role.of(
                parts.config().value(QuorumKeys.QUORUM_ROLE),
                ServerKeys.isBroker(parts.config()),
                ServerKeys.isController(parts.config()));
    }

    MetadataEngine asEngine() {
        if (!parts.joins() || wasVoter) caughtUp.complete(null);
        return new MetadataEngine(
                engine,
                parts.store(),
                caughtUp,
                () -> copying.flatMap(ObserverMetadataLog::trouble));
    }

    /// Whether this node was a voter when it started. Any thread.
    boolean wasVoter() {
        return wasVoter;
    }

    private Optional<QuorumVoter> voterBefore() {
        try {
            return files.voter();
        } catch (IOException e) {
            throw new MetadataLogException(
                    "The files of the quorum cannot be read: " + e.getMessage(), e);
        }
    }

    private Engine observer() {
        ObserverMetadataLog made = parts.newObserver().get();
        copying = Optional.of(made);
        var _ =
                made.caughtUp()
                        .whenComplete((_, failure) -> {
                            if (failure == null) caughtUp.complete(null);
                            else caughtUp.completeExceptionally(failure);
                        });
        return made;
    }

    private Uuid directoryId() {
        return parts.store().directoryId();
    }

    private Uuid clusterId() {
        return parts.storedClusterId()
                .or(() -> parts.image().get().clusterId())
                .orElseThrow(() -> new MetadataLogException("the cluster has no id yet"));
    }

    /// Where clients of this broker's own kind reach it, the other voters do too.
    QuorumVoter self() {
        String host =
                parts.image().get().broker(parts.nodeId()).stream()
                        .flatMap(broker -> broker.endpoints().stream())
                        .map(endpoint -> endpoint.host())
                        .findFirst()
                        .orElse("localhost");
        return new QuorumVoter(parts.nodeId(), directoryId(), host, port());
    }

    private int port() {
        int configured = parts.config().value(QuorumKeys.QUORUM_PORT);
        if (configured > 0) return configured;
        Optional<QuorumVoter> before = voterBefore();
        if (before.isPresent()) port = before.get().port();
        if (port == 0) port = freePort();
        return port;
    }

    /// Below the ports that systems give to connections that go out, one of which might have it
    /// just when this node starts again.
    private static int freePort() {
        try {
            for (int attempt = 0; attempt < PORT_TRIES; attempt++) {
                int port = ThreadLocalRandom.current().nextInt(FIRST_PORT, END_OF_PORTS);
                if (FreePort.isFree(port, "")) return port;
            }
        } catch (IOException e) {
            throw new MetadataLogException("No port can be opened: " + e.getMessage(), e);
        }
        throw new MetadataLogException(
                "No port from %d to %d is free for the other voters."
                        .formatted(FIRST_PORT, END_OF_PORTS - 1));
    }

    // --- votes

    VoterChanges changes(MetadataService metadata) {
        return new VoterChanges(
                new VoterChanges.Surroundings(
                        parts.nodeId(),
                        engine,
                        engine::becomeVoter,
                        metadata::isLeader,
                        parts.metadataThread()));
    }

    /// From now on this node may ask to vote. On any thread.
    void begin(
            MetadataService metadata, ControllerLink link, String clusterId, LongSupplier nanos) {
        Candidacy made =
                new Candidacy(
                        new Candidacy.Surroundings(
                                role(),
                                this::self,
                                parts.image(),
                                new EngineVote(engine, metadata),
                                parts.metadataThread(),
                                new LinkedElectorate(link, clusterId),
                                nanos));
        parts.metadataThread().execute(() -> candidacy = made);
    }

    /// Makes this node a voter, since somebody wants it to vote. On any thread.
    CompletableFuture<ApiError> volunteer() {
        return CompletableFuture.supplyAsync(
                        () -> Optional.ofNullable(candidacy), parts.metadataThread())
                .thenCompose(present ->
                        present.map(Candidacy::volunteer)
                                .orElseGet(() ->
                                        CompletableFuture.completedFuture(
                                                ApiError.of(
                                                        ErrorCode.REQUEST_TIMED_OUT,
                                                        "Node %d is just starting: try again.",
                                                        parts.nodeId()))));
    }

    /// To be called every few seconds, on the metadata thread.
    void check() {
        Candidacy present = candidacy;
        if (present != null) present.check();
    }
}
