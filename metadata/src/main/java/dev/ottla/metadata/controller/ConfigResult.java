package dev.ottla.metadata.controller;

import dev.ottla.metadata.ConfigResource;

/// What became of the change of one resource.
public record ConfigResult(ConfigResource resource, ApiError error) {}
