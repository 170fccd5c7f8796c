package dev.ottla.wire.generator;

import java.util.List;

/// Writes the `hasError` methods of responses: whether an error code stands anywhere in them.
final class ErrorSearchCode {
    private static final String ERROR_FIELD = "errorCode";

    private ErrorSearchCode() {}

    /// Writes nothing for a structure that has no place for an error.
    static void write(Struct struct, List<Struct> structs, boolean isMessage, Code code) {
        if (!mayHaveError(struct, structs)) return;
        code.line("");
        code.line("/// Whether it says of anything that it went wrong.");
        if (isMessage) code.line("@Override");
        code.line("public boolean hasError() {");
        for (Field field : struct.fields()) search(field, structs, code);
        code.line("return false;").line("}");
    }

    private static void search(Field field, List<Struct> structs, Code code) {
        if (!mayHaveError(field, structs)) return;
        String value = "this." + field.name();
        String present = field.isNullable() ? value + " != null && " : "";
        switch (field.type()) {
            case FieldType.ArrayOf(FieldType.StructRef(String element)) -> {
                if (field.isNullable()) code.line("if (" + value + " != null)");
                code.line("for (" + element + " e : " + value + ") if (e.hasError()) return true;");
            }
            case FieldType.StructRef _ ->
                    code.lineIf(present + value + ".hasError()", "return true;");
            default -> code.lineIf(value + " != 0", "return true;");
        }
    }

    private static boolean mayHaveError(Struct struct, List<Struct> structs) {
        return struct.fields().stream().anyMatch(field -> mayHaveError(field, structs));
    }

    private static boolean mayHaveError(Field field, List<Struct> structs) {
        return switch (field.type()) {
            case FieldType.ArrayOf(FieldType.StructRef(String name)) ->
                    mayHaveError(Struct.named(name, structs), structs);
            case FieldType.StructRef(String name) ->
                    mayHaveError(Struct.named(name, structs), structs);
            case FieldType.Scalar.INT16 -> field.name().equals(ERROR_FIELD);
            default -> false;
        };
    }
}
