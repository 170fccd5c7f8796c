package dev.ottla.broker.handler.config;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.slf4j.LoggerFactory;

/// The levels of this process's loggers, which DescribeConfigs and IncrementalAlterConfigs show and
/// change as BROKER_LOGGER (KIP-412). Thread-safe, as the logging library is. A level set here
/// lasts until the process ends.
public final class LoggerLevels {
    /// The name under which Kafka's tools know the root of all loggers.
    public static final String ROOT = "root";

    /// Kafka's names; FATAL is taken for ERROR, which the logging library calls both.
    private static final Set<String> NAMES =
            Set.of("FATAL", "ERROR", "WARN", "INFO", "DEBUG", "TRACE");

    /// Effective levels by logger name; empty when another logging library is in use.
    public SortedMap<String, String> levels() {
        SortedMap<String, String> levels = new TreeMap<>();
        context()
                .ifPresent(context ->
                        context.getLoggerList()
                                .forEach(logger ->
                                        levels.put(
                                                shown(logger.getName()),
                                                logger.getEffectiveLevel().toString())));
        return levels;
    }

    /// Whether `level` is one that a logger can have.
    public static boolean isLevel(String level) {
        return NAMES.contains(level.toUpperCase(Locale.ROOT));
    }

    /// Sets each level, or with an empty value forgets it so that the parent's applies.
    public void set(Map<String, Optional<String>> levels) {
        context()
                .ifPresent(context ->
                        levels.forEach((name, level) ->
                                logger(context, name)
                                        .setLevel(level.map(LoggerLevels::level).orElse(null))));
    }

    private static Logger logger(LoggerContext context, String name) {
        return context.getLogger(name.equals(ROOT) ? org.slf4j.Logger.ROOT_LOGGER_NAME : name);
    }

    private static Level level(String name) {
        return name.equalsIgnoreCase("FATAL") ? Level.ERROR : Level.valueOf(name);
    }

    private static String shown(String loggerName) {
        return loggerName.equals(org.slf4j.Logger.ROOT_LOGGER_NAME) ? ROOT : loggerName;
    }

    private static Optional<LoggerContext> context() {
        return LoggerFactory.getILoggerFactory() instanceof LoggerContext context
                ? Optional.of(context)
                : Optional.empty();
    }
}
