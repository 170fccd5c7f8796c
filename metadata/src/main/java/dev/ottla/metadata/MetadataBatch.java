package dev.ottla.metadata;

import java.util.List;

/// Records that were committed together. Immutable.
///
/// @param baseOffset offset of the first record
/// @param epoch of the controller that wrote them
/// @param timestampMs when it did
public record MetadataBatch(
        long baseOffset, int epoch, long timestampMs, List<MetadataRecord> records) {
    public MetadataBatch {
        records = List.copyOf(records);
    }

    public long lastOffset() {
        return baseOffset + records.size() - 1;
    }
}
