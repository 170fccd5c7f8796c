package dev.ottla.wire;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Where messages are written to; numbers are big-endian. An implementation provides the raw
/// writes; what the protocol builds from them stands here once.
///
/// `compact` is the form of flexible versions, as in [Sizes].
public interface WireWriter {
    int MAX_STRING_BYTES = Short.MAX_VALUE;

    void writeByte(byte value);

    void writeShort(short value);

    void writeInt(int value);

    void writeLong(long value);

    void writeDouble(double value);

    /// Takes the value as 32 unsigned bits.
    void writeUnsignedVarint(int value);

    /// Takes the value as 64 unsigned bits.
    void writeUnsignedVarlong(long value);

    /// The bytes from position to limit, without a length; the buffer's position stays.
    void writeBytes(ByteBuffer bytes);

    /// The text without a length; `utf8Length` is what [Utf8#length] says.
    void writeUtf8(String text, int utf8Length);

    /// The records without a length.
    void writeRecords(RecordsPayload records);

    default void writeVarint(int value) {
        writeUnsignedVarint((value << 1) ^ (value >> 31));
    }

    default void writeVarlong(long value) {
        writeUnsignedVarlong((value << 1) ^ (value >> 63));
    }

    default void writeBoolean(boolean value) {
        writeByte(value ? (byte) 1 : (byte) 0);
    }

    default void writeUnsignedShort(int value) {
        if (value < 0 || value > 0xffff) {
            throw new IllegalArgumentException(value + " does not fit 16 unsigned bits");
        }
        writeShort((short) value);
    }

    default void writeUnsignedInt(long value) {
        if (value < 0 || value > 0xffff_ffffL) {
            throw new IllegalArgumentException(value + " does not fit 32 unsigned bits");
        }
        writeInt((int) value);
    }

    default void writeUuid(Uuid value) {
        writeLong(value.mostSignificantBits());
        writeLong(value.leastSignificantBits());
    }

    default void writeString(String value, boolean compact) {
        int length = Sizes.stringLength(requirePresent(value));
        if (compact) writeUnsignedVarint(length + 1);
        else writeShort((short) length);
        writeUtf8(value, length);
    }

    default void writeNullableString(@Nullable String value, boolean compact) {
        if (value != null) writeString(value, compact);
        else if (compact) writeUnsignedVarint(0);
        else writeShort((short) -1);
    }

    default void writeSizedBytes(ByteBuffer value, boolean compact) {
        writeLength(requirePresent(value).remaining(), compact);
        writeBytes(value);
    }

    default void writeNullableSizedBytes(@Nullable ByteBuffer value, boolean compact) {
        if (value != null) writeSizedBytes(value, compact);
        else writeLength(-1, compact);
    }

    default void writeSizedRecords(RecordsPayload value, boolean compact) {
        writeLength(requirePresent(value).sizeBytes(), compact);
        writeRecords(value);
    }

    default void writeNullableSizedRecords(@Nullable RecordsPayload value, boolean compact) {
        if (value != null) writeSizedRecords(value, compact);
        else writeLength(-1, compact);
    }

    default void writeArrayLength(List<?> values, boolean compact) {
        writeLength(requirePresent(values).size(), compact);
    }

    default void writeNullableArrayLength(@Nullable List<?> values, boolean compact) {
        writeLength(values == null ? -1 : values.size(), compact);
    }

    /// A length of bytes or elements; -1 stands for null.
    default void writeLength(int length, boolean compact) {
        if (compact) writeUnsignedVarint(length + 1);
        else writeInt(length);
    }

    /// The byte in front of a structure that may be null.
    default void writePresence(boolean present) {
        writeByte(present ? (byte) 1 : (byte) -1);
    }

    /// The same inside a tagged field, where it has another form.
    default void writeTaggedPresence(boolean present) {
        writeUnsignedVarint(present ? 1 : 0);
    }

    /// The whole section of tagged fields, when none is known.
    default void writeTaggedFields(List<UnknownTaggedField> unknown) {
        writeUnsignedVarint(unknown.size());
        if (!unknown.isEmpty()) writeUnknownTaggedFields(unknown, -1, Integer.MAX_VALUE);
    }

    /// The unknown fields between two known tags, both exclusive, so that all tags ascend on the
    /// wire.
    default void writeUnknownTaggedFields(
            List<UnknownTaggedField> unknown, int afterTag, int beforeTag) {
        int last = afterTag;
        for (UnknownTaggedField field : unknown) {
            if (field.tag() < afterTag || field.tag() >= beforeTag) continue;
            if (field.tag() <= last) {
                throw new IllegalArgumentException(
                        "tag " + field.tag() + " is known, out of order or there twice");
            }
            last = field.tag();
            writeTaggedFieldHeader(field.tag(), field.data().remaining());
            writeBytes(field.data());
        }
    }

    default void writeTaggedFieldHeader(int tag, int size) {
        writeUnsignedVarint(tag);
        writeUnsignedVarint(size);
    }

    private static <T> T requirePresent(T value) {
        return Objects.requireNonNull(value, "this version of the message has no null here");
    }
}
