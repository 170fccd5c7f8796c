package dev.ottla.log;

/// A record found by time: its offset, timestamp and the leader epoch of its batch.
public record TimestampedOffset(long offset, long timestamp, int leaderEpoch) {}
