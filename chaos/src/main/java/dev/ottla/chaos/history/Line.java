package dev.ottla.chaos.history;

/// One line of a history.
///
/// @param line counts from 1; not in the file
/// @param atMs since the run began
public record Line(long line, long atMs, Event event) {}
