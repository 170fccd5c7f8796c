package dev.ottla.wire;

/// The content of a `records` field: bytes that are handed on, not looked into. Open, so that the
/// broker can put a region of a file in place of a buffer and its writer can send it without
/// copying.
public interface RecordsPayload {
    int sizeBytes();
}
