package dev.ottla.wire;

import static dev.ottla.wire.WireWriter.MAX_STRING_BYTES;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Reads one message from a buffer, heap or direct. Every length is compared with the bytes that
/// remain before anything is allocated for it, and every fault of the input is a [WireException]
/// that names the place.
///
/// `bytes` and `records` come as views of the buffer, without copying. Owned by whoever made it.
/// `compact` is the form of flexible versions, as in [Sizes].
public final class WireReader {
    /// A few bytes of input would become a hundred on the heap, so only so many unknown tagged
    /// fields are kept for each reader; the others are checked and skipped, as the protocol allows.
    static final int MAX_KEPT_UNKNOWN_TAGGED_FIELDS = 1024;

    /// Kafka's own bounds, whatever the size of the input.
    static final int MAX_ARRAY_LENGTH = 1_000_000;

    static final int MAX_TAGGED_FIELDS = 10_000;

    /// Up to here a string fits into an answer, whatever its bytes mean.
    private static final int MAX_STRING_BYTES_OF_ANY_CONTENT = MAX_STRING_BYTES / 3;

    private static final byte[] NO_BYTES = {};

    private final ByteBuffer buffer;
    private byte[] scratch = NO_BYTES;
    private int keptUnknownTaggedFields;

    /// Reads from the buffer's position to its limit; the buffer's own position stays.
    public WireReader(ByteBuffer buffer) {
        this.buffer = buffer.slice();
    }

    /// Bytes read so far.
    public int position() {
        return buffer.position();
    }

    public int remaining() {
        return buffer.remaining();
    }

    /// Fails when bytes are left over.
    public void expectEnd() {
        if (buffer.hasRemaining()) {
            throw malformed(buffer.remaining() + " bytes are left after the end of the message");
        }
    }

    public byte readByte() {
        require(1);
        return buffer.get();
    }

    public boolean readBoolean() {
        return readByte() != 0;
    }

    public short readShort() {
        require(2);
        return buffer.getShort();
    }

    public int readUnsignedShort() {
        return Short.toUnsignedInt(readShort());
    }

    public int readInt() {
        require(4);
        return buffer.getInt();
    }

    public long readUnsignedInt() {
        return Integer.toUnsignedLong(readInt());
    }

    public long readLong() {
        require(8);
        return buffer.getLong();
    }

    public double readDouble() {
        require(8);
        return buffer.getDouble();
    }

    public Uuid readUuid() {
        require(16);
        long high = buffer.getLong();
        long low = buffer.getLong();
        return (high | low) == 0 ? Uuid.ZERO : new Uuid(high, low);
    }

    /// 32 unsigned bits in one to five bytes.
    public int readUnsignedVarint() {
        byte next = readByte();
        if (next >= 0) return next;
        int value = next & 0x7f;
        for (int shift = 7; shift < 28; shift += 7) {
            next = readByte();
            value |= (next & 0x7f) << shift;
            if (next >= 0) return value;
        }
        next = readByte();
        if ((next & 0xf0) != 0) throw malformed("a varint has more than 32 bits");
        return value | (next << 28);
    }

    /// 64 unsigned bits in one to ten bytes.
    public long readUnsignedVarlong() {
        long value = 0;
        for (int shift = 0; shift < 63; shift += 7) {
            byte next = readByte();
            value |= (next & 0x7fL) << shift;
            if (next >= 0) return value;
        }
        byte next = readByte();
        if ((next & 0xfe) != 0) throw malformed("a varlong has more than 64 bits");
        return value | ((long) next << 63);
    }

    public int readVarint() {
        int zigzag = readUnsignedVarint();
        return (zigzag >>> 1) ^ -(zigzag & 1);
    }

    public long readVarlong() {
        long zigzag = readUnsignedVarlong();
        return (zigzag >>> 1) ^ -(zigzag & 1);
    }

    /// The next bytes as a view that shares the content.
    public ByteBuffer readBytes(int length) {
        if (length < 0) throw malformed("a length of " + length);
        require(length);
        int position = buffer.position();
        ByteBuffer bytes = buffer.slice(position, length);
        buffer.position(position + length);
        return bytes;
    }

    public String readString(boolean compact) {
        return readUtf8(present(readStringLength(compact)));
    }

    public @Nullable String readNullableString(boolean compact) {
        int length = readStringLength(compact);
        return length < 0 ? null : readUtf8(length);
    }

    public ByteBuffer readSizedBytes(boolean compact) {
        return readBytes(present(readLength(compact)));
    }

    public @Nullable ByteBuffer readNullableSizedBytes(boolean compact) {
        int length = readLength(compact);
        return length < 0 ? null : readBytes(length);
    }

    public RecordsPayload readSizedRecords(boolean compact) {
        return new BufferRecords(readSizedBytes(compact));
    }

    public @Nullable RecordsPayload readNullableSizedRecords(boolean compact) {
        ByteBuffer bytes = readNullableSizedBytes(compact);
        return bytes == null ? null : new BufferRecords(bytes);
    }

    /// The number of elements that follow, or -1 for null where that is allowed. `minElementBytes`
    /// is what the smallest element takes on the wire, so that no list is allocated that the rest
    /// of the input cannot fill.
    public int readArrayLength(boolean compact, boolean nullable, int minElementBytes) {
        int length = readLength(compact);
        if (length < 0) return nullable ? -1 : present(length);
        if ((long) length * minElementBytes > buffer.remaining()) {
            throw malformed(
                    "an array of " + length + " elements, but " + remaining() + " bytes remain");
        }
        if (length > MAX_ARRAY_LENGTH) {
            throw malformed(
                    "an array of " + length + " elements; " + MAX_ARRAY_LENGTH + " are allowed");
        }
        return length;
    }

    public @Nullable List<Byte> readByteList(boolean compact, boolean nullable) {
        return readList(readArrayLength(compact, nullable, 1), this::readByte);
    }

    public @Nullable List<Short> readShortList(boolean compact, boolean nullable) {
        return readList(readArrayLength(compact, nullable, 2), this::readShort);
    }

    public @Nullable List<Integer> readIntList(boolean compact, boolean nullable) {
        return readList(readArrayLength(compact, nullable, 4), this::readInt);
    }

    public @Nullable List<Long> readLongList(boolean compact, boolean nullable) {
        return readList(readArrayLength(compact, nullable, 8), this::readLong);
    }

    public @Nullable List<Uuid> readUuidList(boolean compact, boolean nullable) {
        return readList(readArrayLength(compact, nullable, 16), this::readUuid);
    }

    public @Nullable List<String> readStringList(boolean compact, boolean nullable) {
        int count = readArrayLength(compact, nullable, compact ? 1 : 2);
        return readList(count, () -> readString(compact));
    }

    /// Whether a structure that may be null follows.
    public boolean readPresence() {
        return readByte() >= 0;
    }

    /// The same inside a tagged field, where it has another form.
    public boolean readTaggedPresence() {
        return readUnsignedVarint() > 0;
    }

    /// The whole section of tagged fields, when none is known.
    public List<UnknownTaggedField> readTaggedFields() {
        int count = readTaggedFieldCount();
        List<UnknownTaggedField> fields = List.of();
        for (int last = -1; count > 0; count--) {
            last = readTag(last);
            fields = readUnknownTaggedField(fields, last, readTaggedFieldEnd());
        }
        return fields;
    }

    public int readTaggedFieldCount() {
        int count = readUnsignedVarint();
        if (count > MAX_TAGGED_FIELDS) {
            throw malformed(count + " tagged fields; " + MAX_TAGGED_FIELDS + " are allowed");
        }
        if (count < 0 || count > buffer.remaining() / 2) {
            throw malformed(
                    Integer.toUnsignedString(count)
                            + " tagged fields, but "
                            + remaining()
                            + " bytes remain");
        }
        return count;
    }

    /// The next tag; tags ascend.
    public int readTag(int previous) {
        int tag = readUnsignedVarint();
        if (tag <= previous) {
            throw malformed("tag " + Integer.toUnsignedString(tag) + " after tag " + previous);
        }
        return tag;
    }

    /// Reads the size of a tagged field; gives the position where it ends.
    public int readTaggedFieldEnd() {
        int size = readUnsignedVarint();
        if (size < 0 || size > buffer.remaining()) {
            throw malformed(
                    "a tagged field of "
                            + Integer.toUnsignedString(size)
                            + " bytes, but "
                            + remaining()
                            + " remain");
        }
        return buffer.position() + size;
    }

    /// Fails unless a known tagged field took exactly the size that it claimed.
    public void expectTaggedFieldEnd(int tag, int end) {
        if (buffer.position() != end) {
            throw malformed("tagged field " + tag + " should end at byte " + end);
        }
    }

    /// Adds a field to those read before; the result may be the same list.
    public List<UnknownTaggedField> readUnknownTaggedField(
            List<UnknownTaggedField> before, int tag, int end) {
        ByteBuffer data = readBytes(end - buffer.position());
        if (keptUnknownTaggedFields == MAX_KEPT_UNKNOWN_TAGGED_FIELDS) return before;
        keptUnknownTaggedFields++;
        List<UnknownTaggedField> fields = before.isEmpty() ? new ArrayList<>(2) : before;
        fields.add(new UnknownTaggedField(tag, data));
        return fields;
    }

    /// For generated code: a tag that this version does not have.
    public WireException invalidTag(int tag, short version) {
        return malformed("version " + version + " has no tag " + tag);
    }

    private <T> @Nullable List<T> readList(int count, Supplier<T> element) {
        if (count <= 0) return count < 0 ? null : List.of();
        List<T> list = new ArrayList<>(count);
        for (int i = 0; i < count; i++) list.add(element.get());
        return List.copyOf(list);
    }

    private int readStringLength(boolean compact) {
        int length = compact ? readUnsignedVarint() - 1 : readShort();
        if (length < -1 || length > MAX_STRING_BYTES) {
            throw malformed("a string of " + Integer.toUnsignedString(length) + " bytes");
        }
        return length;
    }

    private int readLength(boolean compact) {
        int length = compact ? readUnsignedVarint() - 1 : readInt();
        // A compact length of 2^31 or more wraps around; 0 means null and gives -1 in both forms.
        if (length < -1) throw malformed("a length of " + Integer.toUnsignedString(length));
        return length;
    }

    private int present(int length) {
        if (length < 0) throw malformed("null where the protocol has none");
        return length;
    }

    private String readUtf8(int length) {
        if (length == 0) return "";
        require(length);
        int position = buffer.position();
        buffer.position(position + length);
        String text;
        if (buffer.hasArray()) {
            text = new String(buffer.array(), buffer.arrayOffset() + position, length, UTF_8);
        } else {
            if (scratch.length < length) scratch = new byte[Math.max(length, 64)];
            buffer.get(position, scratch, 0, length);
            text = new String(scratch, 0, length, UTF_8);
        }
        // What is no UTF-8 becomes U+FFFD, of three bytes: it may be too long to be sent back.
        if (length > MAX_STRING_BYTES_OF_ANY_CONTENT && Utf8.length(text) > MAX_STRING_BYTES) {
            throw malformed("a string of " + length + " bytes is no UTF-8");
        }
        return text;
    }

    private void require(int bytes) {
        if (buffer.remaining() < bytes) {
            throw malformed(bytes + " bytes expected, but " + remaining() + " remain");
        }
    }

    private WireException malformed(String what) {
        return new WireException("malformed input at byte " + buffer.position() + ": " + what);
    }
}
