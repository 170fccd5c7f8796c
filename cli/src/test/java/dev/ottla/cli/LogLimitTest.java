package dev.ottla.cli;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class LogLimitTest {
    private final LoggerContext context = new LoggerContext();
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
    private final Logger logger = context.getLogger("network");
    private long nowNs = -5;

    @BeforeEach
    void setUp() {
        lines.start();
        context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME).setLevel(Level.INFO);
        context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME).addAppender(lines);
        context.addTurboFilter(new LogLimit(() -> nowNs));
    }

    @Test
    void floodOfOneStatementIsCutAndCounted() {
        for (int i = 0; i < 10_000; i++) {
            logger.info("Closing {}.", i);
        }
        assertThat(lines.list).hasSize(LogLimit.BURST_LINES);

        nowNs += LogLimit.LINE_EVERY_NS;
        logger.info("Closing {}.", "the last");
        logger.info("Closing {}.", "one too many");

        assertThat(messages())
                .hasSize(LogLimit.BURST_LINES + 2)
                .endsWith("9950 lines like \"Closing {}.\" were left out.", "Closing the last.");
    }

    @Test
    void otherStatementsAreNotTouched() {
        for (int i = 0; i < 10_000; i++) {
            logger.info("Closing {}.", i);
        }

        logger.error("The disk is full.");

        assertThat(messages()).endsWith("The disk is full.");
    }

    @Test
    void whatWasLeftOutIsToldAlsoWhenTheStatementFallsSilent() {
        for (int i = 0; i < 100; i++) {
            logger.warn("Closing {}.", i);
        }

        nowNs += TimeUnit.MINUTES.toNanos(1);
        context.getLogger("another").info("Stopped.");

        assertThat(messages()).contains("50 lines like \"Closing {}.\" were left out.", "Stopped.");
    }

    @Test
    void calmStatementIsNeverCut() {
        for (int i = 0; i < 10_000; i++) {
            logger.info("Closing {}.", i);
            nowNs += LogLimit.LINE_EVERY_NS;
        }

        assertThat(lines.list).hasSize(10_000);
    }

    @Test
    void textsWithoutEndShareOneAllowance() {
        for (int i = 0; i < 10_000; i++) {
            logger.info("Text " + i);
        }

        assertThat(lines.list).hasSizeLessThan(3_000);
    }

    private List<String> messages() {
        return lines.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
    }
}
