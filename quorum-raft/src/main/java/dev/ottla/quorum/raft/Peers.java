package dev.ottla.quorum.raft;

import dev.ottla.metadata.QuorumVoter;
import dev.ottla.wire.Uuid;
import java.util.UUID;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;

/// Voters as Ratis names them: `<node id>@<directory id>@<address>`, in a group that has the
/// cluster's id. The address is a part of the name because Ratis never forgets where it once found
/// somebody: a voter that moved is another one. Its colons are left out, for names in JMX have
/// none.
final class Peers {
    private Peers() {}

    static RaftGroupId group(Uuid clusterId) {
        return RaftGroupId.valueOf(
                new UUID(clusterId.mostSignificantBits(), clusterId.leastSignificantBits()));
    }

    static RaftPeerId id(QuorumVoter voter) {
        return RaftPeerId.valueOf(
                voter.nodeId()
                        + "@"
                        + voter.directoryId()
                        + "@"
                        + address(voter).replace(':', '_'));
    }

    /// Whether that is the node with that directory, wherever it is.
    static boolean isOf(RaftPeerId id, int nodeId, Uuid directoryId) {
        return id.toString().startsWith(nodeId + "@" + directoryId + "@");
    }

    static RaftPeer peer(QuorumVoter voter) {
        return RaftPeer.newBuilder().setId(id(voter)).setAddress(address(voter)).build();
    }

    private static String address(QuorumVoter voter) {
        String host = voter.host().contains(":") ? "[" + voter.host() + "]" : voter.host();
        return host + ":" + voter.port();
    }

    static QuorumVoter voter(RaftPeer peer) {
        String address = peer.getAddress();
        int colon = address.lastIndexOf(':');
        String host = address.substring(0, colon);
        return new QuorumVoter(
                nodeId(peer.getId()),
                directoryId(peer.getId()),
                host.startsWith("[") ? host.substring(1, host.length() - 1) : host,
                Integer.parseInt(address.substring(colon + 1)));
    }

    static int nodeId(RaftPeerId id) {
        String text = id.toString();
        return Integer.parseInt(text.substring(0, text.indexOf('@')));
    }

    private static Uuid directoryId(RaftPeerId id) {
        return Uuid.parse(id.toString().split("@", 3)[1]);
    }
}
