package dev.ottla.log;

/// What a look-up in a log found. That nothing is there is a finding; that nobody could look is
/// not.
public sealed interface LookupOutcome<T> {
    record Found<T>(T value) implements LookupOutcome<T> {}

    /// The log is offline, or what would have to be read is damaged.
    record Offline<T>(String reason) implements LookupOutcome<T> {}
}
