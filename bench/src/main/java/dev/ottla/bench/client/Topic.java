package dev.ottla.bench.client;

import dev.ottla.wire.Uuid;

/// A topic that exists.
public record Topic(String name, Uuid id, int partitions) {}
