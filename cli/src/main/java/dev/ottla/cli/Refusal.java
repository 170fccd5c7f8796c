package dev.ottla.cli;

/// A start that cannot be, for a reason the user can mend. The message says which and how.
final class Refusal extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Refusal(String message) {
        super(message);
    }
}
