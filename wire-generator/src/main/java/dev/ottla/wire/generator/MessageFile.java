package dev.ottla.wire.generator;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// Writes the file of one message: a record with the structures inside it as nested records, each
/// with a builder.
final class MessageFile {
    private static final List<String> IMPORTS =
            List.of(
                    "dev.ottla.wire.ApiMessage",
                    "dev.ottla.wire.BufferRecords",
                    "dev.ottla.wire.Message",
                    "dev.ottla.wire.RecordsPayload",
                    "dev.ottla.wire.Sizes",
                    "dev.ottla.wire.UnknownTaggedField",
                    "dev.ottla.wire.UnsupportedVersionException",
                    "dev.ottla.wire.Uuid",
                    "dev.ottla.wire.WireReader",
                    "dev.ottla.wire.WireWriter",
                    "java.nio.ByteBuffer",
                    "java.util.List",
                    "org.jspecify.annotations.Nullable");

    private final Definition definition;
    private final ReadCode readCode;

    MessageFile(Definition definition) {
        this.definition = definition;
        this.readCode = new ReadCode(definition);
        for (Struct struct : definition.structs()) checkName(struct.name());
    }

    String name() {
        return definition.name();
    }

    String text(String packageName) {
        Code body = new Code();
        writeStruct(definition.message(), body);
        Code file = new Code();
        file.line("package " + packageName + ";").line("");
        for (String type : IMPORTS) {
            if (body.mentions(type.substring(type.lastIndexOf('.') + 1))) {
                file.line("import " + type + ";");
            }
        }
        return file.line("") + body.toString();
    }

    private void checkName(String name) {
        boolean imported = IMPORTS.stream().anyMatch(type -> type.endsWith("." + name));
        if (imported || name.equals("Builder") || name.equals(definition.name())) {
            throw new IllegalArgumentException("structure " + name + " hides another type");
        }
    }

    private void writeStruct(Struct struct, Code code) {
        boolean isMessage = definition.isMessage(struct);
        String name = struct.name();
        String parent = !isMessage ? "" : " implements " + (hasApiKey() ? "ApiMessage" : "Message");
        List<String> components = new ArrayList<>();
        for (Field field : struct.fields()) {
            components.add(field.annotatedType() + " " + field.name());
        }
        if (struct.keepsUnknownTaggedFields()) {
            components.add("List<UnknownTaggedField> unknownTaggedFields");
        }
        code.line(
                "public record "
                        + name
                        + "("
                        + String.join(", ", components)
                        + ")"
                        + parent
                        + " {");
        if (isMessage) writeMessageMembers(code);
        if (isUsedAsDefault(struct)) {
            code.line("private static final " + name + " DEFAULT = builder().build();").line("");
        }
        writeConstructor(struct, code);
        readCode.write(struct, code);
        if (isUsedInArray(struct)) readCode.writeListMethod(struct, code);
        code.line("");
        if (isMessage) code.line("@Override");
        String qualified = isMessage ? name : definition.name() + "." + name;
        WriteCode.write(struct, isMessage, qualified, code);
        code.line("");
        if (isMessage) code.line("@Override");
        SizeCode.write(struct, code);
        if (name().endsWith("Response")) {
            ErrorSearchCode.write(struct, definition.structs(), isMessage, code);
        }
        writeBuilder(struct, code);
        if (isMessage) {
            for (Struct nested : definition.structs()) writeStruct(nested, code.line(""));
        }
        code.line("}");
    }

    private boolean hasApiKey() {
        return definition.apiKey().isPresent();
    }

    private void writeMessageMembers(Code code) {
        Versions versions = definition.message().versions();
        code.line("public static final short LOWEST_VERSION = " + versions.lowest() + ";");
        code.line("public static final short HIGHEST_VERSION = " + versions.highest() + ";");
        code.line("");
        if (hasApiKey()) constant("apiKey", definition.apiKey().getAsInt() + "", code);
        constant("lowestVersion", "LOWEST_VERSION", code);
        constant("highestVersion", "HIGHEST_VERSION", code);
        code.line("private static void checkVersion(short version) {");
        code.line("if (version < LOWEST_VERSION || version > HIGHEST_VERSION) {");
        code.line(
                "throw UnsupportedVersionException.outOfRange(\""
                        + name()
                        + "\", version, LOWEST_VERSION, HIGHEST_VERSION);");
        code.line("}").line("}").line("");
    }

    private static void constant(String method, String value, Code code) {
        code.line("@Override");
        code.line("public short " + method + "() {");
        code.line("return " + value + ";").line("}").line("");
    }

    private static void writeConstructor(Struct struct, Code code) {
        Code body = new Code();
        for (Field field : struct.fields()) {
            if (!(field.type() instanceof FieldType.ArrayOf)) continue;
            String name = field.name();
            String copy = "List.copyOf(" + name + ")";
            body.line(
                    name
                            + " = "
                            + (field.isNullable() ? name + " == null ? null : " : "")
                            + copy
                            + ";");
        }
        if (struct.keepsUnknownTaggedFields()) {
            body.line("unknownTaggedFields = List.copyOf(unknownTaggedFields);");
        }
        if (body.toString().isEmpty()) return;
        code.line("public " + struct.name() + " {").lines(body.toString()).line("}").line("");
    }

    private boolean isUsedAsDefault(Struct struct) {
        return allFields()
                .anyMatch(field ->
                        field.type().equals(new FieldType.StructRef(struct.name()))
                                && !field.defaultsToNull());
    }

    private boolean isUsedInArray(Struct struct) {
        FieldType array = new FieldType.ArrayOf(new FieldType.StructRef(struct.name()));
        return allFields().anyMatch(field -> field.type().equals(array));
    }

    private Stream<Field> allFields() {
        return Stream.concat(
                definition.message().fields().stream(),
                definition.structs().stream().flatMap(struct -> struct.fields().stream()));
    }

    private static void writeBuilder(Struct struct, Code code) {
        String name = struct.name();
        List<String> names = new ArrayList<>();
        Code fields = new Code();
        Code setters = new Code();
        Code copies = new Code();
        for (Field field : struct.fields()) {
            names.add("this." + field.name());
            member(
                    field.annotatedType(),
                    field.name(),
                    field.defaultExpression(),
                    fields,
                    setters,
                    copies);
        }
        if (struct.keepsUnknownTaggedFields()) {
            names.add("this.unknownTaggedFields");
            String type = "List<UnknownTaggedField>";
            member(type, "unknownTaggedFields", "List.of()", fields, setters, copies);
        }
        code.line("");
        code.line("public static Builder builder() {")
                .line("return new Builder();")
                .line("}")
                .line("");
        code.line("public Builder toBuilder() {").line("Builder _copy = new Builder();");
        code.lines(copies.toString()).line("return _copy;").line("}").line("");
        code.line("public static final class Builder {");
        code.lines(fields.toString());
        code.line("").line("private Builder() {}").line("");
        code.lines(setters.toString());
        code.line("public " + name + " build() {");
        code.line("return new " + name + "(" + String.join(", ", names) + ");");
        code.line("}").line("}");
    }

    private static void member(
            String type, String name, String value, Code fields, Code setters, Code copies) {
        fields.line("private " + type + " " + name + " = " + value + ";");
        setters.line("public Builder " + name + "(" + type + " " + name + ") {");
        setters.line("this." + name + " = " + name + ";").line("return this;").line("}").line("");
        copies.line("_copy." + name + " = this." + name + ";");
    }
}
