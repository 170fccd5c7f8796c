package dev.ottla.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The fuzzer as we start it finds bugs: it finds the one in [PlantedBug].
final class FuzzingWorksTest {
    @Test
    void plantedBugIsFound(@TempDir Path folder) throws Exception {
        Path log = folder.resolve("log");
        ProcessBuilder builder =
                new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-XX:+EnableDynamicAgentLoading",
                        "--enable-native-access=ALL-UNNAMED",
                        "--sun-misc-unsafe-memory-access=allow",
                        "-Djazzer.instrument=dev.ottla.**",
                        "-cp",
                        System.getProperty("java.class.path"),
                        PlantedBugFuzzing.class.getName());
        builder.environment().put("JAZZER_FUZZ", "1");
        builder.directory(folder.toFile()).redirectErrorStream(true).redirectOutput(log.toFile());

        Process process = builder.start();
        boolean ended = process.waitFor(240, TimeUnit.SECONDS);
        process.destroyForcibly();

        assertThat(ended).as("the process ends by itself").isTrue();
        assertThat(process.exitValue()).as(() -> tail(log)).isEqualTo(PlantedBugFuzzing.FOUND);
    }

    private static String tail(Path log) {
        try {
            String text = Files.readString(log);
            return text.substring(Math.max(0, text.length() - 4000));
        } catch (java.io.IOException e) {
            return e.toString();
        }
    }
}
