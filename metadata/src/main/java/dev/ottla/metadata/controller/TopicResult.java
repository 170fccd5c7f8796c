package dev.ottla.metadata.controller;

import dev.ottla.wire.Uuid;

/// What became of one topic that a command names.
///
/// @param name empty when the topic was named by an id that does not exist
/// @param id zero when the topic was named by a name that does not exist
public record TopicResult(String name, Uuid id, ApiError error) {}
