package dev.ottla.record;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Proof that the fuzz targets of this module are fuzzed and not merely called.
class FuzzingFindsPlantedBugTest {
    @Test
    void fuzzerFindsThePlantedBug(@TempDir Path directory)
            throws IOException, InterruptedException {
        Path output = directory.resolve("output");
        ProcessBuilder fuzzer =
                new ProcessBuilder(
                        List.of(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-Xmx256m",
                                "-XX:+UseSerialGC",
                                "-XX:+EnableDynamicAgentLoading",
                                "--enable-native-access=ALL-UNNAMED",
                                "--sun-misc-unsafe-memory-access=allow",
                                "-cp",
                                System.getProperty("java.class.path"),
                                PlantedBugFuzzing.class.getName()));
        fuzzer.environment().put("JAZZER_FUZZ", "1");
        fuzzer.directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());

        Process process = fuzzer.start();
        process.waitFor();

        assertThat(output).content().contains(PlantedBug.MESSAGE);
    }
}
