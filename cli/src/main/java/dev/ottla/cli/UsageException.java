package dev.ottla.cli;

/// A command line that cannot be meant. The message says which word and what was expected.
final class UsageException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    UsageException(String message) {
        super(message);
    }
}
