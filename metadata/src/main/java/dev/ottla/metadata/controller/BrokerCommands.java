package dev.ottla.metadata.controller;

import dev.ottla.metadata.BrokerEndpoint;
import dev.ottla.metadata.MetadataRecord;
import dev.ottla.metadata.VersionRange;
import dev.ottla.metadata.image.BrokerState;
import dev.ottla.metadata.image.ClusterImage;
import dev.ottla.metadata.image.ImageDelta;
import dev.ottla.wire.ErrorCode;
import dev.ottla.wire.Uuid;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Registration, fencing and directories of brokers, and what follows for the partitions that they
/// hold. Each walks over all partitions once: a million take some tens of milliseconds, so no index
/// by broker is kept.
final class BrokerCommands {
    private final Context context;

    BrokerCommands(Context context) {
        this.context = context;
    }

    /// A new incarnation never resumes a leadership: what it led is led by another, or by it again
    /// under a higher leader epoch.
    Outcome<RegisteredBroker> register(RegisterBroker request) {
        ClusterImage image = context.image();
        Optional<ApiError> problem = registrationProblem(image, request);
        if (problem.isPresent()) {
            return Outcome.unchanged(new RegisteredBroker(problem.get(), -1));
        }
        Optional<BrokerState> before = image.broker(request.brokerId());
        if (before.isPresent() && before.get().incarnationId().equals(request.incarnationId())) {
            return Outcome.unchanged(new RegisteredBroker(ApiError.NONE, before.get().epoch()));
        }
        long epoch = context.nextOffset();
        List<MetadataRecord> records = new ArrayList<>();
        records.add(
                new MetadataRecord.RegisterBroker(
                        request.brokerId(),
                        request.incarnationId(),
                        epoch,
                        request.endpoints(),
                        request.features(),
                        request.rack(),
                        !request.active(),
                        false,
                        request.directories(),
                        request.cordonedDirectories()));
        int id = request.brokerId();
        records.addAll(
                new PartitionSweep(context, after(image, records))
                        .changesOn(
                                id,
                                (topic, state, update) -> {
                                    boolean doubtful =
                                            !request.stoppedCleanly() && !topic.isFsync();
                                    if (doubtful || !topic.isOnline(state, id)) {
                                        update.lose(id);
                                    } else {
                                        update.leaveIsr(id);
                                    }
                                    if (state.leader() == id) update.electAnew();
                                }));
        return new Outcome<>(records, new RegisteredBroker(ApiError.NONE, epoch));
    }

    private static Optional<ApiError> registrationProblem(
            ClusterImage image, RegisterBroker request) {
        if (request.brokerId() < 0) {
            return Optional.of(
                    ApiError.of(
                            ErrorCode.INVALID_REGISTRATION,
                            "A broker registers with the id %d: ids begin at 0.",
                            request.brokerId()));
        }
        Optional<ApiError> unreachable = unreachable(request.brokerId(), request.endpoints());
        if (unreachable.isPresent()) return unreachable;
        if (request.directories().isEmpty()
                || new HashSet<>(request.directories()).size() != request.directories().size()
                || request.directories().stream().anyMatch(Uuid::isReserved)) {
            return Optional.of(
                    ApiError.of(
                            ErrorCode.INVALID_REGISTRATION,
                            "Broker %d registers the directories %s: there must be one at least,"
                                    + " and ids must be distinct and not reserved.",
                            request.brokerId(),
                            request.directories()));
        }
        Optional<BrokerState> other = image.broker(request.brokerId());
        if (other.isPresent() && isAnother(other.get(), request)) {
            return Optional.of(
                    ApiError.of(
                            ErrorCode.DUPLICATE_BROKER_REGISTRATION,
                            "Broker %d is in service with other data directories: give this one"
                                    + " another node id, or stop the other one and wait until the"
                                    + " cluster has noticed.",
                            request.brokerId()));
        }
        for (Map.Entry<String, Short> feature : image.features().entrySet()) {
            VersionRange range = request.features().get(feature.getKey());
            if (range == null || !range.contains(feature.getValue())) {
                return Optional.of(
                        ApiError.of(
                                ErrorCode.UNSUPPORTED_VERSION,
                                "Broker %d cannot work with %s %d, which the cluster has"
                                        + " finalised: it supports %s.",
                                request.brokerId(),
                                feature.getKey(),
                                feature.getValue(),
                                range == null ? "no level of it" : range));
            }
        }
        return Optional.empty();
    }

    private static Optional<ApiError> unreachable(int brokerId, List<BrokerEndpoint> endpoints) {
        return Endpoints.problem(endpoints)
                .map(problem ->
                        ApiError.of(
                                ErrorCode.INVALID_REGISTRATION,
                                "Broker %d %s.",
                                brokerId,
                                problem));
    }

    /// Whether the registered broker may be another process that lives. It does not when the new
    /// one holds the lock of one of its directories, and not when both are the controller's own.
    private static boolean isAnother(BrokerState registered, RegisterBroker request) {
        return !registered.fenced()
                && !request.active()
                && !registered.incarnationId().equals(request.incarnationId())
                && !registered.directories().isEmpty()
                && Collections.disjoint(registered.directories(), request.directories());
    }

    /// The broker is the same incarnation as before, but is found elsewhere.
    Outcome<ApiError> changeEndpoints(
            int brokerId, long brokerEpoch, List<BrokerEndpoint> endpoints) {
        Optional<ApiError> unreachable = unreachable(brokerId, endpoints);
        if (unreachable.isPresent()) return Outcome.unchanged(unreachable.get());
        return onBroker(
                brokerId,
                brokerEpoch,
                broker ->
                        broker.endpoints().equals(endpoints)
                                ? List.of()
                                : List.of(
                                        new MetadataRecord.RegisterBroker(
                                                brokerId,
                                                broker.incarnationId(),
                                                brokerEpoch,
                                                endpoints,
                                                broker.features(),
                                                broker.rack(),
                                                broker.fenced(),
                                                broker.inControlledShutdown(),
                                                broker.directories(),
                                                broker.cordonedDirectories())));
    }

    /// Lets the broker lead and be in sync. Partitions without a leader get one if it can be this.
    Outcome<ApiError> unfence(int brokerId, long brokerEpoch) {
        return onBroker(
                brokerId,
                brokerEpoch,
                broker -> {
                    if (!broker.fenced()) return List.of();
                    return withElections(
                            MetadataRecord.BrokerChange.fenced(brokerId, brokerEpoch, false),
                            brokerId);
                });
    }

    /// Takes everything that the broker leads away from it.
    Outcome<ApiError> fence(int brokerId, long brokerEpoch) {
        return onBroker(
                brokerId,
                brokerEpoch,
                broker ->
                        broker.fenced()
                                ? List.of()
                                : leaving(
                                        MetadataRecord.BrokerChange.fenced(
                                                brokerId, brokerEpoch, true),
                                        brokerId));
    }

    /// The broker is about to stop: others take over while it still serves.
    Outcome<ApiError> beginControlledShutdown(int brokerId, long brokerEpoch) {
        return onBroker(
                brokerId,
                brokerEpoch,
                broker ->
                        broker.inControlledShutdown()
                                ? List.of()
                                : leaving(
                                        new MetadataRecord.BrokerChange(
                                                brokerId,
                                                brokerEpoch,
                                                Optional.empty(),
                                                true,
                                                Optional.empty(),
                                                Optional.empty()),
                                        brokerId));
    }

    /// Removes a broker that does not run any more; its replicas stay assigned until they are
    /// moved, and are there again when it comes back with its disks.
    Outcome<ApiError> unregister(int brokerId) {
        Optional<BrokerState> broker = context.image().broker(brokerId);
        if (broker.isEmpty()) return Outcome.unchanged(notRegistered(brokerId));
        if (broker.get().isActive()) {
            return Outcome.unchanged(
                    ApiError.of(
                            ErrorCode.INVALID_REQUEST,
                            "Broker %d is running and cannot be removed: stop it first.",
                            brokerId));
        }
        return new Outcome<>(
                leaving(
                        new MetadataRecord.UnregisterBroker(brokerId, broker.get().epoch()),
                        brokerId),
                ApiError.NONE);
    }

    /// Says which directories of the broker are online. Replicas on those that went lose the lead
    /// and, while others remain, their place in the ISR; a partition that has no other keeps leader
    /// -1 until its directory is back.
    Outcome<ApiError> directories(int brokerId, long brokerEpoch, List<Uuid> online) {
        return onBroker(
                brokerId,
                brokerEpoch,
                broker -> {
                    if (Set.copyOf(online).equals(Set.copyOf(broker.directories()))) {
                        return List.of();
                    }
                    MetadataRecord change =
                            new MetadataRecord.BrokerChange(
                                    brokerId,
                                    brokerEpoch,
                                    Optional.empty(),
                                    false,
                                    Optional.of(online),
                                    Optional.empty());
                    List<MetadataRecord> records = new ArrayList<>(List.of(change));
                    records.addAll(
                            new PartitionSweep(context, after(context.image(), records))
                                    .changesOn(
                                            brokerId,
                                            (topic, state, update) -> {
                                                if (!topic.isOnline(state, brokerId))
                                                    update.lose(brokerId);
                                            }));
                    return records;
                });
    }

    /// Says which directories of the broker get no new replicas.
    Outcome<ApiError> cordon(int brokerId, long brokerEpoch, List<Uuid> cordoned) {
        return onBroker(
                brokerId,
                brokerEpoch,
                broker ->
                        Set.copyOf(cordoned).equals(Set.copyOf(broker.cordonedDirectories()))
                                ? List.of()
                                : List.of(
                                        new MetadataRecord.BrokerChange(
                                                brokerId,
                                                brokerEpoch,
                                                Optional.empty(),
                                                false,
                                                Optional.empty(),
                                                Optional.of(cordoned))));
    }

    /// Says which directories of the broker have no room for records. Others lead what it led
    /// there, and go on without it, where there are enough.
    Outcome<ApiError> full(int brokerId, long brokerEpoch, List<Uuid> full) {
        return onBroker(
                brokerId,
                brokerEpoch,
                broker ->
                        Set.copyOf(full).equals(Set.copyOf(broker.fullDirectories()))
                                ? List.of()
                                : withElections(
                                        new MetadataRecord.FullDirectories(
                                                brokerId, brokerEpoch, full),
                                        brokerId));
    }

    private List<MetadataRecord> leaving(MetadataRecord change, int brokerId) {
        List<MetadataRecord> records = new ArrayList<>(List.of(change));
        records.addAll(
                new PartitionSweep(context, after(context.image(), records))
                        .changesOn(brokerId, (_, _, update) -> update.leaveIsr(brokerId)));
        return records;
    }

    private List<MetadataRecord> withElections(MetadataRecord change, int brokerId) {
        List<MetadataRecord> records = new ArrayList<>(List.of(change));
        records.addAll(
                new PartitionSweep(context, after(context.image(), records))
                        .changesOn(brokerId, (_, _, _) -> {}));
        return records;
    }

    private Outcome<ApiError> onBroker(int brokerId, long brokerEpoch, BrokerAction action) {
        Optional<ApiError> problem = stale(context.image(), brokerId, brokerEpoch);
        if (problem.isPresent()) return Outcome.unchanged(problem.get());
        BrokerState broker = context.image().broker(brokerId).orElseThrow();
        return new Outcome<>(action.records(broker), ApiError.NONE);
    }

    private interface BrokerAction {
        List<MetadataRecord> records(BrokerState broker);
    }

    /// Why a broker that names this epoch may not be heard, if so.
    static Optional<ApiError> stale(ClusterImage image, int brokerId, long brokerEpoch) {
        Optional<BrokerState> broker = image.broker(brokerId);
        if (broker.isEmpty()) return Optional.of(notRegistered(brokerId));
        if (broker.get().epoch() == brokerEpoch) return Optional.empty();
        return Optional.of(
                ApiError.of(
                        ErrorCode.STALE_BROKER_EPOCH,
                        "Broker %d has epoch %d, not %d: this incarnation is over, register anew.",
                        brokerId,
                        broker.get().epoch(),
                        brokerEpoch));
    }

    private static ApiError notRegistered(int brokerId) {
        return ApiError.of(
                ErrorCode.BROKER_ID_NOT_REGISTERED,
                "No broker %d is registered: register it first.",
                brokerId);
    }

    private static ClusterImage after(ClusterImage image, List<MetadataRecord> records) {
        ImageDelta delta = new ImageDelta(image);
        delta.replayAll(records);
        return delta.apply(image.version());
    }
}
