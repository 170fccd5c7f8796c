package dev.ottla.wire;

import java.nio.ByteBuffer;

/// A tagged field that this version of the definitions does not know: kept as it came, written back
/// as it is.
public record UnknownTaggedField(int tag, ByteBuffer data) {
    public int sizeBytes() {
        int length = data.remaining();
        return Sizes.unsignedVarint(tag) + Sizes.unsignedVarint(length) + length;
    }
}
