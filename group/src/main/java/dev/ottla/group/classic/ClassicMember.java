package dev.ottla.group.classic;

import dev.ottla.group.record.Bytes;
import dev.ottla.group.record.GroupRecord.ClassicMemberValue;
import dev.ottla.group.record.GroupRecord.ClassicProtocolValue;
import dev.ottla.group.shell.ClientIdentity;
import dev.ottla.group.shell.MemberIdentity;
import dev.ottla.group.shell.Reply;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// A member of a classic group, with the request of its that waits, if any. Owned by the thread
/// that owns the group. Fields change through [ClassicGroup] and [ClassicProtocol] only.
final class ClassicMember {
    /// No deadline, no timer.
    static final long NEVER = Long.MAX_VALUE;

    final String memberId;
    final Optional<String> groupInstanceId;
    final String clientId;
    final String clientHost;
    int sessionTimeoutMs;
    int rebalanceTimeoutMs;
    List<ClassicProtocolValue> protocols;
    Bytes assignment = Bytes.EMPTY;

    /// The member has not completed its first join: it cannot heartbeat, having no answer yet.
    boolean isNew;

    /// A JoinGroup that waits for the generation.
    @Nullable Reply<JoinGroup.Response> awaitingJoin;

    /// A SyncGroup that waits for the leader's assignment.
    @Nullable Reply<SyncGroup.Response> awaitingSync;

    /// When the session runs out unless the member is heard of before.
    long sessionDeadlineMs = NEVER;

    /// When the pending session timer goes off, [#NEVER] without one. It may be earlier than the
    /// deadline: a heartbeat only moves the deadline, and the timer looks at it when it goes off.
    long sessionTimerMs = NEVER;

    ClassicMember(
            MemberIdentity identity,
            ClientIdentity client,
            int sessionTimeoutMs,
            int rebalanceTimeoutMs,
            List<ClassicProtocolValue> protocols) {
        this.memberId = identity.memberId();
        this.groupInstanceId = identity.groupInstanceId();
        this.clientId = client.id();
        this.clientHost = client.host();
        this.sessionTimeoutMs = sessionTimeoutMs;
        this.rebalanceTimeoutMs = rebalanceTimeoutMs;
        this.protocols = List.copyOf(protocols);
    }

    boolean isStatic() {
        return groupInstanceId.isPresent();
    }

    boolean isAwaitingJoin() {
        return awaitingJoin != null;
    }

    boolean isAwaitingSync() {
        return awaitingSync != null;
    }

    MemberIdentity identity() {
        return new MemberIdentity(memberId, groupInstanceId);
    }

    /// The member's metadata for `protocol`, nothing if it does not speak it.
    Bytes metadata(String protocol) {
        return protocols.stream()
                .filter(candidate -> candidate.name().equals(protocol))
                .findFirst()
                .map(ClassicProtocolValue::metadata)
                .orElse(Bytes.EMPTY);
    }

    Set<String> protocolNames() {
        return protocols.stream().map(ClassicProtocolValue::name).collect(Collectors.toSet());
    }

    /// The first of the member's protocols that is among `candidates`.
    String vote(Set<String> candidates) {
        return protocols.stream()
                .map(ClassicProtocolValue::name)
                .filter(candidates::contains)
                .findFirst()
                .orElseThrow(() ->
                        new IllegalStateException(
                                "member "
                                        + memberId
                                        + " speaks none of the candidates "
                                        + candidates));
    }

    ClassicMemberValue value(String protocol, Bytes assigned) {
        return new ClassicMemberValue(
                memberId,
                groupInstanceId,
                clientId,
                clientHost,
                rebalanceTimeoutMs,
                sessionTimeoutMs,
                metadata(protocol),
                assigned);
    }

    ClassicMemberSnapshot snapshot() {
        return new ClassicMemberSnapshot(
                identity(),
                new ClientIdentity(clientId, clientHost),
                sessionTimeoutMs,
                rebalanceTimeoutMs,
                protocols,
                assignment);
    }
}
