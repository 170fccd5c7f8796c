package dev.ottla.metadata.controller;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/// Plays the files under `scenarios`: each is a conversation with a controller, commands with what came of
/// them below. [Scenario] knows the commands. `-Dottla.rewrite=true` writes the files anew; then look at
/// the difference.
///
///     # Anything the reader should know.
///     command argument…
///     ----
///     what came of it
class ScenarioTest {
    private static final Path FOLDER = Path.of("src/test/resources/scenarios");
    private static final String RULE = "----";

    @TestFactory
    List<DynamicTest> scenarios() throws IOException {
        try (Stream<Path> files = Files.list(FOLDER)) {
            return files.sorted()
                    .map(file ->
                            DynamicTest.dynamicTest(
                                    file.getFileName().toString(), () -> play(file)))
                    .toList();
        }
    }

    private static void play(Path file) throws IOException {
        List<String> given = Files.readAllLines(file);
        List<String> played = new ArrayList<>();
        Scenario scenario = new Scenario();
        int line = 0;
        while (line < given.size()) {
            String text = given.get(line++);
            played.add(text);
            if (text.isBlank() || text.startsWith("#")) continue;
            played.add(RULE);
            played.addAll(scenario.run(text));
            // The old outcome, if there is one, ends with an empty line.
            if (line < given.size() && given.get(line).equals(RULE)) {
                while (line < given.size() && !given.get(line).isBlank()) line++;
            }
        }
        if (Boolean.getBoolean("ottla.rewrite")) Files.write(file, played);
        else {
            assertThat(String.join("\n", played))
                    .as("%s; run with -Dottla.rewrite=true to accept", file)
                    .isEqualTo(String.join("\n", given));
        }
    }
}
