package dev.ottla.broker.server;

import dev.ottla.broker.address.PeerAddresses;
import dev.ottla.broker.controlling.Connector;
import dev.ottla.broker.controlling.ControllerLink;
import dev.ottla.broker.controlling.ControllerWatch;
import dev.ottla.broker.controlling.Delays;
import dev.ottla.broker.controlling.Displacement;
import dev.ottla.broker.controlling.Heartbeats;
import dev.ottla.broker.controlling.ImageProgress;
import dev.ottla.broker.controlling.Liveness;
import dev.ottla.broker.controlling.PeerProbe;
import dev.ottla.broker.controlling.Registration;
import dev.ottla.broker.controlling.Takeover;
import dev.ottla.broker.voting.QuorumOutlook;
import dev.ottla.config.ConfigValues;
import dev.ottla.config.HostPort;
import dev.ottla.config.ServerKeys;
import dev.ottla.metadata.QuorumState;
import dev.ottla.metadata.controller.RegisterBroker;
import dev.ottla.metadata.controller.RegisteredBroker;
import dev.ottla.metadata.image.ClusterImage;
import dev.ottla.metadata.image.ImageDelta;
import dev.ottla.metadata.liveness.BrokerIncarnation;
import dev.ottla.metadata.service.MetadataService;
import dev.ottla.wire.ErrorCode;
import dev.ottla.wire.Uuid;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// This broker as a member of its cluster: it registers, is let in, keeps its session, and leaves
/// in order. A broker that is alone sends nothing. Used by the thread that starts and stops the
/// broker.
final class Membership {
    private static final Logger LOG = LoggerFactory.getLogger(Membership.class);
    private static final long ADMISSION_MS = 30_000;
    private static final long LEAVE_MS = 10_000;

    /// How long the others get to hear who leads in place of a controller that stops.
    private static final long HAND_OVER_MS = 1_000;

    private static final long LOOK_MS = 10;

    /// What the wiring gives.
    ///
    /// @param quorum with those who copy the metadata from this node
    /// @param knownNodes where others may be found; asked on the metadata thread
    /// @param members connections that fail where another cluster has taken the address; made on
    ///   the metadata thread
    record Surroundings(
            int nodeId,
            MetadataService metadata,
            Executor metadataThread,
            Supplier<CompletableFuture<QuorumState>> quorum,
            Supplier<List<HostPort>> knownNodes,
            Connector peers,
            Connector members,
            Delays delays,
            PeerAddresses addresses,
            InstantSource clock,
            ConfigValues config) {}

    private final Surroundings surroundings;
    private final Liveness liveness;
    private final ControllerLink link;
    private final ControllerWatch watch;
    private final Takeover takeover;

    /// Why this broker has to end; completed on the metadata thread.
    private final CompletableFuture<String> displaced = new CompletableFuture<>();

    /// Made when the broker is registered.
    private @Nullable Heartbeats heartbeats;

    private @Nullable ImageProgress progress;

    Membership(Surroundings surroundings) {
        this.surroundings = surroundings;
        PeerProbe probe = new PeerProbe(surroundings.peers(), surroundings.nodeId());
        this.takeover =
                new Takeover(surroundings.metadata()::image, surroundings.addresses(), probe);
        this.liveness =
                new Liveness(
                        new Liveness.Surroundings(
                                surroundings.nodeId(),
                                surroundings.config().value(ServerKeys.BROKER_SESSION_TIMEOUT_MS),
                                surroundings
                                        .config()
                                        .value(ServerKeys.BROKER_HEARTBEAT_INTERVAL_MS),
                                surroundings.metadata(),
                                surroundings.metadataThread(),
                                surroundings.addresses(),
                                probe,
                                surroundings.delays(),
                                System::nanoTime));
        this.link =
                new ControllerLink(
                        new ControllerLink.Surroundings(
                                surroundings.nodeId(),
                                surroundings.metadata(),
                                surroundings.metadataThread(),
                                liveness,
                                this::leaderAddress,
                                surroundings.knownNodes(),
                                surroundings.members(),
                                surroundings.delays(),
                                System::nanoTime));
        this.watch =
                new ControllerWatch(
                        new ControllerWatch.Surroundings(
                                surroundings.nodeId(),
                                surroundings.metadata(),
                                surroundings.metadataThread(),
                                this::leaderAddress,
                                link::isConnectedTo,
                                probe,
                                surroundings.delays()));
    }

    private Optional<HostPort> leaderAddress() {
        int leader = surroundings.metadata().quorum().leaderId();
        return surroundings.addresses().find(leader, surroundings.metadata().image());
    }

    /// Where this node finds others.
    PeerAddresses addresses() {
        return surroundings.addresses();
    }

    /// Connections to other nodes.
    Connector peers() {
        return surroundings.peers();
    }

    ControllerLink link() {
        return link;
    }

    Takeover takeover() {
        return takeover;
    }

    /// Completes, on any thread, with what happened when another process has taken this one's
    /// place, or when this broker can follow the cluster no more.
    CompletableFuture<String> displaced() {
        return displaced;
    }

    Liveness liveness() {
        return liveness;
    }

    Heartbeats heartbeats() {
        return present(heartbeats);
    }

    ImageProgress progress() {
        return present(progress);
    }

    private static <T> T present(@Nullable T part) {
        if (part == null) {
            throw new IllegalStateException("the broker is not registered yet");
        }
        return part;
    }

    /// Ends this broker when its metadata log has failed while others vote: it would lead and
    /// follow by what it once knew, and a voter that writes nothing is of no use. The others take
    /// over. Where nobody else votes it serves what it has. On the metadata thread.
    void endIfBlind() {
        MetadataService metadata = surroundings.metadata();
        Optional<String> failure = metadata.failure();
        if (failure.isEmpty() || displaced.isDone() || !othersVote(metadata.quorum())) return;
        String reason =
                "it can hear of nothing new that happens in the cluster: %s. The other nodes go on without it. Repair or replace the disk and start it again, with --join where its directory is empty."
                        .formatted(failure.get());
        LOG.error("This broker ends: {}", reason);
        displaced.complete(reason);
    }

    private boolean othersVote(QuorumState quorum) {
        return quorum.voters().stream().anyMatch(voter -> voter.nodeId() != surroundings.nodeId());
    }

    /// Begins an incarnation; returns its epoch.
    ///
    /// @param wasPart whether this node was a part of the cluster before: it looks for the
    ///   controller however long it takes
    long register(RegisterBroker registration, String clusterId, boolean wasPart) {
        long patienceMs =
                surroundings.config().value(ServerKeys.INITIAL_BROKER_REGISTRATION_TIMEOUT_MS);
        RegisteredBroker registered =
                await(
                        Registration.of(
                                registering(),
                                registration,
                                clusterId,
                                wasPart ? OptionalLong.empty() : OptionalLong.of(patienceMs)),
                        wasPart ? Long.MAX_VALUE : patienceMs + 1_000);
        if (registered.error().code() != ErrorCode.NONE) {
            throw new StartRefusedException(
                    "the cluster does not take this broker: " + registered.error().message());
        }
        return registered.brokerEpoch();
    }

    private String outlook() {
        return new QuorumOutlook(this::address)
                .sentence(surroundings.metadata().quorum(), surroundings.clock().millis())
                .orElseGet(() ->
                        "Start the nodes that are down; those known are at %s."
                                .formatted(ClusterJoin.shown(surroundings.knownNodes().get())));
    }

    /// Where a node is, as far as this one knows; on the metadata thread.
    private Optional<HostPort> address(int id) {
        return surroundings.addresses().find(id, surroundings.metadata().image());
    }

    /// Notes who votes and whether they have a leader, on the metadata thread.
    QuorumOutlook newOutlook() {
        return new QuorumOutlook(this::address);
    }

    private Registration.Surroundings registering() {
        return new Registration.Surroundings(
                link,
                new PeerProbe(surroundings.peers(), surroundings.nodeId()),
                this::outlook,
                () ->
                        surroundings
                                .addresses()
                                .find(surroundings.nodeId(), surroundings.metadata().image()),
                surroundings.config().value(ServerKeys.BROKER_SESSION_TIMEOUT_MS),
                surroundings.metadataThread(),
                surroundings.delays(),
                System::nanoTime);
    }

    /// The shards have begun with the image of the registration.
    ///
    /// @param directories of which the registration names all
    /// @param session as of [Heartbeats.Surroundings]
    void begin(
            BrokerIncarnation broker,
            ImageRelay relay,
            DataDirectories directories,
            Heartbeats.Session session) {
        Set<Uuid> registered = directories.byId().keySet();
        ConfigValues config = surroundings.config();
        Heartbeats beats =
                new Heartbeats(
                        link,
                        new Heartbeats.Surroundings(
                                broker,
                                holdsPartitions(),
                                config.value(ServerKeys.BROKER_HEARTBEAT_INTERVAL_MS),
                                config.value(ServerKeys.BROKER_SESSION_TIMEOUT_MS) / 2,
                                relay::image,
                                () -> without(registered, directories.online()),
                                directories::full,
                                session,
                                surroundings.metadataThread(),
                                surroundings.delays(),
                                System::nanoTime));
        ImageProgress reached =
                new ImageProgress(
                        relay::image, surroundings.metadataThread(), surroundings.delays());
        Displacement displacement = new Displacement(broker, surroundings.addresses(), displaced);
        heartbeats = beats;
        progress = reached;
        surroundings
                .metadataThread()
                .execute(() -> {
                    relay.addListener(liveness);
                    relay.addListener(watch);
                    relay.addListener(displacement);
                    if (holdsPartitions()) relay.addListener(beats);
                    relay.addListener(reached);
                    // Others may have been there before.
                    ClusterImage image = relay.image();
                    ImageDelta nothing = new ImageDelta(image);
                    liveness.onImage(nothing, image);
                    watch.onImage(nothing, image);
                    displacement.onImage(nothing, image);
                    if (holdsPartitions()) beats.onImage(nothing, image);
                });
    }

    private static List<Uuid> without(Set<Uuid> all, List<Uuid> online) {
        List<Uuid> offline = new ArrayList<>(all);
        offline.removeAll(Set.copyOf(online));
        return offline;
    }

    /// Waits until the cluster lets this broker in; one that began beside its controller is in.
    void awaitAdmission() {
        if (!holdsPartitions() || isIn()) return;
        try {
            heartbeats().admitted().get(ADMISSION_MS, TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException e) {
            LOG.warn(
                    "The cluster has not let broker {} in yet. It goes on trying.",
                    surroundings.nodeId());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StartRefusedException("the start was interrupted", e);
        }
    }

    /// A controller alone is registered, so that others find it, but sends nothing and is not let
    /// in.
    private boolean holdsPartitions() {
        return ServerKeys.isBroker(surroundings.config());
    }

    private boolean isIn() {
        return surroundings
                .metadata()
                .image()
                .broker(surroundings.nodeId())
                .map(broker -> !broker.fenced())
                .orElse(false);
    }

    /// Lets others take over what this broker leads, while it still serves, and waits until they
    /// have, or for a while.
    void leave() {
        Heartbeats beats = heartbeats;
        if (beats == null
                || !surroundings.config().value(ServerKeys.CONTROLLED_SHUTDOWN_ENABLE)
                || !hasOthers()) {
            return;
        }
        try {
            if (holdsPartitions()) beats.shutDown().get(LEAVE_MS, TimeUnit.MILLISECONDS);
            if (surroundings.metadata().leads()) {
                awaitFollowers();
            }
        } catch (TimeoutException | ExecutionException e) {
            LOG.warn(
                    "Others have not taken over from broker {} in time: it stops all the same.",
                    surroundings.nodeId());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// Whether anybody is there who could take over.
    private boolean hasOthers() {
        return surroundings.metadata().image().brokers().values().stream()
                .anyMatch(broker -> broker.id() != surroundings.nodeId() && broker.isActive());
    }

    /// Until every copy of the metadata that is asked for regularly has what is committed.
    private void awaitFollowers() throws InterruptedException, ExecutionException {
        CompletableFuture<Void> done = new CompletableFuture<>();
        surroundings.delays().after(HAND_OVER_MS, () -> done.complete(null));
        long end = surroundings.metadata().image().version().offset() + 1;
        lookAtFollowers(end, done);
        done.get();
    }

    private void lookAtFollowers(long end, CompletableFuture<Void> done) {
        var _ =
                surroundings
                        .quorum()
                        .get()
                        .whenComplete((quorum, failure) -> {
                            boolean all =
                                    failure != null
                                            || quorum.observers().stream()
                                                    .allMatch(replica ->
                                                            replica.logEndOffset() >= end);
                            if (all) done.complete(null);
                            else if (!done.isDone()) {
                                surroundings
                                        .delays()
                                        .after(LOOK_MS, () -> lookAtFollowers(end, done));
                            }
                        });
    }

    private static <T> T await(CompletableFuture<T> future, long timeoutMs) {
        try {
            return future.get(timeoutMs, TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new StartRefusedException(
                    "this broker cannot register with the cluster: " + cause.getMessage(), cause);
        } catch (TimeoutException e) {
            throw new StartRefusedException(
                    "the cluster did not take this broker within " + timeoutMs + " ms", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StartRefusedException("the start was interrupted", e);
        }
    }
}
