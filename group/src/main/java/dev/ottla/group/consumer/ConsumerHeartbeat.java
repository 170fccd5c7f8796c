package dev.ottla.group.consumer;

import dev.ottla.group.partition.Assignment;
import dev.ottla.group.shell.ClientIdentity;
import java.util.Optional;
import java.util.Set;

/// ConsumerGroupHeartbeat in the coordinator's own types.
public final class ConsumerHeartbeat {
    /// Member epoch of a member that joins.
    public static final int JOIN_EPOCH = 0;

    /// Member epoch of a member that leaves for good.
    public static final int LEAVE_EPOCH = -1;

    /// Member epoch of a static member that leaves and means to come back.
    public static final int LEAVE_STATIC_EPOCH = -2;

    private ConsumerHeartbeat() {}

    /// What is empty has not changed since the member's last heartbeat.
    ///
    /// @param apiVersion from 1 on the member brings its own id
    /// @param rebalanceTimeoutMs −1 when it has not changed
    /// @param owned the partitions the member owns right now
    public record Request(
            String groupId,
            String memberId,
            int memberEpoch,
            ClientIdentity client,
            int apiVersion,
            Optional<String> instanceId,
            Optional<String> rackId,
            int rebalanceTimeoutMs,
            Optional<Set<String>> subscribedTopicNames,
            Optional<String> subscribedTopicRegex,
            Optional<String> serverAssignor,
            Optional<Assignment> owned) {
        public Request {
            subscribedTopicNames = subscribedTopicNames.map(Set::copyOf);
        }

        /// The member tells everything about itself and gets everything back.
        boolean isFull() {
            return rebalanceTimeoutMs != -1
                    && (subscribedTopicNames.isPresent() || subscribedTopicRegex.isPresent())
                    && owned.isPresent();
        }
    }

    /// What the member is to do.
    ///
    /// @param assignment what the member may use, when it has changed or the member asked in full
    public record Response(
            String memberId,
            int memberEpoch,
            int heartbeatIntervalMs,
            Optional<Assignment> assignment) {}
}
