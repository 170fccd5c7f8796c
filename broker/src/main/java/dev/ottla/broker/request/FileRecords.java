package dev.ottla.broker.request;

import dev.ottla.log.LogSlice;

/// Records in a file, sent from there without passing through memory. The range stays readable
/// until the release, whatever happens to the log.
public record FileRecords(LogSlice slice) implements OwnedRecords {
    @Override
    public int sizeBytes() {
        return slice.sizeBytes();
    }

    @Override
    public void release() {
        slice.release();
    }
}
