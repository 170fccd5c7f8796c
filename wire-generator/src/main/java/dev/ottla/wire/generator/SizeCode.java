package dev.ottla.wire.generator;

import java.util.List;

/// Writes the `size` methods. What has a fixed size is added up here, not at run time.
final class SizeCode {
    private SizeCode() {}

    static void write(Struct struct, Code code) {
        int fixed = 0;
        Code body = new Code();
        for (Field field : struct.fields()) {
            if (field.isTagged()) continue;
            String exists = field.versions().condition(struct.versions());
            if (!(field.type() instanceof FieldType.Scalar scalar)) {
                conditional(exists, field, body);
            } else if (exists.equals("true")) {
                fixed += scalar.sizeBytes();
            } else {
                body.lineIf(exists, "size += " + scalar.sizeBytes() + ";");
            }
        }
        taggedFields(struct, body);
        code.line("public int size(short version) {");
        if (body.mentions("flexible")) code.line(ReadCode.flexibleDeclaration(struct));
        code.line("int size = " + fixed + ";");
        code.lines(body.toString());
        code.line("return size;");
        code.line("}");
    }

    /// Adds the size of a field's value to the local `sum`.
    static void value(Field field, String sum, Code code) {
        String add = sum + " += ";
        String value = "this." + field.name();
        String compact = ReadCode.compact(field);
        String nullable = field.nullable().condition(field.versions());
        switch (field.type()) {
            case FieldType.Scalar scalar -> code.line(add + scalar.sizeBytes() + ";");
            case FieldType.Sized sized -> {
                String method =
                        sized == FieldType.Sized.STRING && field.isNullable()
                                ? "nullableString"
                                : sized.sizeMethod();
                code.line(add + "Sizes." + method + "(" + value + ", " + compact + ");");
            }
            case FieldType.StructRef _ -> {
                code.lineIf(nullable, add + "1;");
                String present = field.isNullable() ? value + " != null" : "true";
                code.lineIf(present, add + value + ".size(version);");
            }
            case FieldType.ArrayOf(FieldType element) -> {
                code.line(add + "Sizes.arrayLength(" + value + ", " + compact + ");");
                String present = field.isNullable() ? value + " != null" : "true";
                code.lineIf(present, elements(element, value, compact, add));
            }
        }
    }

    private static String elements(FieldType element, String value, String compact, String add) {
        return switch (element) {
            case FieldType.Scalar scalar -> add + scalar.sizeBytes() + " * " + value + ".size();";
            case FieldType.Sized.STRING -> add + "Sizes.strings(" + value + ", " + compact + ");";
            case FieldType.StructRef(String name) ->
                    "for (" + name + " e : " + value + ") " + add + "e.size(version);";
            default -> throw new IllegalArgumentException("arrays of " + element);
        };
    }

    private static void conditional(String exists, Field field, Code code) {
        if (exists.equals("true")) {
            value(field, "size", code);
            return;
        }
        code.line("if (" + exists + ") {");
        value(field, "size", code);
        code.line("}");
    }

    private static void taggedFields(Struct struct, Code code) {
        String flexible = struct.flexible().condition(struct.versions());
        if (flexible.equals("false")) return;
        if (!flexible.equals("true")) code.line("if (flexible) {");
        List<Field> tagged = struct.taggedFields();
        String tags = "this.unknownTaggedFields.size()";
        if (!tagged.isEmpty()) {
            code.line("int _tags = " + tags + ";");
            tags = "_tags";
        }
        Versions flexibleVersions = struct.flexible().intersect(struct.versions());
        for (Field field : tagged) {
            code.line("if (" + isWritten(field, flexibleVersions) + ") {");
            code.line("_tags++;");
            code.line("int _size = 0;");
            value(field, "_size", code);
            int tag = field.tag().orElseThrow();
            code.line("size += Sizes.taggedField(" + tag + ", _size);");
            code.line("}");
        }
        code.line(
                "size += Sizes.unsignedVarint("
                        + tags
                        + ") + Sizes.unknownTaggedFields(this.unknownTaggedFields);");
        if (!flexible.equals("true")) code.line("}");
    }

    /// The condition under which a tagged field goes on the wire.
    static String isWritten(Field field, Versions flexibleVersions) {
        String exists = field.versions().condition(flexibleVersions);
        String differs = field.differsFromDefault();
        return exists.equals("true") ? differs : exists + " && (" + differs + ")";
    }
}
