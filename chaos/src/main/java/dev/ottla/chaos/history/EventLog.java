package dev.ottla.chaos.history;

/// To which clients tell what they do and are answered. When [#add] returns, the event has its
/// place among all others. Thread-safe.
public interface EventLog {
    void add(Event event);
}
