package dev.ottla.replication;

import dev.ottla.replication.SimulatedController.Registration;
import dev.ottla.replication.SimulatedController.State;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// One broker: what it has on disk, and while it is up its role and what it knows of the cluster.
final class SimulatedBroker implements ActiveBrokers {
    final int id;
    final SimulatedLog log = new SimulatedLog();
    boolean up = true;
    boolean diskLost;

    /// Counts starts, so that messages to an earlier incarnation do not reach a later one.
    int incarnation;

    long epoch;
    @Nullable State known;
    @Nullable LeaderReplica leader;
    @Nullable FollowerReplica follower;

    /// Whether the last proposal waits to be sent, for the first time or again.
    boolean proposalDue;

    SimulatedBroker(int id) {
        this.id = id;
        epoch = id;
    }

    @Override
    public long epochOf(int broker) {
        Registration registration = known == null ? null : known.brokers().get(broker);
        return registration == null || !registration.active() ? NOT_ACTIVE : registration.epoch();
    }

    @Override
    public long registeredEpochOf(int broker) {
        Registration registration = known == null ? null : known.brokers().get(broker);
        return registration == null ? NOT_ACTIVE : registration.epoch();
    }

    void stop() {
        up = false;
        incarnation++;
        known = null;
        leader = null;
        follower = null;
        proposalDue = false;
    }

    Optional<Long> highWatermark() {
        return leader != null
                ? Optional.of(leader.highWatermark())
                : Optional.ofNullable(follower).map(FollowerReplica::highWatermark);
    }

    @Override
    public String toString() {
        return "broker %d %s epoch %d log end %d flushed %d hw %s"
                .formatted(
                        id,
                        up ? (leader != null ? "leads" : "follows") : "down",
                        leader != null
                                ? leader.leaderEpoch()
                                : follower != null ? follower.leaderEpoch() : -1,
                        log.logEndOffset(),
                        log.flushedEndOffset(),
                        highWatermark());
    }
}
