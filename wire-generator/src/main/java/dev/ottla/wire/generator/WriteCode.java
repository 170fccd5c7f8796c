package dev.ottla.wire.generator;

import java.util.List;

/// Writes the `write` methods.
final class WriteCode {
    private WriteCode() {}

    static void write(Struct struct, boolean isMessage, String qualifiedName, Code code) {
        Code body = new Code();
        for (Field field : struct.fields()) {
            String exists = field.versions().condition(struct.versions());
            if (!exists.equals("true") && !field.ignorable()) {
                body.line("if (!(" + exists + ") && (" + field.differsFromDefault() + ")) {");
                body.line(refusal(qualifiedName, field.name()));
                body.line("}");
            }
            if (field.isTagged()) continue;
            if (exists.equals("true")) {
                value(field, body);
            } else {
                body.line("if (" + exists + ") {");
                value(field, body);
                body.line("}");
            }
        }
        taggedFields(struct, qualifiedName, body);
        code.line("public void write(WireWriter writer, short version) {");
        if (isMessage) code.line("checkVersion(version);");
        if (body.mentions("flexible")) code.line(ReadCode.flexibleDeclaration(struct));
        code.lines(body.toString());
        code.line("}");
    }

    private static String refusal(String message, String field) {
        return "throw UnsupportedVersionException.cannotCarry(\""
                + message
                + "\", \""
                + field
                + "\", version);";
    }

    private static void value(Field field, Code code) {
        String value = "this." + field.name();
        String compact = ReadCode.compact(field);
        String nullable = field.nullable().condition(field.versions());
        switch (field.type()) {
            case FieldType.Scalar scalar ->
                    code.line("writer.write" + scalar.suffix() + "(" + value + ");");
            case FieldType.Sized sized -> {
                String arguments = sized.suffix() + "(" + value + ", " + compact + ");";
                choose(
                        nullable,
                        "writer.writeNullable" + arguments,
                        "writer.write" + arguments,
                        code);
            }
            case FieldType.StructRef _ -> {
                String presence = field.isTagged() ? "writeTaggedPresence" : "writePresence";
                code.lineIf(nullable, "writer." + presence + "(" + value + " != null);");
                // Without a presence byte null has no form, and the call fails.
                String skipped = negate(nullable) + value + " != null";
                String write = value + ".write(writer, version);";
                if (nullable.equals("false")) code.line(write);
                else code.line("if (" + skipped + ") " + write);
            }
            case FieldType.ArrayOf(FieldType element) -> {
                String arguments = "ArrayLength(" + value + ", " + compact + ");";
                choose(
                        nullable,
                        "writer.writeNullable" + arguments,
                        "writer.write" + arguments,
                        code);
                String present = nullable.equals("false") ? "true" : value + " != null";
                code.lineIf(present, elements(element, value, compact));
            }
        }
    }

    private static String negate(String condition) {
        return condition.equals("true") ? "" : "!(" + condition + ") || ";
    }

    private static String elements(FieldType element, String value, String compact) {
        String loop = "for (" + element.boxedType() + " e : " + value + ") ";
        return switch (element) {
            case FieldType.Scalar scalar -> loop + "writer.write" + scalar.suffix() + "(e);";
            case FieldType.Sized.STRING -> loop + "writer.writeString(e, " + compact + ");";
            case FieldType.StructRef _ -> loop + "e.write(writer, version);";
            default -> throw new IllegalArgumentException("arrays of " + element);
        };
    }

    private static void choose(String condition, String then, String otherwise, Code code) {
        if (condition.equals("true")) {
            code.line(then);
        } else if (condition.equals("false")) {
            code.line(otherwise);
        } else {
            code.line("if (" + condition + ") " + then);
            code.line("else " + otherwise);
        }
    }

    private static void taggedFields(Struct struct, String qualifiedName, Code code) {
        String flexible = struct.flexible().condition(struct.versions());
        if (flexible.equals("false")) return;
        if (!flexible.equals("true")) code.line("if (flexible) {");
        List<Field> tagged = struct.taggedFields();
        if (tagged.isEmpty()) {
            code.line("writer.writeTaggedFields(this.unknownTaggedFields);");
        } else {
            knownTaggedFields(tagged, struct.flexible().intersect(struct.versions()), code);
        }
        if (flexible.equals("true")) return;
        code.line("} else if (!this.unknownTaggedFields.isEmpty()) {");
        code.line(refusal(qualifiedName, "unknownTaggedFields"));
        code.line("}");
    }

    private static void knownTaggedFields(List<Field> tagged, Versions flexible, Code code) {
        code.line("int _tags = this.unknownTaggedFields.size();");
        for (Field field : tagged) {
            code.line("if (" + SizeCode.isWritten(field, flexible) + ") _tags++;");
        }
        code.line("writer.writeUnsignedVarint(_tags);");
        int last = -1;
        for (Field field : tagged) {
            int tag = field.tag().orElseThrow();
            if (tag > last + 1) unknownFields(last, String.valueOf(tag), code);
            code.line("if (" + SizeCode.isWritten(field, flexible) + ") {");
            code.line("int _size = 0;");
            SizeCode.value(field, "_size", code);
            code.line("writer.writeTaggedFieldHeader(" + tag + ", _size);");
            value(field, code);
            code.line("}");
            last = tag;
        }
        unknownFields(last, "Integer.MAX_VALUE", code);
    }

    private static void unknownFields(int afterTag, String beforeTag, Code code) {
        code.line(
                "writer.writeUnknownTaggedFields(this.unknownTaggedFields, "
                        + afterTag
                        + ", "
                        + beforeTag
                        + ");");
    }
}
