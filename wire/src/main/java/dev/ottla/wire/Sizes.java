package dev.ottla.wire;

import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// How many bytes a value takes. `compact` is the form of flexible versions: lengths as unsigned
/// varints, plus one, with zero for null; otherwise lengths are fixed integers with -1 for null.
public final class Sizes {
    private Sizes() {}

    public static int unsignedVarint(int value) {
        return (38 - Integer.numberOfLeadingZeros(value | 1)) / 7;
    }

    /// Zigzag form: small negative numbers are small.
    public static int varint(int value) {
        return unsignedVarint((value << 1) ^ (value >> 31));
    }

    public static int varlong(long value) {
        long zigzag = (value << 1) ^ (value >> 63);
        return (70 - Long.numberOfLeadingZeros(zigzag | 1)) / 7;
    }

    /// Throws IllegalArgumentException for a text that is longer than the protocol allows, so that
    /// no message that cannot be written is begun.
    public static int string(String value, boolean compact) {
        int length = stringLength(value);
        return (compact ? unsignedVarint(length + 1) : 2) + length;
    }

    /// The text's own bytes, as above.
    static int stringLength(String value) {
        int length = Utf8.length(value);
        if (length > WireWriter.MAX_STRING_BYTES) {
            throw new IllegalArgumentException(
                    "a string of "
                            + length
                            + " bytes; the protocol allows "
                            + WireWriter.MAX_STRING_BYTES);
        }
        return length;
    }

    public static int nullableString(@Nullable String value, boolean compact) {
        return value == null ? (compact ? 1 : 2) : string(value, compact);
    }

    public static int strings(List<String> values, boolean compact) {
        int size = 0;
        for (String value : values) size += string(value, compact);
        return size;
    }

    public static int bytes(@Nullable ByteBuffer value, boolean compact) {
        return sized(value == null ? 0 : value.remaining(), compact);
    }

    public static int records(@Nullable RecordsPayload value, boolean compact) {
        return sized(value == null ? 0 : value.sizeBytes(), compact);
    }

    /// The length in front of an array; null is allowed.
    public static int arrayLength(@Nullable List<?> values, boolean compact) {
        return compact ? unsignedVarint(values == null ? 0 : values.size() + 1) : 4;
    }

    /// A tagged field: tag, size and the `size` bytes themselves.
    public static int taggedField(int tag, int size) {
        return unsignedVarint(tag) + unsignedVarint(size) + size;
    }

    /// The fields without the count in front of them.
    public static int unknownTaggedFields(List<UnknownTaggedField> fields) {
        int size = 0;
        for (UnknownTaggedField field : fields) size += field.sizeBytes();
        return size;
    }

    // For null the length is 0 here, whose compact prefix (one byte) is as long as that of null.
    private static int sized(int length, boolean compact) {
        return (compact ? unsignedVarint(length + 1) : 4) + length;
    }
}
