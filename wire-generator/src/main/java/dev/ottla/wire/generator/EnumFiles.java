package dev.ottla.wire.generator;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/// Writes the tables over all messages: `ApiKey` and one enum of record types for each kind of log.
final class EnumFiles {
    private final String packageName;
    private final List<Definition> definitions;

    EnumFiles(String packageName, List<Definition> definitions) {
        this.packageName = packageName;
        this.definitions = definitions;
    }

    String packageInfo() {
        return """
        /// Kafka's messages and records, generated from the official definitions; never edited. [ApiKey] lists the
        /// requests, [MetadataRecordType], [GroupRecordType] and their like the records.
        ///
        /// Everything here is immutable. Seen by the handlers and the record codecs only.
        @NullMarked
        package %s;

        import org.jspecify.annotations.NullMarked;
        """
                .formatted(packageName);
    }

    String apiKeys() {
        List<Definition> requests = byApiKey("clients", Definition.Kind.REQUEST);
        Code code = start("ApiMessage", "Optional", "WireReader");
        code.line("/// Every API that has a valid version. Versions are inclusive.");
        code.line("public enum ApiKey {");
        for (int i = 0; i < requests.size(); i++) {
            code.line(apiKeyConstant(requests.get(i)) + (i + 1 < requests.size() ? "," : ";"));
        }
        code.lines(API_KEY_MEMBERS);
        dispatch("readRequest", requests, base -> base + "Request", code);
        dispatch("readResponse", requests, base -> base + "Response", code);
        return code.line("}").toString();
    }

    private String apiKeyConstant(Definition request) {
        String base = base(request);
        Definition response = named(base + "Response");
        return "%s(%d, \"%s\", %d, %d, %s, %d, %d, %s, %s)"
                .formatted(
                        constant(base),
                        request.apiKey().orElseThrow(),
                        base,
                        request.message().versions().lowest(),
                        request.message().versions().highest(),
                        request.latestVersionUnstable(),
                        firstFlexible(request),
                        // Clients read this answer before they know what the broker can do.
                        base.equals("ApiVersions") ? Short.MAX_VALUE : firstFlexible(response),
                        request.listeners().contains("broker"),
                        request.listeners().contains("controller"));
    }

    private static int firstFlexible(Definition definition) {
        Versions flexible = definition.message().flexible();
        return flexible.isEmpty() ? Short.MAX_VALUE : flexible.lowest();
    }

    /// Record types whose number stands in front of a message, without a key message.
    String recordTypes(String name, String group, String doc) {
        List<Definition> records = byApiKey(group, Definition.Kind.METADATA);
        Code code = start("ApiMessage", "Optional", "WireReader");
        code.line("/// " + doc).line("public enum " + name + " {");
        constants(records, this::valueVersions, code);
        code.lines(RECORD_TYPE_MEMBERS.replace("TYPE", name));
        dispatch("read", records, base -> base + "Record", code);
        return code.line("}").toString();
    }

    /// Record types of a coordinator's topic: a key message and a value message each.
    String coordinatorRecordTypes(String name, String group, String doc) {
        List<Definition> keys = byApiKey(group, Definition.Kind.COORDINATOR_KEY);
        Code code = start("ApiMessage", "Optional", "WireReader");
        code.line(
                "/// "
                        + doc
                        + " Keys have version 0 only: the number in front of them is the type.");
        code.line("public enum " + name + " {");
        constants(keys, key -> valueVersions(valueOf(key)), code);
        code.lines(RECORD_TYPE_MEMBERS.replace("TYPE", name));
        code.line("/// What follows the type in a key.");
        code.line("public ApiMessage readKey(WireReader reader) {");
        code.line("return readKey(reader, (short) 0);").line("}").line("");
        dispatch("private", "readKey", keys, base -> base + "Key", code);
        dispatch("public", "readValue", keys, base -> base + "Value", code);
        return code.line("}").toString();
    }

    private Definition valueOf(Definition key) {
        Definition value = named(base(key) + "Value");
        if (!value.apiKey().equals(key.apiKey())) {
            throw new IllegalArgumentException(key.name() + " and its value differ in type");
        }
        if (!key.message().versions().equals(new Versions(0, 0))) {
            throw new IllegalArgumentException(key.name() + " has other versions than 0");
        }
        return value;
    }

    private String valueVersions(Definition definition) {
        Versions versions = definition.message().versions();
        return versions.lowest() + ", " + versions.highest();
    }

    private static void constants(
            List<Definition> types, Function<Definition, String> versions, Code code) {
        for (int i = 0; i < types.size(); i++) {
            Definition type = types.get(i);
            String arguments = type.apiKey().orElseThrow() + ", " + versions.apply(type);
            String end = i + 1 < types.size() ? ")," : ");";
            code.line(constant(base(type)) + "(" + arguments + end);
        }
    }

    private static void dispatch(
            String method, List<Definition> cases, Function<String, String> type, Code code) {
        dispatch("public", method, cases, type, code);
    }

    private static void dispatch(
            String access,
            String method,
            List<Definition> cases,
            Function<String, String> type,
            Code code) {
        code.line(access + " ApiMessage " + method + "(WireReader reader, short version) {");
        code.line("return switch (this) {");
        for (Definition definition : cases) {
            String base = base(definition);
            code.line(
                    "case "
                            + constant(base)
                            + " -> "
                            + type.apply(base)
                            + ".read(reader, version);");
        }
        code.line("};").line("}").line("");
    }

    private Code start(String... imports) {
        Code code = new Code().line("package " + packageName + ";").line("");
        for (String type : imports) {
            code.line(
                    "import "
                            + (type.equals("Optional") ? "java.util." : "dev.ottla.wire.")
                            + type
                            + ";");
        }
        return code.line("");
    }

    private List<Definition> byApiKey(String group, Definition.Kind kind) {
        return definitions.stream()
                .filter(definition -> definition.group().equals(group))
                .filter(definition -> definition.kind() == kind)
                .sorted(Comparator.comparingInt(definition -> definition.apiKey().orElseThrow()))
                .toList();
    }

    private Definition named(String name) {
        return definitions.stream()
                .filter(definition -> definition.name().equals(name))
                .findAny()
                .orElseThrow(() -> new IllegalArgumentException("no definition of " + name));
    }

    private static String base(Definition definition) {
        return definition.name().replaceAll("(Request|Record|Key)$", "");
    }

    private static String constant(String camel) {
        return camel.replaceAll("([a-z0-9])([A-Z])", "$1_$2").toUpperCase(Locale.ROOT);
    }

    private static final String API_KEY_MEMBERS =
            """

            private static final ApiKey[] BY_ID = byId();

            private final short id;
            private final String title;
            private final short oldestVersion;
            private final short latestVersion;
            private final boolean latestVersionUnstable;
            private final short firstFlexibleRequest;
            private final short firstFlexibleResponseHeader;
            private final boolean onBroker;
            private final boolean onController;

            ApiKey(
                    int id,
                    String title,
                    int oldestVersion,
                    int latestVersion,
                    boolean latestVersionUnstable,
                    int firstFlexibleRequest,
                    int firstFlexibleResponseHeader,
                    boolean onBroker,
                    boolean onController) {
                this.id = (short) id;
                this.title = title;
                this.oldestVersion = (short) oldestVersion;
                this.latestVersion = (short) latestVersion;
                this.latestVersionUnstable = latestVersionUnstable;
                this.firstFlexibleRequest = (short) firstFlexibleRequest;
                this.firstFlexibleResponseHeader = (short) firstFlexibleResponseHeader;
                this.onBroker = onBroker;
                this.onController = onController;
            }

            public static Optional<ApiKey> forId(int id) {
                return id < 0 || id >= BY_ID.length ? Optional.empty() : Optional.ofNullable(BY_ID[id]);
            }

            public short id() {
                return id;
            }

            /// The name in the words of the definitions: `ListOffsets`.
            public String title() {
                return title;
            }

            public short oldestVersion() {
                return oldestVersion;
            }

            /// The latest version that is defined, stable or not.
            public short latestVersion() {
                return latestVersion;
            }

            public boolean latestVersionUnstable() {
                return latestVersionUnstable;
            }

            /// The latest version to offer to clients; less than the oldest if there is none.
            public short latestVersion(boolean unstableToo) {
                return latestVersionUnstable && !unstableToo ? (short) (latestVersion - 1) : latestVersion;
            }

            public boolean hasVersion(short version) {
                return version >= oldestVersion && version <= latestVersion;
            }

            /// Whether brokers answer this on their client listeners.
            public boolean onBroker() {
                return onBroker;
            }

            /// Whether controllers answer this.
            public boolean onController() {
                return onController;
            }

            /// Defined for versions to come too.
            public short requestHeaderVersion(short version) {
                return version >= firstFlexibleRequest ? (short) 2 : 1;
            }

            public short responseHeaderVersion(short version) {
                return version >= firstFlexibleResponseHeader ? (short) 1 : 0;
            }

            private static ApiKey[] byId() {
                int highest = 0;
                for (ApiKey key : values()) highest = Math.max(highest, key.id);
                ApiKey[] byId = new ApiKey[highest + 1];
                for (ApiKey key : values()) byId[key.id] = key;
                return byId;
            }

            """;

    private static final String RECORD_TYPE_MEMBERS =
            """

            private final short id;
            private final short lowestVersion;
            private final short highestVersion;

            TYPE(int id, int lowestVersion, int highestVersion) {
                this.id = (short) id;
                this.lowestVersion = (short) lowestVersion;
                this.highestVersion = (short) highestVersion;
            }

            public static Optional<TYPE> forId(int id) {
                for (TYPE type : values()) {
                    if (type.id == id) return Optional.of(type);
                }
                return Optional.empty();
            }

            public short id() {
                return id;
            }

            /// Of the value.
            public short lowestVersion() {
                return lowestVersion;
            }

            /// Of the value.
            public short highestVersion() {
                return highestVersion;
            }

            """;
}
