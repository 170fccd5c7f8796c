package dev.ottla.broker.peer;

/// Why a request to another node has no answer. Its message is a sentence that names the node.
public final class PeerException extends Exception {
    private static final long serialVersionUID = 1L;

    public enum Kind {
        /// Nobody listens at the address, says its machine: the process there is gone.
        REFUSED,
        /// The address cannot be reached, or its name is not known.
        UNREACHABLE,
        /// The answer did not come in time. Whether the request was carried out is not known.
        TIMED_OUT,
        /// The connection broke. Whether the request was carried out is not known.
        CLOSED,
        /// The other side does not speak as it should.
        NOT_UNDERSTOOD,
        /// A node of another cluster has taken the address.
        OTHER_CLUSTER,
        /// Too many requests wait for this connection.
        CROWDED
    }

    private final Kind kind;

    public PeerException(Kind kind, String message) {
        super(message, null, false, false);
        this.kind = kind;
    }

    public Kind kind() {
        return kind;
    }
}
