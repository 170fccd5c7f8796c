package dev.ottla.metadata.controller;

import dev.ottla.metadata.MetadataRecord;
import java.util.List;

/// What a command comes to: records, which take effect together once they are committed, and the
/// reply that may leave then.
public record Outcome<R>(List<MetadataRecord> records, R reply) {
    public Outcome {
        records = List.copyOf(records);
    }

    /// A reply that changes nothing.
    public static <R> Outcome<R> unchanged(R reply) {
        return new Outcome<>(List.of(), reply);
    }
}
