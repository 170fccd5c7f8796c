package dev.ottla.log.disk;

/// The fake machine has lost power in the middle of a call. Nothing that runs on it may catch this.
public final class PowerLoss extends Error {
    private static final long serialVersionUID = 1;

    PowerLoss() {
        super("power loss");
    }
}
