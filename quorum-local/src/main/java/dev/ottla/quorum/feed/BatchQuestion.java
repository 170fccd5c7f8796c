package dev.ottla.quorum.feed;

import dev.ottla.wire.Uuid;

/// A node asks for what follows on its copy.
///
/// @param nodeId of the asking node
/// @param directoryId of the directory that holds its copy
/// @param offset where its copy ends, exclusive
/// @param lastEpoch of its last record, 0 without any
/// @param maxBytes of the answer, which has one batch at least
/// @param maxWaitMs how long to wait for something new
public record BatchQuestion(
        int nodeId, Uuid directoryId, long offset, int lastEpoch, int maxBytes, long maxWaitMs) {}
