package dev.ottla.broker.controlling;

import dev.ottla.broker.address.PeerAddresses;
import dev.ottla.broker.request.ClientConnection;
import dev.ottla.config.HostPort;
import dev.ottla.metadata.NotControllerException;
import dev.ottla.metadata.controller.ApiError;
import dev.ottla.metadata.image.BrokerState;
import dev.ottla.metadata.image.ClusterImage;
import dev.ottla.metadata.image.ImageDelta;
import dev.ottla.metadata.image.TopicState;
import dev.ottla.metadata.liveness.BrokerIncarnation;
import dev.ottla.metadata.liveness.BrokerSessions;
import dev.ottla.metadata.liveness.Finding;
import dev.ottla.metadata.liveness.Look;
import dev.ottla.metadata.liveness.Turn;
import dev.ottla.metadata.liveness.Verdict;
import dev.ottla.metadata.service.ImageListener;
import dev.ottla.metadata.service.MetadataService;
import dev.ottla.wire.ErrorCode;
import dev.ottla.wire.Uuid;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The active controller's view of who is alive. Does nothing while this node is not the controller
/// or is alone.
///
/// [BrokerSessions] says who is to be looked at and who is to be fenced; here its looks are taken
/// and its verdicts carried out. A broker is let in again by a heartbeat that says that it follows
/// the metadata past its registration.
///
/// Owned by the metadata thread; only [#heartbeat] may be called by any.
public final class Liveness implements ImageListener {
    private static final Logger LOG = LoggerFactory.getLogger(Liveness.class);

    private static final int NOT_LEADING = -1;

    /// What the wiring gives.
    ///
    /// @param sessionTimeoutMs `broker.session.timeout.ms`
    /// @param heartbeatIntervalMs `broker.heartbeat.interval.ms`
    /// @param nanoClock monotonic
    public record Surroundings(
            int nodeId,
            long sessionTimeoutMs,
            long heartbeatIntervalMs,
            MetadataService metadata,
            Executor metadataThread,
            PeerAddresses addresses,
            Probe probe,
            Delays delays,
            LongSupplier nanoClock) {}

    private final Surroundings surroundings;
    private final MetadataService metadata;
    private final BrokerSessions sessions;

    /// Where the last heartbeat of each broker came from; bounded by the brokers.
    private final Map<Integer, ClientConnection> heardBy = new HashMap<>();

    /// Those for whom the command is on its way.
    private final Set<BrokerIncarnation> beingFenced = new HashSet<>();

    /// The same of those that come back.
    private final Set<BrokerIncarnation> beingLetIn = new HashSet<>();

    private int leadingEpoch = NOT_LEADING;
    private boolean watching;

    public Liveness(Surroundings surroundings) {
        this.surroundings = surroundings;
        this.metadata = surroundings.metadata();
        this.sessions =
                new BrokerSessions(
                        surroundings.nodeId(),
                        surroundings.sessionTimeoutMs(),
                        surroundings.heartbeatIntervalMs());
    }

    @Override
    public void onImage(ImageDelta delta, ClusterImage image) {
        if (leadingEpoch != NOT_LEADING) {
            sessions.onImage(image, nowMs());
            heardBy.keySet().removeIf(id -> image.broker(id).isEmpty());
        }
        if (!watching && !isAlone(image)) {
            watching = true;
            watch();
        }
    }

    private boolean isAlone(ClusterImage image) {
        return image.brokers().keySet().stream().allMatch(id -> id == surroundings.nodeId());
    }

    /// Takes a heartbeat. Fails with [NotControllerException] when this node is not the controller.
    ///
    /// @param connection that it came by; empty for the broker of this process
    public CompletableFuture<LifeAnswer> heartbeat(
            SignOfLife sign, Optional<ClientConnection> connection) {
        CompletableFuture<LifeAnswer> answer = new CompletableFuture<>();
        surroundings
                .metadataThread()
                .execute(() -> {
                    try {
                        onHeartbeat(sign, connection, answer);
                    } catch (RuntimeException e) {
                        answer.completeExceptionally(e);
                    }
                });
        return answer;
    }

    private void onHeartbeat(
            SignOfLife sign,
            Optional<ClientConnection> connection,
            CompletableFuture<LifeAnswer> answer) {
        followLeadership();
        if (leadingEpoch == NOT_LEADING) {
            throw new NotControllerException("This node is not the active controller: try again.");
        }
        BrokerIncarnation broker = sign.broker();
        Optional<BrokerState> state = metadata.image().broker(broker.id());
        if (state.isEmpty()) {
            answer.complete(LifeAnswer.refused(ErrorCode.BROKER_ID_NOT_REGISTERED));
            return;
        }
        if (state.get().epoch() != broker.epoch()) {
            answer.complete(LifeAnswer.refused(ErrorCode.STALE_BROKER_EPOCH));
            return;
        }
        sessions.onHeartbeat(broker, nowMs());
        connection.ifPresent(from -> heardFrom(broker, from));
        CompletableFuture<?>[] changes =
                changes(sign, state.get()).toArray(CompletableFuture<?>[]::new);
        // Who hears of the controller by wire has no other way to know; here it may have stood
        // still.
        CompletableFuture<Boolean> leads =
                connection.isPresent()
                        ? CompletableFuture.completedFuture(true)
                        : metadata.confirmLead();
        var _ =
                CompletableFuture.allOf(changes)
                        .thenCombine(leads, (_, still) -> answer(sign, still))
                        .whenComplete((made, failure) -> {
                            if (failure != null) answer.completeExceptionally(failure);
                            else answer.complete(made);
                        });
    }

    /// Commands for what the controller did not know yet; none, as a rule.
    private List<CompletableFuture<ApiError>> changes(SignOfLife sign, BrokerState state) {
        int id = sign.broker().id();
        long epoch = sign.broker().epoch();
        List<CompletableFuture<ApiError>> changes = new ArrayList<>();
        List<Uuid> online = new ArrayList<>(state.directories());
        if (online.removeAll(Set.copyOf(sign.offlineDirectories()))) {
            changes.add(metadata.submit(c -> c.onlineDirectories(id, epoch, online)));
        }
        // One that is alone has nobody who could go on without it, and no room to note that.
        Set<Uuid> full = new HashSet<>(sign.fullDirectories());
        full.retainAll(state.directories());
        if (!full.equals(Set.copyOf(state.fullDirectories())) && !isAlone(metadata.image())) {
            changes.add(metadata.submit(c -> c.fullDirectories(id, epoch, List.copyOf(full))));
        }
        Optional<List<Uuid>> cordoned = sign.cordonedDirectories();
        if (cordoned.isPresent()
                && !new HashSet<>(cordoned.get())
                        .equals(new HashSet<>(state.cordonedDirectories()))) {
            changes.add(metadata.submit(c -> c.cordonDirectories(id, epoch, cordoned.get())));
        }
        if (sign.wantsShutdown()) {
            if (!state.inControlledShutdown()) {
                changes.add(metadata.submit(c -> c.beginControlledShutdown(id, epoch)));
            }
        } else if (sign.wantsFence() && !state.fenced()) {
            changes.add(metadata.submit(c -> c.fenceBroker(id, epoch)));
        } else if (!sign.wantsFence()
                && state.fenced()
                && knowsItself(sign)
                && sessions.mayReturn(sign.broker(), nowMs())) {
            changes.add(letIn(sign.broker()));
        }
        return changes;
    }

    private CompletableFuture<ApiError> letIn(BrokerIncarnation broker) {
        if (beingLetIn.add(broker)) {
            LOG.info("Broker {} follows the metadata and may lead.", broker.id());
        }
        return metadata.submit(c -> c.unfenceBroker(broker.id(), broker.epoch()))
                .whenCompleteAsync(
                        (_, _) -> beingLetIn.remove(broker), surroundings.metadataThread());
    }

    /// The epoch of a broker is the offset of its registration.
    private static boolean knowsItself(SignOfLife sign) {
        return sign.metadataOffset() >= sign.broker().epoch();
    }

    private LifeAnswer answer(SignOfLife sign, boolean leads) {
        ClusterImage image = metadata.image();
        int id = sign.broker().id();
        boolean fenced = image.broker(id).map(BrokerState::fenced).orElse(true);
        return new LifeAnswer(
                ErrorCode.NONE,
                leads && sign.metadataOffset() >= image.version().offset(),
                fenced,
                sign.wantsShutdown() && !leadsAnything(image, id));
    }

    private static boolean leadsAnything(ClusterImage image, int brokerId) {
        for (TopicState topic : image.topics()) {
            for (int i = 0; i < topic.partitionCount(); i++) {
                if (topic.partitions().get(i).leader() == brokerId) return true;
            }
        }
        return false;
    }

    // Who is gone.

    private void heardFrom(BrokerIncarnation broker, ClientConnection connection) {
        ClientConnection before = heardBy.put(broker.id(), connection);
        if (connection.equals(before)) return;
        connection
                .loop()
                .execute(() ->
                        connection.whenClosed(() ->
                                surroundings
                                        .metadataThread()
                                        .execute(() -> onLost(broker, connection))));
    }

    private void onLost(BrokerIncarnation broker, ClientConnection connection) {
        if (connection.equals(heardBy.get(broker.id()))) {
            sessions.onConnectionLost(broker, nowMs());
            turn();
        }
    }

    /// Goes on as long as there are others.
    private void watch() {
        if (isAlone(metadata.image())) {
            watching = false;
            return;
        }
        turn();
        surroundings
                .delays()
                .after(
                        BrokerSessions.TURN_MS,
                        () -> surroundings.metadataThread().execute(this::watch));
    }

    private void turn() {
        followLeadership();
        if (leadingEpoch == NOT_LEADING) return;
        Turn turn = sessions.turn(nowMs());
        turn.verdicts().forEach(this::fence);
        turn.looks().forEach(this::look);
    }

    private void look(Look look) {
        Optional<HostPort> address =
                metadata.image().broker(look.broker().id()).flatMap(surroundings.addresses()::find);
        if (address.isEmpty()) {
            sessions.onFound(look, Finding.UNCLEAR, nowMs());
            return;
        }
        surroundings
                .probe()
                .look(
                        address.get(),
                        surroundings.metadataThread(),
                        finding -> onFound(look, finding));
    }

    private void onFound(Look look, Finding finding) {
        sessions.onFound(look, finding, nowMs());
        if (finding == Finding.REFUSED) {
            turn();
            surroundings
                    .delays()
                    .after(
                            BrokerSessions.AFTER_REFUSAL_MS,
                            () -> surroundings.metadataThread().execute(this::turn));
        }
    }

    private void followLeadership() {
        int epoch = metadata.leadingEpoch().orElse(NOT_LEADING);
        if (epoch == leadingEpoch) return;
        leadingEpoch = epoch;
        heardBy.clear();
        if (epoch != NOT_LEADING) sessions.begin(metadata.image(), nowMs());
    }

    private void fence(Verdict verdict) {
        BrokerIncarnation broker = verdict.broker();
        if (!beingFenced.add(broker)) return;
        boolean stopping =
                metadata.image()
                        .broker(broker.id())
                        .map(BrokerState::inControlledShutdown)
                        .orElse(false);
        if (stopping) LOG.info("Broker {} has stopped.", broker.id());
        else LOG.warn("Broker {} is taken out of service: {}.", broker.id(), reason(verdict));
        var _ =
                metadata.submit(c -> c.fenceBroker(broker.id(), broker.epoch()))
                        .whenCompleteAsync(
                                (error, failure) -> onFenced(verdict, error, failure),
                                surroundings.metadataThread());
    }

    private String reason(Verdict verdict) {
        return switch (verdict.reason()) {
            case SESSION_OVER ->
                    "it sent no heartbeat for " + surroundings.sessionTimeoutMs() + " ms";
            case GONE -> "its process is gone";
            case FROZEN ->
                    "it sent no heartbeat for %d ms and does not answer"
                            .formatted(surroundings.sessionTimeoutMs() / 2);
        };
    }

    private void onFenced(Verdict verdict, ApiError error, @Nullable Throwable failure) {
        BrokerIncarnation broker = verdict.broker();
        beingFenced.remove(broker);
        if (failure == null && error.isNone()) {
            sessions.onFenced(verdict, nowMs());
            return;
        }
        LOG.info(
                "Broker {} was not taken out of service: {}",
                broker.id(),
                failure == null ? error.message() : failure.getMessage());
    }

    private long nowMs() {
        return TimeUnit.NANOSECONDS.toMillis(surroundings.nanoClock().getAsLong());
    }
}
