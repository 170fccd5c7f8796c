package dev.ottla.chaos.fault;

import dev.ottla.chaos.cluster.Cluster.Means;
import java.time.Duration;
import java.util.Locale;
import java.util.Set;

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
    LINK_SLOW(FaultClass.PARTITION),
    LINK_LOSES(FaultClass.PARTITION),
    LINK_REORDERS(FaultClass.PARTITION),
    DISK_FULL(FaultClass.DISK),
    DISK_SLOW(FaultClass.DISK),
    WRITES_FAIL(FaultClass.DISK),
    SYNCS_FAIL(FaultClass.DISK),
    POWER_LOST(FaultClass.DISK),
    WRITES_TORN(FaultClass.DISK),
    NODE_WIPED(FaultClass.DISK, 5),
    BITS_FLIPPED(FaultClass.DAMAGE),
    FILES_ROLLED_BACK(FaultClass.DAMAGE),
    REPLICAS_EMPTIED(FaultClass.DAMAGE),
    CLOCKS_OF_WRITERS_AHEAD(FaultClass.CLOCK),
    CLOCKS_OF_WRITERS_BEHIND(FaultClass.CLOCK),
    CLOCK_OF_A_NODE_AHEAD(FaultClass.CLOCK),
    CLOCK_OF_A_NODE_BEHIND(FaultClass.CLOCK),
    REASSIGNED(FaultClass.MEMBERSHIP),
    REASSIGNMENT_TARGET_KILLED(FaultClass.MEMBERSHIP),
    LEADERS_MOVED(FaultClass.MEMBERSHIP),
    NODE_JOINS_AND_LEAVES(FaultClass.MEMBERSHIP, 10),
    CLIENT_KILLED(FaultClass.CLIENT),
    CLIENT_PAUSED(FaultClass.CLIENT),
    SLOW_CONSUMERS(FaultClass.CLIENT),
    MALFORMED_REQUESTS(FaultClass.CLIENT);

    private static final int GAVE_UP = 1;

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

    /// As `--faults` names it.
    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /// Whether it cuts or slows networks, which needs root.
    public boolean needsNetworks() {
        return faultClass == FaultClass.PARTITION;
    }

    /// What a cluster must let the run do to it.
    public Set<Means> needs() {
        return switch (this) {
            case NODE_KILLED,
                    LEADER_KILLED,
                    CONTROLLER_KILLED,
                    COORDINATOR_KILLED,
                    NODE_RESTARTED_AT_ONCE,
                    CONTROLLER_RESTARTED_AT_ONCE,
                    ALL_KILLED ->
                    Set.of(Means.KILL);
            case NODE_PAUSED, CONTROLLER_PAUSED -> Set.of(Means.PAUSE);
            case PAUSED_THEN_KILLED -> Set.of(Means.PAUSE, Means.KILL);
            case NODE_CUT_OFF,
                    CONTROLLER_CUT_OFF,
                    WHAT_A_NODE_SENDS_IS_LOST,
                    WHAT_A_NODE_IS_SENT_IS_LOST,
                    BRIDGE ->
                    Set.of(Means.CUT);
            case REASSIGNED, LEADERS_MOVED -> Set.of(Means.MOVE);
            case REASSIGNMENT_TARGET_KILLED -> Set.of(Means.MOVE, Means.KILL);
            case CLOCKS_OF_WRITERS_AHEAD,
                    CLOCKS_OF_WRITERS_BEHIND,
                    CLIENT_KILLED,
                    CLIENT_PAUSED,
                    SLOW_CONSUMERS,
                    MALFORMED_REQUESTS ->
                    Set.of();
            default -> Set.of(Means.OWN);
        };
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

    /// Whether a disk does not keep what was written to it. The cluster promises to survive one
    /// such disk, so all replicas must be in sync before the next one.
    boolean destroys() {
        return switch (this) {
            case WRITES_FAIL,
                    SYNCS_FAIL,
                    POWER_LOST,
                    WRITES_TORN,
                    NODE_WIPED,
                    BITS_FLIPPED,
                    FILES_ROLLED_BACK,
                    REPLICAS_EMPTIED ->
                    true;
            default -> false;
        };
    }

    /// Whether a node that ends with this code does so by design: it gives up a disk that fails, or
    /// does not start on a full one, and says so. A bug that shows itself meanwhile is no less a
    /// bug.
    boolean explains(int exitCode) {
        return (this == WRITES_FAIL || this == SYNCS_FAIL || this == DISK_FULL)
                && exitCode == GAVE_UP;
    }

    /// Whether processes end and start again.
    boolean startsNodes() {
        return faultClass == FaultClass.KILL
                || destroys()
                || this == PAUSED_THEN_KILLED
                || this == REASSIGNMENT_TARGET_KILLED
                || this == NODE_JOINS_AND_LEAVES;
    }

    boolean fits(Duration given) {
        return given.compareTo(slot) >= 0;
    }
}
