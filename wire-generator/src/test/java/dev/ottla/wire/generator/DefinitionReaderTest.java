package dev.ottla.wire.generator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DefinitionReaderTest {
    @TempDir private Path folder = Path.of("");

    @Test
    void fieldsOfVersionsThatAreGoneAreLeftOut() throws IOException {
        Definition definition =
                read(
                        """
                        { "name": "Old", "type": "int8", "versions": "0-1" },
                        { "name": "Kept", "type": "int8", "versions": "1+" }
                        """);

        assertThat(definition.message().fields()).extracting(Field::name).containsExactly("kept");
        assertThat(definition.message().fields().getFirst().versions())
                .isEqualTo(new Versions(2, 4));
    }

    @Test
    void onlyTheTextNullMeansNull() throws IOException {
        Definition definition =
                read(
                        """
                        { "name": "A", "type": "string", "versions": "2+",
                          "nullableVersions": "2+", "default": "null" },
                        { "name": "B", "type": "string", "versions": "2+",
                          "nullableVersions": "2+", "default": null }
                        """);

        assertThat(definition.message().fields())
                .extracting(Field::defaultExpression)
                .containsExactly("null", "\"\"");
    }

    @Test
    void whatIsNotKnownFailsTheBuild() {
        assertThatThrownBy(() -> read("{ 'name': 'A', 'type': 'int9', 'versions': '2+' }"))
                .hasMessageContaining("int9");
        assertThatThrownBy(
                        () -> read("{ 'name': 'A', 'type': 'int8', 'versions': '2+', 'new': 1 }"))
                .hasMessageContaining("new");
    }

    @Test
    void aDefinitionWithoutValidVersionsIsSkipped() throws IOException {
        Path file = folder.resolve("Gone.json");
        Files.writeString(
                file,
                "// Gone.\n{ \"name\": \"Gone\", \"type\": \"data\", \"validVersions\": \"none\" }");

        assertThat(new DefinitionReader().read("clients", file)).isEmpty();
    }

    private Definition read(String fields) throws IOException {
        Path file = folder.resolve("Made.json");
        String json =
                """
                { "name": "Made", "type": "data", "validVersions": "2-4", "flexibleVersions": "3+",
                  "fields": [ %s ] }
                """
                        .formatted(fields.replace('\'', '"'));
        Files.writeString(file, json);
        return new DefinitionReader().read("clients", file).orElseThrow();
    }
}
