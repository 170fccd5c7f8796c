package dev.ottla.chaos.fault;

import java.time.Duration;

/// A kind of fault. Those that take long need so much time between the beginnings of two faults.
public enum Fault {
    NODE_KILLED(FaultClass.KILL),
    LEADER_KILLED(FaultClass.KILL),
    CONTROLLER_KILLED(FaultClass.KILL),
    COORDINATOR_KILLED(FaultClass.KILL),
    NODE_RESTARTED_AT_ONCE(FaultClass.KILL),
    CONTROLLER_RESTARTED_AT_ONCE(FaultClass.KILL),
    ALL_KILLED(FaultClass.KILL, 5),
    ROLLING_RESTART(FaultClass.KILL, 5),
    NODE_PAUSED(FaultClass.PAUSE),
    CONTROLLER_PAUSED(FaultClass.PAUSE),
    PAUSED_THEN_KILLED(FaultClass.PAUSE),
    NODE_CUT_OFF(FaultClass.PARTITION),
    CONTROLLER_CUT_OFF(FaultClass.PARTITION),
    WHAT_A_NODE_SENDS_IS_LOST(FaultClass.PARTITION),
    WHAT_A_NODE_IS_SENT_IS_LOST(FaultClass.PARTITION),
    BRIDGE(FaultClass.PARTITION),
    CLIENTS_CUT_OFF(FaultClass.PARTITION),
    DISK_FULL(FaultClass.DISK),
    NODE_WIPED(FaultClass.DISK, 5),
    CLOCKS_OF_WRITERS_AHEAD(FaultClass.CLOCK),
    CLOCKS_OF_WRITERS_BEHIND(FaultClass.CLOCK),
    REASSIGNED(FaultClass.MEMBERSHIP),
    REASSIGNMENT_TARGET_KILLED(FaultClass.MEMBERSHIP),
    LEADERS_MOVED(FaultClass.MEMBERSHIP),
    NODE_JOINS_AND_LEAVES(FaultClass.MEMBERSHIP, 10);

    private final FaultClass faultClass;
    private final Duration slot;

    Fault(FaultClass faultClass) {
        this(faultClass, 0);
    }

    Fault(FaultClass faultClass, int slotSeconds) {
        this.faultClass = faultClass;
        slot = Duration.ofSeconds(slotSeconds);
    }

    public FaultClass faultClass() {
        return faultClass;
    }

    /// Whether a certain node is hit, not any.
    boolean hitsWhoHasARole() {
        return switch (this) {
            case LEADER_KILLED,
                    CONTROLLER_KILLED,
                    COORDINATOR_KILLED,
                    CONTROLLER_RESTARTED_AT_ONCE,
                    CONTROLLER_PAUSED,
                    CONTROLLER_CUT_OFF,
                    REASSIGNMENT_TARGET_KILLED ->
                    true;
            default -> false;
        };
    }

    /// Whether processes end and start again.
    boolean startsNodes() {
        return faultClass == FaultClass.KILL
                || this == PAUSED_THEN_KILLED
                || this == NODE_WIPED
                || this == REASSIGNMENT_TARGET_KILLED
                || this == NODE_JOINS_AND_LEAVES;
    }

    boolean fits(Duration given) {
        return given.compareTo(slot) >= 0;
    }
}
