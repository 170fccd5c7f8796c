package dev.ottla.cli;

/// A cluster that cannot do what it was asked. The message says why and what helps.
final class ClusterFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ClusterFailure(String message) {
        super(message);
    }
}
