package dev.ottla.wire.generator;

import java.util.List;
import java.util.OptionalInt;

/// One field of a structure. `versions` are those in which it exists, within its structure; `tag`
/// is there when it is a tagged field; `flexible` are those in which its own lengths are compact.
record Field(
        String name,
        FieldType type,
        Versions versions,
        Versions nullable,
        OptionalInt tag,
        boolean ignorable,
        Versions flexible,
        String defaultText) {

    boolean isTagged() {
        return tag.isPresent();
    }

    /// In Java a component has one type for all versions.
    boolean isNullable() {
        return !nullable.isEmpty();
    }

    boolean defaultsToNull() {
        return defaultText.equals("null")
                || (defaultText.isEmpty() && type == FieldType.Sized.RECORDS && isNullable());
    }

    String annotatedType() {
        return isNullable() ? "@Nullable " + type.javaType() : type.javaType();
    }

    /// The default as a Java expression.
    String defaultExpression() {
        if (defaultsToNull()) return "null";
        return switch (type) {
            case FieldType.Scalar scalar -> scalarDefault(scalar);
            case FieldType.Sized sized ->
                    switch (sized) {
                        case STRING -> '"' + defaultText + '"';
                        case BYTES -> "BufferRecords.EMPTY.buffer()";
                        case RECORDS -> "BufferRecords.EMPTY";
                    };
            case FieldType.StructRef(String struct) -> struct + ".DEFAULT";
            case FieldType.ArrayOf _ -> "List.of()";
        };
    }

    /// The Java condition for the field having another value than its default.
    String differsFromDefault() {
        String value = "this." + name;
        if (defaultsToNull()) return value + " != null";
        String orNull = isNullable() ? value + " == null || " : "";
        return switch (type) {
            case FieldType.Scalar.BOOL -> defaultText.equals("true") ? "!" + value : value;
            case FieldType.Scalar.UUID -> "!" + value + ".isZero()";
            case FieldType.Scalar _ -> value + " != " + defaultExpression();
            case FieldType.Sized.STRING -> "!" + defaultExpression() + ".equals(" + value + ")";
            case FieldType.Sized.BYTES -> orNull + value + ".hasRemaining()";
            case FieldType.Sized.RECORDS -> orNull + value + ".sizeBytes() != 0";
            case FieldType.StructRef _ -> "!" + defaultExpression() + ".equals(" + value + ")";
            case FieldType.ArrayOf _ -> orNull + "!" + value + ".isEmpty()";
        };
    }

    private String scalarDefault(FieldType.Scalar scalar) {
        if (scalar == FieldType.Scalar.UUID) {
            if (defaultText.isEmpty()) return "Uuid.ZERO";
            throw new IllegalArgumentException(name + ": defaults of ids are not supported");
        }
        if (scalar == FieldType.Scalar.BOOL) return defaultText.equals("true") ? "true" : "false";
        String number = defaultText.isEmpty() ? "0" : defaultText;
        return scalar.javaType().equals("long") ? number + "L" : number;
    }

    /// The bytes that the smallest value takes in a version.
    int minSizeBytes(int version, List<Struct> structs) {
        if (isTagged() || !versions.contains(version)) return 0;
        boolean compact = flexible.contains(version);
        return switch (type) {
            case FieldType.Scalar scalar -> scalar.sizeBytes();
            case FieldType.Sized.STRING -> compact ? 1 : 2;
            case FieldType.Sized _ -> compact ? 1 : 4;
            case FieldType.ArrayOf _ -> compact ? 1 : 4;
            case FieldType.StructRef(String struct) ->
                    nullable.contains(version)
                            ? 1
                            : Struct.named(struct, structs).minSizeBytes(version, structs);
        };
    }
}
