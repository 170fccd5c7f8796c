package dev.ottla.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The script `ottla`, as far as it decides something itself.
@Timeout(60)
final class LauncherTest {
    private static final Path SCRIPT =
            Path.of(System.getProperty("ottla.root", ".."), "ottla").toAbsolutePath();

    private record Result(int code, String text) {}

    private static Result start(String variable, String value)
            throws IOException, InterruptedException {
        ProcessBuilder builder =
                new ProcessBuilder("bash", SCRIPT.toString(), "start").redirectErrorStream(true);
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment().put(variable, value);
        Process process = builder.start();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Result(process.waitFor(), text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"8m", "63m", "much", "-1", "1000", "1.5g"})
    void memoryThatABrokerCannotStartWithIsRefused(String value) throws Exception {
        Result result = start("OTTLA_HEAP", value);

        assertThat(result.code()).isEqualTo(1);
        assertThat(result.text())
                .startsWith("Ottla did not start: OTTLA_HEAP is '" + value + "'")
                .contains("at least 64m")
                .hasLineCount(1);
    }

    @Test
    void soIsMemoryOutsideTheHeap() throws Exception {
        assertThat(start("OTTLA_DIRECT_MEMORY", "1m").text())
                .startsWith("Ottla did not start: OTTLA_DIRECT_MEMORY is '1m'");
    }
}
