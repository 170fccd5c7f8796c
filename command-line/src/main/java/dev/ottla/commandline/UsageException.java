package dev.ottla.commandline;

/// A command line that cannot be meant. The message says which word and what was expected.
public final class UsageException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public UsageException(String message) {
        super(message);
    }
}
