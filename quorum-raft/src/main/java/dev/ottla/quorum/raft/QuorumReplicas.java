package dev.ottla.quorum.raft;

import dev.ottla.metadata.QuorumState;
import dev.ottla.metadata.QuorumVoter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.ratis.proto.RaftProtos.CommitInfoProto;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;

/// How far the members of the quorum are. Ratis counts entries, not records: a member that lacks
/// entries is shown as lacking a record for each. When each was last heard the leader knows best;
/// where there is none, each voter hears of the others that want to lead.
final class QuorumReplicas {
    private final Map<RaftPeerId, Long> commits = new HashMap<>();
    private final Map<RaftPeerId, Long> silentMs;
    private final RaftPeerId self;
    private final long endOffset;
    private final long nowMs;

    QuorumReplicas(RaftNode node, long endOffset, long nowMs) {
        for (CommitInfoProto commit : node.commits()) {
            commits.put(RaftPeerId.valueOf(commit.getServer().getId()), commit.getCommitIndex());
        }
        this.silentMs = node.silentMs();
        this.self = node.self();
        this.endOffset = endOffset;
        this.nowMs = nowMs;
    }

    List<QuorumState.Replica> of(List<RaftPeer> members) {
        return members.stream().map(this::of).toList();
    }

    /// How much a member is known to have committed; -1 when nobody knows.
    long committedIndex(RaftPeerId member) {
        return commits.getOrDefault(member, -1L);
    }

    private QuorumState.Replica of(RaftPeer member) {
        QuorumVoter voter = Peers.voter(member);
        long behind = commits.getOrDefault(self, 0L) - committedIndex(member.getId());
        boolean caughtUp = behind <= 0;
        long heardMs =
                Optional.ofNullable(silentMs.get(member.getId())).map(ms -> nowMs - ms).orElse(-1L);
        return new QuorumState.Replica(
                voter.nodeId(),
                voter.directoryId(),
                caughtUp ? endOffset : Math.max(0, endOffset - behind),
                heardMs,
                caughtUp ? heardMs : -1);
    }
}
