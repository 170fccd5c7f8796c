package dev.ottla.wire.generator;

import java.util.List;

/// Writes the `read` methods. Locals start with an underscore, so that no field's name can clash
/// with anything.
final class ReadCode {
    private final Definition definition;

    ReadCode(Definition definition) {
        this.definition = definition;
    }

    void write(Struct struct, Code code) {
        boolean isMessage = definition.isMessage(struct);
        Code body = new Code();
        for (Field field : struct.fields()) body.line(declaration(struct, field));
        readTaggedFields(struct, body);
        body.line("return new " + struct.name() + "(" + arguments(struct) + ");");

        code.line("public static " + struct.name() + " read(WireReader reader, short version) {");
        if (isMessage) code.line("checkVersion(version);");
        if (body.mentions("flexible")) code.line(flexibleDeclaration(struct));
        code.lines(body.toString());
        code.line("}");
    }

    /// For structures that stand in arrays; a negative count gives null.
    void writeListMethod(Struct struct, Code code) {
        String name = struct.name();
        code.line("");
        code.line(
                "private static @Nullable List<"
                        + name
                        + "> readList(WireReader reader, short version, int count) {");
        code.line("if (count <= 0) return count < 0 ? null : List.of();");
        code.line(name + "[] list = new " + name + "[count];");
        code.line("for (int i = 0; i < count; i++) list[i] = read(reader, version);");
        code.line("return List.of(list);");
        code.line("}");
    }

    static String flexibleDeclaration(Struct struct) {
        return "boolean flexible = " + struct.flexible().condition(struct.versions()) + ";";
    }

    /// Whether the field's lengths are compact: `true`, `false` or the local `flexible`.
    static String compact(Field field) {
        String condition = field.flexible().condition(field.versions());
        return condition.startsWith("version") ? "flexible" : condition;
    }

    private String declaration(Struct struct, Field field) {
        String start = field.type().javaType() + " _" + field.name() + " = ";
        if (field.isTagged()) return start + field.defaultExpression() + ";";
        String exists = field.versions().condition(struct.versions());
        String value = value(field);
        if (exists.equals("true")) return start + value + ";";
        if (value.contains(" ? ")) value = "(" + value + ")";
        return start + exists + " ? " + value + " : " + field.defaultExpression() + ";";
    }

    private String value(Field field) {
        String compact = compact(field);
        String nullable = field.nullable().condition(field.versions());
        return switch (field.type()) {
            case FieldType.Scalar scalar -> "reader.read" + scalar.suffix() + "()";
            case FieldType.Sized sized ->
                    choose(
                            nullable,
                            "reader.readNullable" + sized.suffix() + "(" + compact + ")",
                            "reader.read" + sized.suffix() + "(" + compact + ")");
            case FieldType.StructRef(String name) -> {
                String read = name + ".read(reader, version)";
                String presence = field.isTagged() ? "readTaggedPresence" : "readPresence";
                String nullableRead = "reader." + presence + "() ? " + read + " : null";
                yield choose(nullable, nullableRead, read);
            }
            case FieldType.ArrayOf(FieldType element) -> array(element, compact, nullable);
        };
    }

    private String array(FieldType element, String compact, String nullable) {
        String arguments = "(" + compact + ", " + nullable;
        return switch (element) {
            case FieldType.Scalar scalar ->
                    "reader.read" + scalar.suffix() + "List" + arguments + ")";
            case FieldType.Sized.STRING -> "reader.readStringList" + arguments + ")";
            case FieldType.StructRef(String name) -> {
                int minSize = definition.struct(name).minSizeBytes(definition.structs());
                String count = "reader.readArrayLength" + arguments + ", " + minSize + ")";
                yield name + ".readList(reader, version, " + count + ")";
            }
            default -> throw new IllegalArgumentException("arrays of " + element);
        };
    }

    private static String choose(String condition, String then, String otherwise) {
        if (condition.equals("true")) return then;
        if (condition.equals("false")) return otherwise;
        if (then.contains(" ? ")) then = "(" + then + ")";
        return condition + " ? " + then + " : " + otherwise;
    }

    private void readTaggedFields(Struct struct, Code code) {
        String flexible = struct.flexible().condition(struct.versions());
        if (flexible.equals("false")) return;
        String declaration = "List<UnknownTaggedField> _unknownTaggedFields = ";
        List<Field> tagged = struct.taggedFields();
        if (tagged.isEmpty()) {
            String read = "reader.readTaggedFields()";
            String value = flexible.equals("true") ? read : "flexible ? " + read + " : List.of()";
            code.line(declaration + value + ";");
            return;
        }
        code.line(declaration + "List.of();");
        if (!flexible.equals("true")) code.line("if (flexible) {");
        code.line("int _tag = -1;");
        code.line("for (int _tags = reader.readTaggedFieldCount(); _tags > 0; _tags--) {");
        code.line("_tag = reader.readTag(_tag);");
        code.line("int _end = reader.readTaggedFieldEnd();");
        code.line("switch (_tag) {");
        for (Field field : tagged) taggedCase(struct, field, code);
        code.line(
                "default -> _unknownTaggedFields ="
                        + " reader.readUnknownTaggedField(_unknownTaggedFields, _tag, _end);");
        code.line("}");
        code.line("reader.expectTaggedFieldEnd(_tag, _end);");
        code.line("}");
        if (!flexible.equals("true")) code.line("}");
    }

    private void taggedCase(Struct struct, Field field, Code code) {
        String read = "_" + field.name() + " = " + value(field) + ";";
        Versions flexibleVersions = struct.flexible().intersect(struct.versions());
        String exists = field.versions().condition(flexibleVersions);
        String label = "case " + field.tag().orElseThrow() + " -> ";
        if (exists.equals("true")) {
            code.line(label + read);
            return;
        }
        code.line(label + "{");
        code.line("if (!(" + exists + ")) throw reader.invalidTag(_tag, version);");
        code.line(read);
        code.line("}");
    }

    private static String arguments(Struct struct) {
        StringBuilder arguments = new StringBuilder();
        for (Field field : struct.fields()) arguments.append(", _").append(field.name());
        if (struct.keepsUnknownTaggedFields()) arguments.append(", _unknownTaggedFields");
        return arguments.isEmpty() ? "" : arguments.substring(2);
    }
}
