package dev.ottla.group.record;

import java.nio.ByteBuffer;
import java.util.Arrays;

/// An immutable run of bytes that the coordinator keeps without looking inside: a member's protocol
/// metadata or its assignment. Copied when made, so it never pins the buffer of a request.
public final class Bytes {
    /// No bytes at all.
    public static final Bytes EMPTY = new Bytes(new byte[0]);

    private final byte[] content;

    private Bytes(byte[] content) {
        this.content = content;
    }

    /// Copies what remains in `buffer`, whose position stays where it is.
    public static Bytes copyOf(ByteBuffer buffer) {
        if (!buffer.hasRemaining()) return EMPTY;
        byte[] copy = new byte[buffer.remaining()];
        buffer.get(buffer.position(), copy);
        return new Bytes(copy);
    }

    /// Copies `content`.
    public static Bytes copyOf(byte[] content) {
        return content.length == 0 ? EMPTY : new Bytes(content.clone());
    }

    /// A fresh read-only view; moving its position disturbs nobody.
    public ByteBuffer buffer() {
        return ByteBuffer.wrap(content).asReadOnlyBuffer();
    }

    public int sizeBytes() {
        return content.length;
    }

    public boolean isEmpty() {
        return content.length == 0;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Bytes bytes && Arrays.equals(content, bytes.content);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(content);
    }

    @Override
    public String toString() {
        return content.length + " bytes";
    }
}
