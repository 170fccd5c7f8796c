package dev.ottla.broker.controlling;

import dev.ottla.broker.address.PeerAddresses;
import dev.ottla.broker.request.ClientConnection;
import dev.ottla.metadata.NotControllerException;
import dev.ottla.metadata.controller.ApiError;
import dev.ottla.metadata.image.BrokerState;
import dev.ottla.metadata.image.ClusterImage;
import dev.ottla.metadata.image.ImageDelta;
import dev.ottla.metadata.image.TopicState;
import dev.ottla.metadata.liveness.BrokerIncarnation;
import dev.ottla.metadata.liveness.BrokerSessions;
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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The active controller's view of who is alive. Does nothing while this node is not the controller
/// or is alone.
///
/// A broker is fenced when its session is over, and at once when the connection of its heartbeats
/// broke and its machine refuses connections to its address: then its process is gone, and nobody
/// needs to wait for anything. It is let in again by a heartbeat that says that it follows the
/// metadata past its registration.
///
/// Owned by the metadata thread; only [#heartbeat] may be called by any.
public final class Liveness implements ImageListener {
    private static final Logger LOG = LoggerFactory.getLogger(Liveness.class);

    /// A process that dies closes its connections and its listeners in any order, so a look may
    /// come too early; one that starts again takes some time until it registers.
    private static final int LOOKS = 10;

    private static final long BETWEEN_LOOKS_MS = 100;
    private static final int NOT_LEADING = -1;

    /// What the wiring gives.
    ///
    /// @param sessionTimeoutMs `broker.session.timeout.ms`
    /// @param nanoClock monotonic
    public record Surroundings(
            int nodeId,
            long sessionTimeoutMs,
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
    private final Map<Integer, Heard> heard = new HashMap<>();

    private int leadingEpoch = NOT_LEADING;
    private boolean looking;

    /// @param times of heartbeats so far, which tells whether another one came
    private record Heard(BrokerIncarnation broker, ClientConnection connection, long times) {}

    public Liveness(Surroundings surroundings) {
        this.surroundings = surroundings;
        this.metadata = surroundings.metadata();
        this.sessions = new BrokerSessions(surroundings.nodeId(), surroundings.sessionTimeoutMs());
    }

    @Override
    public void onImage(ImageDelta delta, ClusterImage image) {
        if (leadingEpoch != NOT_LEADING) {
            sessions.onImage(image, nowMs());
            heard.keySet().removeIf(id -> image.broker(id).isEmpty());
        }
        if (!looking && !isAlone(image)) {
            looking = true;
            look();
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
        var _ =
                CompletableFuture.allOf(changes)
                        .whenComplete((_, failure) -> {
                            if (failure != null) answer.completeExceptionally(failure);
                            else answer.complete(answer(sign));
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
        } else if (!sign.wantsFence() && state.fenced() && isCaughtUp(sign)) {
            LOG.info("Broker {} follows the metadata and may lead.", id);
            changes.add(metadata.submit(c -> c.unfenceBroker(id, epoch)));
        }
        return changes;
    }

    /// The epoch of a broker is the offset of its registration.
    private static boolean isCaughtUp(SignOfLife sign) {
        return sign.metadataOffset() >= sign.broker().epoch();
    }

    private LifeAnswer answer(SignOfLife sign) {
        ClusterImage image = metadata.image();
        int id = sign.broker().id();
        boolean fenced = image.broker(id).map(BrokerState::fenced).orElse(true);
        return new LifeAnswer(
                ErrorCode.NONE,
                isCaughtUp(sign),
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
        Heard before = heard.get(broker.id());
        boolean same = before != null && before.connection().equals(connection);
        heard.put(
                broker.id(),
                new Heard(broker, connection, before == null ? 1 : before.times() + 1));
        if (!same) {
            connection
                    .loop()
                    .execute(() ->
                            connection.whenClosed(() ->
                                    surroundings
                                            .metadataThread()
                                            .execute(() -> onLost(broker.id(), connection))));
        }
    }

    private void onLost(int brokerId, ClientConnection connection) {
        Heard last = heard.get(brokerId);
        if (last != null && last.connection().equals(connection)) {
            lookAfter(last, LOOKS);
        }
    }

    /// Looks whether the broker's process is gone, as long as nothing else is heard of it.
    private void lookAfter(Heard last, int looksLeft) {
        BrokerIncarnation broker = last.broker();
        Optional<BrokerState> state = metadata.image().broker(broker.id());
        boolean over =
                leadingEpoch == NOT_LEADING
                        || !last.equals(heard.get(broker.id()))
                        || state.isEmpty()
                        || state.get().epoch() != broker.epoch()
                        || state.get().fenced();
        if (over || looksLeft == 0) return;
        surroundings
                .addresses()
                .find(state.get())
                .ifPresent(address ->
                        surroundings
                                .probe()
                                .look(
                                        address,
                                        refused ->
                                                surroundings
                                                        .metadataThread()
                                                        .execute(() ->
                                                                onLook(last, looksLeft, refused))));
    }

    private void onLook(Heard last, int looksLeft, boolean refused) {
        if (refused && last.equals(heard.get(last.broker().id()))) {
            fence(last.broker(), "its process is gone");
        } else {
            surroundings
                    .delays()
                    .after(
                            BETWEEN_LOOKS_MS,
                            () ->
                                    surroundings
                                            .metadataThread()
                                            .execute(() -> lookAfter(last, looksLeft - 1)));
        }
    }

    /// The periodic look; goes on as long as there are others.
    private void look() {
        if (isAlone(metadata.image())) {
            looking = false;
            return;
        }
        followLeadership();
        if (leadingEpoch != NOT_LEADING) {
            for (BrokerIncarnation broker : sessions.over(nowMs())) {
                fence(
                        broker,
                        "it sent no heartbeat for " + surroundings.sessionTimeoutMs() + " ms");
            }
        }
        surroundings
                .delays()
                .after(
                        sessions.lookEveryMs(),
                        () -> surroundings.metadataThread().execute(this::look));
    }

    /// Everyone gets a full session of a new controller.
    private void followLeadership() {
        int epoch = metadata.isLeader() ? metadata.quorum().leaderEpoch() : NOT_LEADING;
        if (epoch == leadingEpoch) return;
        leadingEpoch = epoch;
        heard.clear();
        if (epoch != NOT_LEADING) sessions.begin(metadata.image(), nowMs());
    }

    private void fence(BrokerIncarnation broker, String reason) {
        boolean stopping =
                metadata.image()
                        .broker(broker.id())
                        .map(BrokerState::inControlledShutdown)
                        .orElse(false);
        if (stopping) LOG.info("Broker {} has stopped.", broker.id());
        else LOG.warn("Broker {} is taken out of service: {}.", broker.id(), reason);
        var _ =
                metadata.submit(c -> c.fenceBroker(broker.id(), broker.epoch()))
                        .whenComplete((error, failure) -> {
                            if (failure != null || !error.isNone()) {
                                LOG.info(
                                        "Broker {} was not taken out of service: {}",
                                        broker.id(),
                                        failure == null ? error.message() : failure.getMessage());
                            }
                        });
    }

    private long nowMs() {
        return TimeUnit.NANOSECONDS.toMillis(surroundings.nanoClock().getAsLong());
    }
}
