package dev.ottla.cli;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.turbo.TurboFilter;
import ch.qos.logback.core.spi.FilterReply;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Marker;

/// Keeps clients from filling the log: each statement of the code, told from others by its logger
/// and its text before the values are filled in, writes a burst of lines and then one every few
/// seconds. What is left out is counted and told with the next line of the statement, or with the
/// next of any other when that is long in coming.
///
/// Thread-safe: a statement's state changes under its own lock. There are as many as statements in
/// the code, and above a limit they share one, should somebody log texts that he made up.
public final class LogLimit extends TurboFilter {
    static final int BURST_LINES = 50;
    static final long LINE_EVERY_NS = 2_000_000_000;

    private static final long TELL_AFTER_NS = 10_000_000_000L;
    private static final int MAX_STATEMENTS = 2_000;
    private static final String LEFT_OUT = "{} lines like \"{}\" were left out.";

    private record Statement(String logger, String text) {}

    private static final Statement OTHERS = new Statement("", "");

    private final LongSupplier nanoClock;
    private final Map<Statement, Allowance> allowances = new ConcurrentHashMap<>();

    /// When somebody may next look for what was left out and not told.
    private final AtomicLong nextLookNs;

    /// As [LogSetup] makes it.
    public LogLimit() {
        this(System::nanoTime);
    }

    LogLimit(LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
        nextLookNs = new AtomicLong(nanoClock.getAsLong() + TELL_AFTER_NS);
    }

    @Override
    public FilterReply decide(
            @Nullable Marker marker,
            Logger logger,
            Level level,
            @Nullable String format,
            Object @Nullable [] parameters,
            @Nullable Throwable cause) {
        if (format == null
                || !level.isGreaterOrEqual(Level.INFO)
                || !level.isGreaterOrEqual(logger.getEffectiveLevel())
                || LEFT_OUT.equals(format)) {
            return FilterReply.NEUTRAL;
        }
        long nowNs = nanoClock.getAsLong();
        boolean allowed = allowance(logger, format).take(logger, level, format, nowNs);
        tellForgotten(logger, nowNs);
        return allowed ? FilterReply.NEUTRAL : FilterReply.DENY;
    }

    private Allowance allowance(Logger logger, String format) {
        Statement statement = new Statement(logger.getName(), format);
        if (allowances.size() >= MAX_STATEMENTS && !allowances.containsKey(statement)) {
            statement = OTHERS;
        }
        return allowances.computeIfAbsent(statement, _ -> new Allowance());
    }

    /// Of statements that fell silent after lines were left out.
    private void tellForgotten(Logger any, long nowNs) {
        long look = nextLookNs.get();
        if (nowNs >= look && nextLookNs.compareAndSet(look, nowNs + TELL_AFTER_NS)) {
            allowances.forEach((statement, allowance) -> {
                Logger own = any.getLoggerContext().getLogger(statement.logger());
                allowance.tellIfSilent(own, statement.text(), nowNs);
            });
        }
    }

    /// The lines that one statement may write: they come back one by one up to the burst.
    private static final class Allowance {
        /// The time up to which lines are spent: each moves it on by the time of one, and it may be
        /// a burst ahead of the clock.
        private long spentToNs = Long.MIN_VALUE;

        private long leftOut;
        private Level level = Level.INFO;
        private long lastNs;

        synchronized boolean take(Logger logger, Level lineLevel, String text, long nowNs) {
            lastNs = nowNs;
            level = lineLevel;
            long from = Math.max(spentToNs, nowNs);
            if (from - nowNs > (BURST_LINES - 1) * LINE_EVERY_NS) {
                leftOut++;
                return false;
            }
            spentToNs = from + LINE_EVERY_NS;
            tell(logger, text);
            return true;
        }

        synchronized void tellIfSilent(Logger logger, String text, long nowNs) {
            if (nowNs - lastNs >= TELL_AFTER_NS) {
                tell(logger, text);
            }
        }

        private void tell(Logger logger, String text) {
            if (leftOut > 0) {
                long count = leftOut;
                leftOut = 0;
                logger.atLevel(org.slf4j.event.Level.valueOf(level.levelStr))
                        .log(LEFT_OUT, count, text);
            }
        }
    }
}
