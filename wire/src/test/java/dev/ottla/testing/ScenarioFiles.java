package dev.ottla.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;

/// Plays the files of a module's folder `src/test/resources/scenarios`: each is a conversation with a
/// state machine, commands with what came of them below. `-Dottla.rewrite=true` writes the files
/// anew; then look at the difference.
///
///     # Anything the reader should know.
///     command argument…
///     ----
///     what came of it
public final class ScenarioFiles {
    private static final Path FOLDER = Path.of("src/test/resources/scenarios");
    private static final String RULE = "----";

    private ScenarioFiles() {}

    /// The state machine that a file talks to.
    public interface Player {
        /// Runs one command; returns the lines of what came of it.
        List<String> run(String command);
    }

    /// One test for each file, with a fresh player.
    public static List<DynamicTest> tests(Supplier<Player> players) throws IOException {
        try (Stream<Path> files = Files.list(FOLDER)) {
            return files.sorted()
                    .map(file ->
                            DynamicTest.dynamicTest(
                                    file.getFileName().toString(), () -> play(file, players.get())))
                    .toList();
        }
    }

    private static void play(Path file, Player player) throws IOException {
        List<String> given = Files.readAllLines(file);
        List<String> played = new ArrayList<>();
        int line = 0;
        while (line < given.size()) {
            String text = given.get(line++);
            played.add(text);
            if (text.isBlank() || text.startsWith("#")) continue;
            played.add(RULE);
            played.addAll(player.run(text));
            // The old outcome, if there is one, ends with an empty line.
            if (line < given.size() && given.get(line).equals(RULE)) {
                while (line < given.size() && !given.get(line).isBlank()) line++;
            }
        }
        if (Boolean.getBoolean("ottla.rewrite")) {
            Files.write(file, played);
        } else {
            assertThat(String.join("\n", played))
                    .as("%s; run with -Dottla.rewrite=true to accept", file)
                    .isEqualTo(String.join("\n", given));
        }
    }
}
