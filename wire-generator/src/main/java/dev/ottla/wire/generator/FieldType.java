package dev.ottla.wire.generator;

/// The type of a field in a definition and what stands for it in Java.
sealed interface FieldType {
    String javaType();

    /// As a type argument.
    default String boxedType() {
        return javaType();
    }

    /// Types of fixed size. The name in a reader's and writer's methods is `suffix`.
    enum Scalar implements FieldType {
        BOOL("boolean", "Boolean", 1, "Boolean"),
        INT8("byte", "Byte", 1, "Byte"),
        INT16("short", "Short", 2, "Short"),
        UINT16("int", "Integer", 2, "UnsignedShort"),
        INT32("int", "Integer", 4, "Int"),
        UINT32("long", "Long", 4, "UnsignedInt"),
        INT64("long", "Long", 8, "Long"),
        FLOAT64("double", "Double", 8, "Double"),
        UUID("Uuid", "Uuid", 16, "Uuid");

        private final String javaType;
        private final String boxedType;
        private final int sizeBytes;
        private final String suffix;

        Scalar(String javaType, String boxedType, int sizeBytes, String suffix) {
            this.javaType = javaType;
            this.boxedType = boxedType;
            this.sizeBytes = sizeBytes;
            this.suffix = suffix;
        }

        @Override
        public String javaType() {
            return javaType;
        }

        @Override
        public String boxedType() {
            return boxedType;
        }

        int sizeBytes() {
            return sizeBytes;
        }

        String suffix() {
            return suffix;
        }
    }

    /// Types with a length in front. The name in a reader's and writer's methods is `suffix`, in
    /// `Sizes` `sizeMethod`.
    enum Sized implements FieldType {
        STRING("String", "String", "string"),
        BYTES("ByteBuffer", "SizedBytes", "bytes"),
        RECORDS("RecordsPayload", "SizedRecords", "records");

        private final String javaType;
        private final String suffix;
        private final String sizeMethod;

        Sized(String javaType, String suffix, String sizeMethod) {
            this.javaType = javaType;
            this.suffix = suffix;
            this.sizeMethod = sizeMethod;
        }

        @Override
        public String javaType() {
            return javaType;
        }

        String suffix() {
            return suffix;
        }

        String sizeMethod() {
            return sizeMethod;
        }
    }

    record StructRef(String name) implements FieldType {
        @Override
        public String javaType() {
            return name;
        }
    }

    record ArrayOf(FieldType element) implements FieldType {
        @Override
        public String javaType() {
            return "List<" + element.boxedType() + ">";
        }
    }

    static FieldType parse(String text) {
        if (text.startsWith("[]")) return new ArrayOf(parse(text.substring(2)));
        if (Character.isUpperCase(text.charAt(0))) return new StructRef(text);
        for (Sized type : Sized.values()) {
            if (type.name().equalsIgnoreCase(text)) return type;
        }
        for (Scalar type : Scalar.values()) {
            if (type.name().equalsIgnoreCase(text)) return type;
        }
        throw new IllegalArgumentException("unknown type '" + text + "' in a definition");
    }
}
