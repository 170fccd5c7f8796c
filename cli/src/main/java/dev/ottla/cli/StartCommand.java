package dev.ottla.cli;

import dev.ottla.broker.server.BoundListener;
import dev.ottla.broker.server.BrokerServer;
import dev.ottla.broker.server.BrokerSettings;
import dev.ottla.broker.server.Host;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;

/// `./ottla start`: runs a broker until it is told to stop.
final class StartCommand {
    private final StartOptions options;
    private final Host host;
    private final PrintStream out;

    StartCommand(StartOptions options, Host host, PrintStream out) {
        this.options = options;
        this.host = host;
        this.out = out;
    }

    /// Returns when the broker was told to stop and has. Throws [Ended] when it is to end because
    /// it is of no use any more; it is closed on the way out, as by a signal.
    void run() {
        BrokerServer server = open();
        CompletableFuture<Optional<String>> ended = new CompletableFuture<>();
        // The signal handler of the JVM runs this thread; it alone closes the broker.
        Thread stop =
                new Thread(
                        () -> {
                            server.close();
                            out.println("Ottla has stopped.");
                            out.flush();
                            ended.complete(Optional.empty());
                        },
                        "stop");
        try {
            Runtime.getRuntime().addShutdownHook(stop);
        } catch (IllegalStateException _) {
            return; // A signal came during the start: the process ends already.
        }
        introduce(server); // Whoever reads it may ask for the stop at once.
        var _ = server.ended().thenAccept(reason -> ended.complete(Optional.of(reason)));
        Optional<String> reason = ended.join();
        if (reason.isPresent()) throw new Ended(reason.get());
    }

    /// A broker that serves.
    BrokerServer open() {
        return BrokerServer.start(new BrokerSettings(options.properties()), host);
    }

    void introduce(BrokerServer server) {
        out.println(Version.line() + " is ready");
        out.println("  clients:      " + listeners(server.listeners()));
        out.println("  data:         " + directories(server.dataDirectories()));
        out.println("  cluster id:   " + server.clusterId() + ", node " + server.nodeId());
        if (server.metricsPort() > 0) {
            out.println("  metrics:      http://localhost:" + server.metricsPort() + "/metrics");
        }
        out.println("  stop:         Ctrl-C, or kill " + ProcessHandle.current().pid());
        out.flush();
    }

    private static String directories(List<Path> directories) {
        return directories.stream().map(Path::toString).collect(Collectors.joining(", "));
    }

    private static String listeners(List<BoundListener> listeners) {
        return listeners.stream()
                .map(listener ->
                        shown(listener.address())
                                + (listeners.size() > 1 ? " (" + listener.name() + ")" : ""))
                .collect(Collectors.joining(", "));
    }

    private static String shown(InetSocketAddress address) {
        String host =
                address.getAddress().isAnyLocalAddress() || address.getAddress().isLoopbackAddress()
                        ? "localhost"
                        : address.getAddress().getHostAddress();
        return host + ":" + address.getPort();
    }
}
