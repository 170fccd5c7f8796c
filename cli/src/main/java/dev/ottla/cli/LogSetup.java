package dev.ottla.cli;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.joran.JoranConfigurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.joran.spi.JoranException;
import ch.qos.logback.core.util.StatusPrinter2;
import java.io.IOException;
import java.net.URI;
import java.net.URL;
import java.nio.file.Path;
import java.util.Optional;
import org.slf4j.ILoggerFactory;
import org.slf4j.IMarkerFactory;
import org.slf4j.helpers.BasicMarkerFactory;
import org.slf4j.spi.MDCAdapter;
import org.slf4j.spi.SLF4JServiceProvider;

/// Where the log goes: warnings and the broker's news to standard error, one line each;
/// `-Dottla.log.level` raises the detail. In code and given to SLF4J by name, because finding
/// Logback, its configurators and its file in all jars is a fifth of a start. Who names a file of
/// his own with `-Dlogback.configurationFile` gets that one instead, if it can be read: without any
/// set-up Logback would log every detail, and without limit. Used by one thread, before there are
/// others.
public final class LogSetup implements SLF4JServiceProvider {
    private static final String API_VERSION = "2.0.99";

    /// A reason at the end of a sentence may be a sentence itself: one full stop is enough.
    private static final String LINE =
            "%d{yyyy-MM-dd HH:mm:ss.SSS} %-5level %replace(%msg){'(?<!\\.)\\.\\.$', '.'}  [%logger{0}]%n%ex";

    private static final String OWN_FILE = "logback.configurationFile";
    private static final String LEVEL = "ottla.log.level";

    private final LoggerContext context = new LoggerContext();
    private final IMarkerFactory markers = new BasicMarkerFactory();
    private final LogbackMDCAdapter diagnostics = new LogbackMDCAdapter();

    /// To be called before anything asks for a logger.
    static void use() {
        System.setProperty("slf4j.provider", LogSetup.class.getName());
        System.setProperty("slf4j.internal.verbosity", "WARN"); // not a word about the line above
    }

    @Override
    public void initialize() {
        context.setName("default");
        context.setMDCAdapter(diagnostics);
        configure(context, Optional.ofNullable(System.getProperty(OWN_FILE)));
        context.start();
    }

    static void configure(LoggerContext context, Optional<String> ownFile) {
        if (ownFile.isEmpty()) {
            configure(context);
            return;
        }
        try {
            JoranConfigurator reader = new JoranConfigurator();
            reader.setContext(context);
            reader.doConfigure(location(ownFile.get()));
            new StatusPrinter2().printInCaseOfErrorsOrWarnings(context);
        } catch (JoranException | IOException | IllegalArgumentException e) {
            context.reset();
            configure(context);
            context.getLogger(LogSetup.class)
                    .warn(
                            "The log configuration {} that -D{} names cannot be read ({}); the log is set up as"
                                    + " without it. Give the path of a readable Logback file.",
                            ownFile.get(),
                            OWN_FILE,
                            e.getMessage());
        }
    }

    /// Logback takes a path or an address.
    private static URL location(String name) throws IOException {
        return name.contains(":/") ? URI.create(name).toURL() : Path.of(name).toUri().toURL();
    }

    private static void configure(LoggerContext context) {
        PatternLayoutEncoder encoder = new PatternLayoutEncoder();
        encoder.setContext(context);
        encoder.setPattern(LINE);
        encoder.start();
        ConsoleAppender<ILoggingEvent> standardError = new ConsoleAppender<>();
        standardError.setContext(context);
        standardError.setName("STDERR");
        standardError.setTarget("System.err");
        standardError.setEncoder(encoder);
        standardError.start();

        // Whatever a client can cause to be logged is limited; what is left out is told.
        LogLimit limit = new LogLimit();
        limit.setContext(context);
        limit.start();
        context.addTurboFilter(limit);

        Logger root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        root.setLevel(Level.WARN);
        root.addAppender(standardError);
        // It tells of every connection that breaks, which the quorum's engine gets over by itself.
        context.getLogger("org.apache.ratis").setLevel(Level.ERROR);
        context.getLogger("dev.ottla")
                .setLevel(Level.toLevel(System.getProperty(LEVEL), Level.INFO));
    }

    @Override
    public ILoggerFactory getLoggerFactory() {
        return context;
    }

    @Override
    public IMarkerFactory getMarkerFactory() {
        return markers;
    }

    @Override
    public MDCAdapter getMDCAdapter() {
        return diagnostics;
    }

    @Override
    public String getRequestedApiVersion() {
        return API_VERSION;
    }
}
