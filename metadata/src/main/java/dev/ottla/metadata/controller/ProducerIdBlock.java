package dev.ottla.metadata.controller;

/// Producer ids that no other block contains and none ever will: a broker may hand each out once.
///
/// @param first inclusive
/// @param end exclusive
public record ProducerIdBlock(long first, long end) {}
