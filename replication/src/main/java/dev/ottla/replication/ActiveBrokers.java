package dev.ottla.replication;

/// Which brokers may be in an ISR, as far as this broker knows the cluster.
public interface ActiveBrokers {
    /// No broker has this epoch.
    long NOT_ACTIVE = -1;

    /// The epoch of the broker's present registration, or [#NOT_ACTIVE] when it is fenced, shuts
    /// down or is unknown.
    long epochOf(int brokerId);

    /// The epoch of the broker's present registration, whether it is active or not; [#NOT_ACTIVE]
    /// when it is unknown.
    long registeredEpochOf(int brokerId);

    /// Whether the broker's replica has room for records. One that has none does not join the ISR.
    default boolean hasRoom(int brokerId) {
        return true;
    }

    /// Whether this broker's view of the cluster may have been outdated for long, for it cannot
    /// take what the controller decides.
    default boolean isBlind() {
        return false;
    }

    /// Whether an active controller counted on this broker a moment ago, and this broker knew all
    /// that was decided by then: so recently that nobody can have been elected in its place for its
    /// silence.
    default boolean isConfirmed() {
        return false;
    }
}
