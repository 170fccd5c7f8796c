package dev.ottla.cli;

import dev.ottla.broker.server.BoundListener;
import dev.ottla.broker.server.BrokerServer;
import dev.ottla.broker.server.BrokerSettings;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/// `./ottla start`: runs a broker until it is told to stop.
@Command(
        name = "start",
        description = "Runs a broker. Nothing needs to be configured or formatted first.",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        footer = {
            "",
            "Every configuration key is described in docs/reference/config.md.",
            "Ctrl-C or SIGTERM stops the broker cleanly."
        })
final class StartCommand implements Callable<Integer> {
    @Mixin private StartOptions options = new StartOptions();
    @Spec private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws InterruptedException {
        BrokerServer server = BrokerServer.start(new BrokerSettings(options.properties()));
        CountDownLatch stopped = new CountDownLatch(1);
        // The signal handler of the JVM runs this thread; it alone closes the broker.
        Runtime.getRuntime()
                .addShutdownHook(
                        new Thread(
                                () -> {
                                    server.close();
                                    say("Ottla has stopped.");
                                    stopped.countDown();
                                },
                                "stop"));
        introduce(server, spec.commandLine().getOut());
        stopped.await();
        return 0;
    }

    private void say(String line) {
        spec.commandLine().getOut().println(line);
        spec.commandLine().getOut().flush();
    }

    private static void introduce(BrokerServer server, PrintWriter out) {
        out.println("Ottla " + Version.current() + " (Kafka 4.4 protocol) is ready");
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
