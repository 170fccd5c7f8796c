package dev.ottla.group;

import dev.ottla.group.classic.Heartbeat;
import dev.ottla.group.classic.JoinGroup;
import dev.ottla.group.classic.LeaveGroup;
import dev.ottla.group.classic.SyncGroup;
import dev.ottla.group.record.Bytes;
import dev.ottla.group.record.ConsumerProtocolCodec;
import dev.ottla.group.record.GroupRecord.ClassicProtocolValue;
import dev.ottla.group.shell.ClientIdentity;
import dev.ottla.group.shell.MemberIdentity;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// A classic member as a test drives it; keeps its member id and generation like a client.
final class ClassicClient {
    final TestShell shell;
    final String groupId;
    String clientId = "client";
    String memberId = "";
    Optional<String> instanceId = Optional.empty();
    int generationId = -1;
    int sessionTimeoutMs = 10_000;
    int rebalanceTimeoutMs = 60_000;
    String protocolType = "consumer";
    List<String> protocolNames = List.of("range");
    Set<String> topics = Set.of("t");
    short subscriptionVersion = 3;
    Optional<Bytes> metadata = Optional.empty();
    boolean requiresKnownMemberId = true;
    boolean supportsSkippingAssignment = true;

    ClassicClient(TestShell shell, String groupId) {
        this.shell = shell;
        this.groupId = groupId;
    }

    ClassicClient withInstance(String id) {
        instanceId = Optional.of(id);
        return this;
    }

    ClassicClient speaking(String... names) {
        protocolNames = List.of(names);
        return this;
    }

    MemberIdentity identity() {
        return new MemberIdentity(memberId, instanceId);
    }

    JoinGroup.Request joinRequest() {
        Bytes own =
                metadata.orElseGet(() ->
                        ConsumerProtocolCodec.encodeSubscription(
                                new ConsumerProtocolCodec.Subscription(
                                        subscriptionVersion,
                                        topics,
                                        Map.of(),
                                        -1,
                                        Optional.empty())));
        return new JoinGroup.Request(
                groupId,
                identity(),
                new ClientIdentity(clientId, "/127.0.0.1"),
                sessionTimeoutMs,
                rebalanceTimeoutMs,
                protocolType,
                protocolNames.stream().map(name -> new ClassicProtocolValue(name, own)).toList(),
                Optional.empty(),
                requiresKnownMemberId,
                supportsSkippingAssignment);
    }

    Answer<JoinGroup.Response> sendJoin() {
        Answer<JoinGroup.Response> answer = new Answer<>();
        shell.coordinator.joinGroup(joinRequest(), answer, shell.nowMs);
        return answer;
    }

    /// Joins, with the second request where the first is told an id.
    Answer<JoinGroup.Response> join() {
        Answer<JoinGroup.Response> answer = sendJoin();
        if (answer.isThere()
                && !answer.isRefused()
                && answer.get() instanceof JoinGroup.MemberIdRequired(var id)) {
            memberId = id;
            answer = sendJoin();
        }
        return answer;
    }

    JoinGroup.Joined took(Answer<JoinGroup.Response> answer) {
        JoinGroup.Joined joined = (JoinGroup.Joined) answer.get();
        memberId = joined.memberId();
        generationId = joined.generationId();
        return joined;
    }

    Answer<SyncGroup.Response> sync(Map<String, Bytes> assignments) {
        Answer<SyncGroup.Response> answer = new Answer<>();
        shell.coordinator.syncGroup(
                new SyncGroup.Request(
                        groupId,
                        generationId,
                        identity(),
                        Optional.of(protocolType),
                        Optional.empty(),
                        assignments),
                answer,
                shell.nowMs);
        return answer;
    }

    Answer<Heartbeat.Response> heartbeat() {
        Answer<Heartbeat.Response> answer = new Answer<>();
        shell.coordinator.heartbeat(
                new Heartbeat.Request(groupId, generationId, identity()), answer, shell.nowMs);
        return answer;
    }

    Answer<LeaveGroup.Response> leave() {
        Answer<LeaveGroup.Response> answer = new Answer<>();
        shell.coordinator.leaveGroup(
                new LeaveGroup.Request(
                        groupId, List.of(new LeaveGroup.Leaver(identity(), Optional.empty()))),
                answer,
                shell.nowMs);
        return answer;
    }

    static Bytes bytes(String text) {
        return Bytes.copyOf(text.getBytes(StandardCharsets.UTF_8));
    }

    /// Brings `clients` into one stable generation; the assignment of each is its position.
    static void stabilise(List<ClassicClient> clients) {
        List<Answer<JoinGroup.Response>> joins = clients.stream().map(ClassicClient::join).toList();
        TestShell shell = clients.getFirst().shell;
        shell.advance(shell.classicSettings.initialRebalanceDelayMs());
        if (joins.stream().anyMatch(answer -> !answer.isThere())) {
            shell.advance(shell.classicSettings.initialRebalanceDelayMs());
        }
        Map<String, Bytes> assignments = new HashMap<>();
        for (int i = 0; i < clients.size(); i++) {
            clients.get(i).took(joins.get(i));
            assignments.put(clients.get(i).memberId, bytes("part " + i));
        }
        for (int i = 0; i < clients.size(); i++) {
            JoinGroup.Joined joined = (JoinGroup.Joined) joins.get(i).get();
            boolean leads = joined.leader().equals(joined.memberId());
            clients.get(i).sync(leads ? assignments : Map.of());
        }
    }
}
