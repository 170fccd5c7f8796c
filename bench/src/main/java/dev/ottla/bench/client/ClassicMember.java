package dev.ottla.bench.client;

import dev.ottla.wire.ErrorCode;
import dev.ottla.wire.message.HeartbeatRequest;
import dev.ottla.wire.message.HeartbeatResponse;
import dev.ottla.wire.message.JoinGroupRequest;
import dev.ottla.wire.message.JoinGroupRequest.JoinGroupRequestProtocol;
import dev.ottla.wire.message.JoinGroupResponse;
import dev.ottla.wire.message.SyncGroupRequest;
import dev.ottla.wire.message.SyncGroupRequest.SyncGroupRequestAssignment;
import dev.ottla.wire.message.SyncGroupResponse;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/// One member of a group of the classic protocol, on a connection of its own. Owned by one thread.
public final class ClassicMember {
    private static final int TIMEOUT_MS = 300_000;
    private static final String PROTOCOL = "any";

    private final WireClient client;
    private final String group;
    private String memberId = "";
    private int generationId = -1;

    public ClassicMember(WireClient client, String group) {
        this.client = client;
        this.group = group;
    }

    /// Joins, again where the group asks for it, until this member has an assignment.
    public void join() throws IOException {
        while (!tryJoin()) {
            // The group has moved on in between: join its next generation.
        }
    }

    /// Says that this member is alive; false when the group wants it to join again.
    public boolean heartbeat() throws IOException {
        HeartbeatResponse response =
                (HeartbeatResponse)
                        client.ask(
                                HeartbeatRequest.builder()
                                        .groupId(group)
                                        .memberId(memberId)
                                        .generationId(generationId)
                                        .build());
        if (response.errorCode() == ErrorCode.REBALANCE_IN_PROGRESS.code()) return false;
        Topics.require(response.errorCode(), "a heartbeat in group " + group);
        return true;
    }

    /// The generation in which this member has its assignment.
    public int generationId() {
        return generationId;
    }

    private boolean tryJoin() throws IOException {
        JoinGroupResponse joined = askToJoin();
        if (joined.errorCode() == ErrorCode.MEMBER_ID_REQUIRED.code()) {
            memberId = joined.memberId();
            joined = askToJoin();
        }
        if (joined.errorCode() == ErrorCode.REBALANCE_IN_PROGRESS.code()) return false;
        Topics.require(joined.errorCode(), "joining group " + group);
        memberId = joined.memberId();
        generationId = joined.generationId();
        List<SyncGroupRequestAssignment> assignments =
                joined.members().stream()
                        .map(member ->
                                SyncGroupRequestAssignment.builder()
                                        .memberId(member.memberId())
                                        .assignment(ByteBuffer.allocate(8))
                                        .build())
                        .toList();
        SyncGroupResponse synced =
                (SyncGroupResponse)
                        client.ask(
                                SyncGroupRequest.builder()
                                        .groupId(group)
                                        .memberId(memberId)
                                        .generationId(generationId)
                                        .protocolType(PROTOCOL)
                                        .protocolName(PROTOCOL)
                                        .assignments(assignments)
                                        .build());
        if (synced.errorCode() == ErrorCode.REBALANCE_IN_PROGRESS.code()) return false;
        Topics.require(synced.errorCode(), "the assignment in group " + group);
        return true;
    }

    private JoinGroupResponse askToJoin() throws IOException {
        JoinGroupRequestProtocol protocol =
                JoinGroupRequestProtocol.builder()
                        .name(PROTOCOL)
                        .metadata(ByteBuffer.allocate(8))
                        .build();
        return (JoinGroupResponse)
                client.ask(
                        JoinGroupRequest.builder()
                                .groupId(group)
                                .memberId(memberId)
                                .protocolType(PROTOCOL)
                                .protocols(List.of(protocol))
                                .sessionTimeoutMs(TIMEOUT_MS)
                                .rebalanceTimeoutMs(TIMEOUT_MS)
                                .build());
    }
}
