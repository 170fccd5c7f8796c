package dev.ottla.cli;

/// A broker that has to end because it is of no use any more. The message says why, and what helps.
final class Ended extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Ended(String message) {
        super(message);
    }
}
