package dev.ottla.cli;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;

final class LogSetupTest {
    private static final String OWN_FILE = "logback.configurationFile";

    private final PrintStream standardError = System.err;
    private final ByteArrayOutputStream written = new ByteArrayOutputStream();

    @TempDir private Path directory;

    @BeforeEach
    void catchStandardError() {
        System.setErr(new PrintStream(written, true, StandardCharsets.UTF_8));
    }

    @AfterEach
    void giveBack() {
        System.setErr(standardError);
        System.clearProperty(OWN_FILE);
    }

    @Test
    void newsAndWarningsAreWrittenAndLimited() {
        LoggerContext context = initialized(Optional.empty());

        context.getLogger("io.netty").info("hidden");
        context.getLogger("dev.ottla.broker").info("shown");

        assertThat(written.toString(StandardCharsets.UTF_8)).contains("shown").hasLineCount(1);
        assertIsOurs(context);
    }

    @Test
    void sentencesEndWithOneFullStop() {
        LoggerContext context = initialized(Optional.empty());

        context.getLogger("dev.ottla.broker").info("A failed: {}.", "B did not answer.");
        context.getLogger("dev.ottla.broker").info("And so on ...");

        assertThat(written.toString(StandardCharsets.UTF_8))
                .contains("A failed: B did not answer.  [broker]", "And so on ...  [broker]");
    }

    @Test
    void ownFileTakesThePlaceOfOurSetUp() throws IOException {
        Path file = directory.resolve("own.xml");
        Files.writeString(file, "<configuration><root level='ERROR'/></configuration>");

        for (String name : new String[] {file.toString(), file.toUri().toString()}) {
            LoggerContext context = initialized(Optional.of(name));

            assertThat(context.getLogger(Logger.ROOT_LOGGER_NAME).getLevel())
                    .isEqualTo(Level.ERROR);
            assertThat(context.getTurboFilterList()).isEmpty();
        }
        assertThat(written.size()).isZero();
    }

    @Test
    void ownFileThatCannotBeReadIsToldAndOurSetUpTaken() throws IOException {
        Path broken = directory.resolve("broken.xml");
        Files.writeString(broken, "<configuration><root level='ERROR'/>");

        tellsOf(directory.resolve("missing.xml").toString());
        tellsOf(broken.toString());
        tellsOf(directory.toString());
        tellsOf("nowhere://x");
        tellsOf("\0");
        tellsOf("");
    }

    private void tellsOf(String name) {
        written.reset();
        LoggerContext context = initialized(Optional.of(name));

        assertThat(written.toString(StandardCharsets.UTF_8))
                .contains(
                        "WARN  The log configuration " + name + " that -D" + OWN_FILE,
                        "cannot be read");
        assertIsOurs(context);
    }

    private static LoggerContext initialized(Optional<String> ownFile) {
        ownFile.ifPresent(name -> System.setProperty(OWN_FILE, name));
        LogSetup.use();
        LogSetup setup = new LogSetup();
        setup.initialize();
        assertThat(System.getProperty("slf4j.provider")).isEqualTo(LogSetup.class.getName());
        return (LoggerContext) setup.getLoggerFactory();
    }

    private static void assertIsOurs(LoggerContext context) {
        assertThat(context.getTurboFilterList()).hasExactlyElementsOfTypes(LogLimit.class);
        assertThat(context.getLogger(Logger.ROOT_LOGGER_NAME).getLevel()).isEqualTo(Level.WARN);
    }
}
