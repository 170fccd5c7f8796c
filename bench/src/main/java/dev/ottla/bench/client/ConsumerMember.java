package dev.ottla.bench.client;

import dev.ottla.wire.ErrorCode;
import dev.ottla.wire.Uuid;
import dev.ottla.wire.message.ConsumerGroupHeartbeatRequest;
import dev.ottla.wire.message.ConsumerGroupHeartbeatResponse;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// One member of a group of the consumer protocol (KIP-848). Owned by one thread; members may share
/// a connection.
public final class ConsumerMember {
    private static final int REBALANCE_TIMEOUT_MS = 300_000;

    private final WireClient client;
    private final String group;
    private final Topic topic;
    private final String memberId;
    private int memberEpoch;
    private int heartbeatIntervalMs;
    private List<Integer> owned = List.of();

    public ConsumerMember(WireClient client, String group, Topic topic, Uuid memberId) {
        this.client = client;
        this.group = group;
        this.topic = topic;
        this.memberId = memberId.toString();
    }

    /// Joins with its first call, then says that it is alive and takes or gives up what the answer
    /// says; true when that changed what it owns, which the next call tells the group.
    public boolean heartbeat() throws IOException {
        boolean joining = memberEpoch == 0;
        var builder =
                ConsumerGroupHeartbeatRequest.builder()
                        .groupId(group)
                        .memberId(memberId)
                        .memberEpoch(memberEpoch)
                        .topicPartitions(ownedPartitions());
        if (joining) {
            builder.rebalanceTimeoutMs(REBALANCE_TIMEOUT_MS)
                    .subscribedTopicNames(List.of(topic.name()));
        }
        ConsumerGroupHeartbeatResponse response =
                (ConsumerGroupHeartbeatResponse) client.ask(builder.build());
        short error = response.errorCode();
        // The coordinator is still on its way, as after its topic was made.
        if (error == ErrorCode.COORDINATOR_LOAD_IN_PROGRESS.code()
                || error == ErrorCode.COORDINATOR_NOT_AVAILABLE.code()
                || error == ErrorCode.NOT_COORDINATOR.code()) {
            return false;
        }
        Topics.require(error, "a heartbeat in group " + group + ": " + response.errorMessage());
        memberEpoch = response.memberEpoch();
        heartbeatIntervalMs = response.heartbeatIntervalMs();
        Optional<List<Integer>> assigned =
                Optional.ofNullable(response.assignment()).map(ConsumerMember::partitions);
        boolean changed = assigned.isPresent() && !assigned.get().equals(owned);
        owned = assigned.orElse(owned);
        return changed;
    }

    public int ownedCount() {
        return owned.size();
    }

    /// How long the group lets this member rest between calls.
    public int heartbeatIntervalMs() {
        return heartbeatIntervalMs;
    }

    private List<ConsumerGroupHeartbeatRequest.TopicPartitions> ownedPartitions() {
        if (owned.isEmpty()) return List.of();
        return List.of(
                ConsumerGroupHeartbeatRequest.TopicPartitions.builder()
                        .topicId(topic.id())
                        .partitions(owned)
                        .build());
    }

    private static List<Integer> partitions(ConsumerGroupHeartbeatResponse.Assignment assignment) {
        List<Integer> partitions = new ArrayList<>();
        assignment.topicPartitions().forEach(part -> partitions.addAll(part.partitions()));
        return partitions.stream().sorted().toList();
    }
}
