package dev.ottla.quorum.feed;

/// The active controller as a node knows it.
///
/// @param nodeId -1 when unknown
/// @param epoch the latest that is known
public record ActiveController(int nodeId, int epoch) {
    public static final ActiveController UNKNOWN = new ActiveController(-1, 0);
}
