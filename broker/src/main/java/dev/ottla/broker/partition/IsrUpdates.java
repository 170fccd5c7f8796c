package dev.ottla.broker.partition;

import dev.ottla.broker.shard.Shard;
import dev.ottla.broker.shard.Timer;
import dev.ottla.config.ConfigValues;
import dev.ottla.config.ReplicationKeys;
import dev.ottla.config.ServerKeys;
import dev.ottla.metadata.controller.AlterPartition;
import dev.ottla.metadata.controller.AlteredPartition;
import dev.ottla.metadata.controller.IsrMember;
import dev.ottla.metadata.controller.PartitionId;
import dev.ottla.metadata.image.BrokerState;
import dev.ottla.metadata.image.PartitionState;
import dev.ottla.replication.ActiveBrokers;
import dev.ottla.replication.IsrProposal;
import dev.ottla.wire.ErrorCode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Who of one shard's partitions has followers, and what their leaders want to be changed in their
/// ISRs. Proposals gather while one request is under way and go in the next one. Owned by the
/// shard's thread. Does nothing, and has no timer, as long as no partition has followers.
final class IsrUpdates implements LeaderSurroundings {
    /// A request's outcome that is open is asked for again after so long.
    private static final long RETRY_MS = 200;

    /// Members' lag is looked at so many times within what is permitted.
    private static final int LOOKS = 8;

    private static final long MAX_LOOK_MS = 1_000;

    private static final long LEAST_CERTAIN_MS = 700;
    private static final long MOST_CERTAIN_MS = 1_500;

    private static final Logger LOG = LoggerFactory.getLogger(IsrUpdates.class);

    private final PartitionManager partitions;
    private final long maxLagMs;
    private final long certainMs;
    private IsrChanges controller = IsrChanges.NONE;

    private final Set<HostedPartition> leading = new LinkedHashSet<>();
    private final Set<HostedPartition> waiting = new LinkedHashSet<>();
    private boolean requestUnderWay;
    private final Timer lagTimer = new Alarm(this::lookAtLag);
    private final Timer retryTimer = new Alarm(this::send);

    IsrUpdates(PartitionManager partitions, ConfigValues config) {
        this.partitions = partitions;
        maxLagMs = config.value(ReplicationKeys.REPLICA_LAG_TIME_MAX_MS);
        // A broker that does not answer is given up half a session after its last heartbeat. A
        // follower that has nothing to fetch is answered every half second.
        certainMs =
                Math.clamp(
                        config.value(ServerKeys.BROKER_SESSION_TIMEOUT_MS) / 2
                                - config.value(ServerKeys.BROKER_HEARTBEAT_INTERVAL_MS),
                        LEAST_CERTAIN_MS,
                        MOST_CERTAIN_MS);
    }

    void use(IsrChanges newController) {
        controller = newController;
        send();
    }

    // What leaders are told.

    @Override
    public long epochOf(int brokerId) {
        return partitions
                .image()
                .broker(brokerId)
                .filter(BrokerState::isActive)
                .map(BrokerState::epoch)
                .orElse(ActiveBrokers.NOT_ACTIVE);
    }

    @Override
    public long registeredEpochOf(int brokerId) {
        return partitions
                .image()
                .broker(brokerId)
                .map(BrokerState::epoch)
                .orElse(ActiveBrokers.NOT_ACTIVE);
    }

    @Override
    public boolean hasRoom(PartitionKey partition, int brokerId) {
        Optional<BrokerState> broker = partitions.image().broker(brokerId);
        if (broker.isEmpty() || broker.get().fullDirectories().isEmpty()) return true;
        return partitions
                .image()
                .partition(partition.topicId(), partition.partition())
                .filter(state -> state.replicas().has(brokerId))
                .map(state -> broker.get().hasRoom(state.directoryOf(brokerId)))
                .orElse(true);
    }

    @Override
    public boolean isOutOfTouch() {
        return partitions.isOutOfTouch();
    }

    @Override
    public boolean isBlind() {
        return partitions.isBlind();
    }

    @Override
    public boolean isConfirmed() {
        return partitions.isConfirmed();
    }

    @Override
    public long nowMs() {
        return shard().nowNs() / 1_000_000;
    }

    @Override
    public long maxLagMs() {
        return maxLagMs;
    }

    @Override
    public long certainMs() {
        return certainMs;
    }

    // What they tell.

    @Override
    public void onLeadingOthers(HostedPartition partition) {
        leading.add(partition);
        if (!lagTimer.isScheduled()) {
            shard().scheduleMs(lagTimer, lookEveryMs());
        }
    }

    @Override
    public void onDamaged(HostedPartition partition) {
        partitions.tellDamaged(partition);
    }

    @Override
    public void onProposal(HostedPartition partition) {
        waiting.add(partition);
        shard().execute(this::send); // With what else this turn proposes.
    }

    private long lookEveryMs() {
        return Math.clamp(maxLagMs / LOOKS, 1, MAX_LOOK_MS);
    }

    private void lookAtLag() {
        leading.removeIf(partition -> !partition.isLeading());
        for (HostedPartition partition : List.copyOf(leading)) {
            partitions.guarded(partition, partition::checkLag);
        }
        if (!leading.isEmpty()) {
            shard().scheduleMs(lagTimer, lookEveryMs());
        }
    }

    // Asking.

    private void send() {
        if (requestUnderWay || retryTimer.isScheduled() || waiting.isEmpty()) {
            return;
        }
        Map<PartitionId, Asked> asked = new HashMap<>();
        List<AlterPartition> changes = new ArrayList<>();
        for (HostedPartition partition : waiting) {
            Optional<IsrProposal> proposal = partition.proposal();
            if (proposal.isPresent()) {
                PartitionId id =
                        new PartitionId(partition.key().topicId(), partition.key().partition());
                LOG.debug(
                        "Partition {} has the ISR {}, its leader asks for {}.",
                        partition,
                        partition.isr(),
                        proposal.get().members().keySet());
                asked.put(id, new Asked(partition, proposal.get(), Set.copyOf(partition.isr())));
                changes.add(change(id, proposal.get()));
            }
        }
        waiting.clear();
        if (changes.isEmpty()) {
            return;
        }
        requestUnderWay = true;
        var _ =
                controller
                        .alter(changes)
                        .whenComplete((altered, failure) ->
                                shard().execute(() -> onAnswer(asked, altered, failure)));
    }

    /// @param isr before
    private record Asked(HostedPartition partition, IsrProposal proposal, Set<Integer> isr) {}

    private static AlterPartition change(PartitionId id, IsrProposal proposal) {
        List<IsrMember> members = new ArrayList<>();
        proposal.members().forEach((broker, epoch) -> members.add(new IsrMember(broker, epoch)));
        return new AlterPartition(
                id, proposal.leaderEpoch(), proposal.partitionEpoch(), members, false);
    }

    private void onAnswer(
            Map<PartitionId, Asked> asked,
            @Nullable List<AlteredPartition> altered,
            @Nullable Throwable failure) {
        requestUnderWay = false;
        if (altered == null) {
            LOG.info(
                    "Whether the ISR of {} partitions changed is open, the controller is asked again: {}.",
                    asked.size(),
                    failure == null ? "no answer" : failure.getMessage());
            asked.values().forEach(this::askAgain);
        } else {
            tell(asked, altered);
            for (AlteredPartition answer : altered) {
                Asked one = asked.get(answer.partition());
                if (one != null) {
                    partitions.guarded(one.partition(), () -> settle(one, answer));
                }
            }
        }
        send();
    }

    /// One line for each broker that came or went, however many partitions it has.
    private static void tell(Map<PartitionId, Asked> asked, List<AlteredPartition> altered) {
        Map<Integer, Integer> came = new TreeMap<>();
        Map<Integer, Integer> went = new TreeMap<>();
        for (AlteredPartition answer : altered) {
            Asked one = asked.get(answer.partition());
            if (one == null || !answer.error().isNone()) continue;
            Set<Integer> now = one.proposal().members().keySet();
            now.stream()
                    .filter(id -> !one.isr().contains(id))
                    .forEach(id -> came.merge(id, 1, Integer::sum));
            one.isr().stream()
                    .filter(id -> !now.contains(id))
                    .forEach(id -> went.merge(id, 1, Integer::sum));
        }
        came.forEach((id, count) ->
                LOG.info("Broker {} is in the ISR of {} more partitions led here.", id, count));
        went.forEach((id, count) ->
                LOG.info("Broker {} left the ISR of {} partitions led here.", id, count));
    }

    private void settle(Asked asked, AlteredPartition answer) {
        HostedPartition partition = asked.partition();
        ErrorCode error = answer.error().code();
        Optional<PartitionState> state = answer.state();
        if (error == ErrorCode.NONE && state.isPresent()) {
            if (partition.isLeading() && partition.leaderEpoch() == state.get().leaderEpoch()) {
                LOG.debug("Partition {} has the ISR {} now.", partition, state.get().isr());
                partition.becomeLeader(state.get());
            }
            return;
        }
        switch (error) {
            case INELIGIBLE_REPLICA, OPERATION_NOT_ATTEMPTED ->
                    partition.onProposalRefused(asked.proposal());
            // The state comes with the metadata.
            case NONE -> {}
            // A later state of the partition is on its way here, or this broker's end is.
            case INVALID_UPDATE_VERSION,
                    FENCED_LEADER_EPOCH,
                    NEW_LEADER_ELECTED,
                    INVALID_REQUEST,
                    UNKNOWN_TOPIC_ID,
                    UNKNOWN_TOPIC_OR_PARTITION,
                    STALE_BROKER_EPOCH ->
                    LOG.debug("The ISR of {} stays: {}", partition, answer.error().message());
            default -> askAgain(asked);
        }
    }

    private void askAgain(Asked asked) {
        waiting.add(asked.partition());
        if (!retryTimer.isScheduled()) {
            shard().scheduleMs(retryTimer, RETRY_MS);
        }
    }

    private Shard shard() {
        return partitions.shard();
    }

    private static final class Alarm extends Timer {
        private final Runnable action;

        Alarm(Runnable action) {
            this.action = action;
        }

        @Override
        protected void onTimeout() {
            action.run();
        }
    }
}
