package dev.ottla.wire.generator;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/// Reads definition files. A definition that uses what the generator does not know fails the build,
/// instead of giving code that is almost right.
final class DefinitionReader {
    private static final Set<String> FIELD_KEYS =
            Set.of(
                    "name",
                    "type",
                    "versions",
                    "about",
                    "entityType",
                    "default",
                    "fields",
                    "mapKey",
                    "nullableVersions",
                    "taggedVersions",
                    "tag",
                    "ignorable",
                    "zeroCopy",
                    "flexibleVersions");
    private static final Set<String> JAVA_WORDS =
            Set.of("default", "class", "package", "interface", "public", "final", "static", "new");

    private final ObjectMapper mapper =
            new ObjectMapper().enable(JsonParser.Feature.ALLOW_COMMENTS);

    /// Empty when the definition has no valid version any more.
    Optional<Definition> read(String group, Path file) throws IOException {
        JsonNode json = mapper.readTree(file.toFile());
        Versions valid = Versions.parse(json.get("validVersions").asText());
        if (valid.isEmpty()) return Optional.empty();
        Versions flexible = Versions.parse(json.get("flexibleVersions").asText());
        List<Struct> structs = new ArrayList<>();
        for (JsonNode common : json.path("commonStructs")) {
            Versions versions = Versions.parse(common.get("versions").asText()).intersect(valid);
            readStruct(common.get("name").asText(), versions, flexible, common, structs);
        }
        List<Field> fields = readFields(json, valid, flexible, structs);
        Struct message = new Struct(json.get("name").asText(), valid, flexible, fields);
        return Optional.of(
                new Definition(
                        group,
                        kind(json),
                        optionalInt(json.path("apiKey")),
                        listeners(json),
                        json.path("latestVersionUnstable").asBoolean(false),
                        message,
                        List.copyOf(structs)));
    }

    private static void readStruct(
            String name,
            Versions versions,
            Versions flexible,
            JsonNode json,
            List<Struct> structs) {
        if (structs.stream().anyMatch(struct -> struct.name().equals(name))) {
            throw new IllegalArgumentException("structure " + name + " is defined twice");
        }
        List<Field> fields = readFields(json, versions, flexible, structs);
        structs.add(new Struct(name, versions, flexible, fields));
    }

    private static List<Field> readFields(
            JsonNode parent, Versions within, Versions flexible, List<Struct> structs) {
        List<Field> fields = new ArrayList<>();
        for (JsonNode json : parent.path("fields")) {
            Field field = readField(json, within, flexible);
            // Of interest to versions that are gone.
            if (field.versions().isEmpty()) continue;
            fields.add(field);
            if (json.has("fields")) {
                readStruct(structName(field.type()), field.versions(), flexible, json, structs);
            }
        }
        return List.copyOf(fields);
    }

    private static Field readField(JsonNode json, Versions within, Versions flexible) {
        String name = json.get("name").asText();
        Set<String> unknown = new HashSet<>();
        json.fieldNames().forEachRemaining(unknown::add);
        unknown.removeAll(FIELD_KEYS);
        if (!unknown.isEmpty()) throw new IllegalArgumentException(name + " has " + unknown);
        String tagged = json.path("taggedVersions").asText("none");
        String versions = json.path("versions").asText(tagged);
        if (json.has("tag") && !Versions.parse(tagged).equals(Versions.parse(versions))) {
            throw new IllegalArgumentException(name + " is tagged in some of its versions only");
        }
        Versions own = Versions.parse(versions).intersect(within);
        return new Field(
                lowerCamel(name),
                FieldType.parse(json.get("type").asText()),
                own,
                Versions.parse(json.path("nullableVersions").asText("none")).intersect(own),
                optionalInt(json.path("tag")),
                json.path("ignorable").asBoolean(false),
                json.has("flexibleVersions")
                        ? Versions.parse(json.get("flexibleVersions").asText())
                        : flexible,
                // A JSON null means the same to Kafka as no default; only the text "null" means
                // null.
                json.path("default").isNull() ? "" : json.path("default").asText(""));
    }

    private static String structName(FieldType type) {
        return switch (type) {
            case FieldType.StructRef(String name) -> name;
            case FieldType.ArrayOf(FieldType.StructRef(String name)) -> name;
            default -> throw new IllegalArgumentException("fields inside a " + type);
        };
    }

    private static Definition.Kind kind(JsonNode json) {
        String type = json.get("type").asText();
        return Definition.Kind.valueOf(type.toUpperCase(Locale.ROOT).replace('-', '_'));
    }

    private static Set<String> listeners(JsonNode json) {
        Set<String> listeners = new HashSet<>();
        for (JsonNode listener : json.path("listeners")) listeners.add(listener.asText());
        return Set.copyOf(listeners);
    }

    private static OptionalInt optionalInt(JsonNode json) {
        return json.isMissingNode() ? OptionalInt.empty() : OptionalInt.of(json.asInt());
    }

    private static String lowerCamel(String name) {
        String camel = name.substring(0, 1).toLowerCase(Locale.ROOT) + name.substring(1);
        return JAVA_WORDS.contains(camel) ? camel + "_" : camel;
    }
}
