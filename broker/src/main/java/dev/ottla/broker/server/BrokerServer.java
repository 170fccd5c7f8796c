package dev.ottla.broker.server;

import dev.ottla.config.BrokerLayers;
import dev.ottla.config.ConfigCheck;
import dev.ottla.config.ConfigNotes;
import dev.ottla.config.ConfigProblem;
import dev.ottla.config.ConfigResolver;
import dev.ottla.config.Listener;
import dev.ottla.config.Listeners;
import dev.ottla.config.Scope;
import dev.ottla.config.Surroundings;
import io.netty.util.ResourceLeakDetector;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A running broker. Made by `start`, ended by `close`, both on the starter's thread.
public final class BrokerServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(BrokerServer.class);
    private static final String LEAK_LEVEL = "io.netty.leakDetection.level";

    private final BrokerRuntime runtime;

    private BrokerServer(BrokerRuntime runtime) {
        this.runtime = runtime;
    }

    /// Starts a broker and returns when clients can use it. Throws [StartRefusedException] when the
    /// configuration, the directories or the addresses don't allow it; nothing is left running
    /// then.
    public static BrokerServer start(BrokerSettings settings) {
        return start(settings, Host.real());
    }

    /// The same on another host.
    public static BrokerServer start(BrokerSettings settings, Host host) {
        if (System.getProperty(LEAK_LEVEL) == null) {
            // Tests look for leaks; sampling them costs production a few percent and nobody would
            // read it.
            ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.DISABLED);
        }
        WarmUp.begin();
        ConfigResolver config =
                new ConfigResolver(
                        BrokerLayers.of(settings.properties()),
                        Surroundings.of(1, Runtime.getRuntime().availableProcessors()));
        checkConfiguration(config, settings);
        List<Listener> listeners = Listeners.of(config.broker()).clientsFirst();
        BrokerRuntime runtime = new BrokerRuntime(config, host);
        try {
            runtime.start(listeners);
            return new BrokerServer(runtime);
        } catch (RuntimeException e) {
            runtime.close();
            throw e;
        }
    }

    /// A value that cannot be is refused; a key that does nothing is told once.
    private static void checkConfiguration(ConfigResolver config, BrokerSettings settings) {
        // Told first: the name that is mistyped may be why the start is refused.
        ConfigNotes.on(Scope.BROKER, settings.properties()).forEach(LOG::warn);
        List<ConfigProblem> problems = new ConfigCheck(config).broker();
        if (!problems.isEmpty()) {
            throw new StartRefusedException(
                    problems.stream()
                            .map(ConfigProblem::message)
                            .collect(
                                    Collectors.joining(
                                            "\n  ", "the configuration cannot be used.\n  ", "")));
        }
    }

    /// Where clients connect, in the order of the configuration.
    public List<BoundListener> listeners() {
        return runtime.listeners();
    }

    public String clusterId() {
        return runtime.clusterId();
    }

    public int nodeId() {
        return runtime.nodeId();
    }

    /// Where the data is.
    public List<Path> dataDirectories() {
        return runtime.dataDirectories();
    }

    /// The port of the metrics page, -1 when there is none.
    public int metricsPort() {
        return runtime.metricsPort();
    }

    /// Completes, on any thread, when this broker is of no use any more and is to be closed: with a
    /// sentence that says what happened and what helps.
    public CompletableFuture<String> ended() {
        return runtime.ended();
    }

    /// Stops cleanly: no new requests, everything appended is on disk and marked as such.
    @Override
    public void close() {
        runtime.close();
    }
}
