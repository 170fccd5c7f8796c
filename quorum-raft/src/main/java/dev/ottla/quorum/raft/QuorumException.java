package dev.ottla.quorum.raft;

/// What was asked of the quorum was not done: there may be no majority, or another leader.
final class QuorumException extends RuntimeException {
    private static final long serialVersionUID = 1;

    QuorumException(Throwable cause) {
        super(cause.getMessage(), cause);
    }
}
