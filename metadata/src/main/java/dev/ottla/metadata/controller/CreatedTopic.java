package dev.ottla.metadata.controller;

import dev.ottla.wire.Uuid;

/// What became of one [CreateTopic].
///
/// @param id zero when refused or only validated
/// @param partitionCount -1 when refused
/// @param replicationFactor -1 when refused
public record CreatedTopic(
        String name, ApiError error, Uuid id, int partitionCount, int replicationFactor) {
    static CreatedTopic refused(String name, ApiError error) {
        return new CreatedTopic(name, error, Uuid.ZERO, -1, -1);
    }
}
