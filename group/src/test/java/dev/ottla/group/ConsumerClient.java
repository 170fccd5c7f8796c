package dev.ottla.group;

import dev.ottla.group.consumer.ConsumerHeartbeat;
import dev.ottla.group.partition.Assignment;
import dev.ottla.group.partition.PartitionSet;
import dev.ottla.group.shell.ClientIdentity;
import dev.ottla.wire.Uuid;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/// A member of the consumer protocol as a test drives it: keeps its epoch and partitions like a
/// client, and gives up what it is told to at once, unless the test says otherwise.
final class ConsumerClient {
    final TestShell shell;
    final String groupId;
    final String memberId;
    Optional<String> instanceId = Optional.empty();
    Optional<Set<String>> topics = Optional.of(Set.of("t"));
    Optional<String> regex = Optional.empty();
    Optional<String> assignor = Optional.empty();
    int rebalanceTimeoutMs = 300_000;
    int epoch;

    /// What it owns and reports.
    Assignment owned = Assignment.EMPTY;

    /// What it was last told to use; it owns that as soon as it does not hold on.
    private Assignment told = Assignment.EMPTY;

    private Answer<ConsumerHeartbeat.Response> joining = new Answer<>();

    /// Is slow to give up partitions; new ones it takes at once.
    boolean holdsOn;

    ConsumerClient(TestShell shell, String groupId, String memberId) {
        this.shell = shell;
        this.groupId = groupId;
        this.memberId = memberId;
    }

    ConsumerClient withInstance(String id) {
        instanceId = Optional.of(id);
        return this;
    }

    ConsumerClient subscribedTo(String... names) {
        topics = Optional.of(Set.of(names));
        return this;
    }

    ConsumerClient matching(String pattern) {
        regex = Optional.of(pattern);
        topics = Optional.empty();
        return this;
    }

    private ConsumerHeartbeat.Request request(int memberEpoch, boolean full) {
        return new ConsumerHeartbeat.Request(
                groupId,
                memberId,
                memberEpoch,
                new ClientIdentity("client", "/127.0.0.1"),
                1,
                instanceId,
                Optional.empty(),
                full ? rebalanceTimeoutMs : -1,
                full ? topics : Optional.empty(),
                full ? regex : Optional.empty(),
                full ? assignor : Optional.empty(),
                memberEpoch == 0
                        ? Optional.of(Assignment.EMPTY)
                        : memberEpoch < 0 ? Optional.empty() : Optional.of(owned));
    }

    Answer<ConsumerHeartbeat.Response> send(int memberEpoch, boolean full) {
        Answer<ConsumerHeartbeat.Response> answer = new Answer<>();
        shell.coordinator.consumerHeartbeat(request(memberEpoch, full), answer, shell.nowMs);
        return answer;
    }

    private Answer<ConsumerHeartbeat.Response> take(Answer<ConsumerHeartbeat.Response> answer) {
        if (!answer.isThere() || answer.isRefused()) return answer;
        epoch = answer.get().memberEpoch();
        answer.get().assignment().ifPresent(assigned -> told = assigned);
        letGo();
        return answer;
    }

    /// Looks whether a join has been answered that had to wait.
    Answer<ConsumerHeartbeat.Response> lookAgain() {
        return take(joining);
    }

    private void letGo() {
        owned = holdsOn ? union(owned, told) : told;
    }

    private static Assignment union(Assignment one, Assignment other) {
        Map<Uuid, PartitionSet> both = new HashMap<>(one.topics());
        other.topics()
                .forEach((topicId, partitions) ->
                        both.merge(
                                topicId,
                                partitions,
                                (a, b) ->
                                        PartitionSet.of(
                                                IntStream.concat(a.stream(), b.stream())
                                                        .toArray())));
        return new Assignment(both);
    }

    Answer<ConsumerHeartbeat.Response> join() {
        owned = Assignment.EMPTY;
        told = Assignment.EMPTY;
        joining = send(0, true);
        return take(joining);
    }

    Answer<ConsumerHeartbeat.Response> heartbeat() {
        letGo();
        return take(send(epoch, false));
    }

    /// A heartbeat with everything in it, as after a change of the subscription.
    Answer<ConsumerHeartbeat.Response> heartbeatInFull() {
        letGo();
        return take(send(epoch, true));
    }

    Answer<ConsumerHeartbeat.Response> leave() {
        return send(-1, false);
    }

    Answer<ConsumerHeartbeat.Response> leaveForNow() {
        return send(-2, false);
    }

    /// The partitions it owns of `topic`, as text.
    String owns(String topic) {
        return owned.of(shell.topics.id(topic)).toString();
    }
}
