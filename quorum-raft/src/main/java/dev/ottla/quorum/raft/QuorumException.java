package dev.ottla.quorum.raft;

import java.util.concurrent.CompletionException;
import org.apache.ratis.protocol.exceptions.LeaderNotReadyException;
import org.apache.ratis.protocol.exceptions.LeaderSteppingDownException;
import org.apache.ratis.protocol.exceptions.NotLeaderException;
import org.apache.ratis.protocol.exceptions.ReconfigurationInProgressException;
import org.apache.ratis.protocol.exceptions.ReconfigurationTimeoutException;
import org.apache.ratis.protocol.exceptions.TimeoutIOException;
import org.apache.ratis.protocol.exceptions.TransferLeadershipException;
import org.jspecify.annotations.Nullable;

/// What was asked of the quorum was not done: there may be no majority, or another leader. The
/// message is for operators; that of Ratis, which names its servers and groups, is the cause's.
final class QuorumException extends RuntimeException {
    private static final long serialVersionUID = 1;

    QuorumException(Throwable cause) {
        super(of(cause), cause);
    }

    private static String of(Throwable cause) {
        return switch (cause) {
            case NotLeaderException _ -> "this node does not lead the quorum any more";
            case LeaderNotReadyException _ -> "the leader of the quorum is just beginning";
            case LeaderSteppingDownException _ -> "the leader of the quorum is just stepping down";
            case ReconfigurationInProgressException _ ->
                    "another change of the voters is under way";
            case ReconfigurationTimeoutException _ -> "the new voter was not up to date in time";
            case TimeoutIOException _, TransferLeadershipException _ ->
                    "the other voters did not answer in time";
            default -> "the quorum's engine says: " + cause.getMessage();
        };
    }

    /// What a failed future tells, without the names of the exceptions around it.
    static String words(@Nullable Throwable failure) {
        Throwable cause = failure;
        while (cause instanceof CompletionException && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause == null ? "no answer came" : String.valueOf(cause.getMessage());
    }
}
