package dev.ottla.record;

import java.nio.ByteBuffer;
import java.util.Optional;

/// A named attachment of a record. Names may repeat within a record; order counts.
public record RecordHeader(String key, Optional<ByteBuffer> value) {}
