package dev.ottla.cli;

import dev.ottla.broker.server.BrokerServer;
import dev.ottla.broker.server.Host;
import dev.ottla.config.HostPort;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/// Runs three brokers in this process until they vote on the metadata together, writes and reads
/// what all three keep, and lets another one take over the control, so that the JVM can record
/// which classes a node of a cluster needs. The build calls it; nobody else has to.
final class TrainClusterCommand {
    private static final int NODES = 3;
    private static final long PATIENCE_MS = 60_000;
    private static final long POLL_MS = 100;

    private TrainClusterCommand() {}

    /// @param words an empty directory for all nodes, then words as those of a start for each node
    static void run(List<String> words, PrintStream out) throws InterruptedException, IOException {
        Path directory = Path.of(words.getFirst());
        List<String> common = words.subList(1, words.size());
        Deque<BrokerServer> nodes = new ArrayDeque<>();
        try {
            StartCommand first = node(common, directory, 1, List.of(), out);
            nodes.add(first.open());
            first.introduce(nodes.getFirst());
            HostPort contact = address(nodes.getFirst());
            List<String> join = List.of("--join", contact.host() + ":" + contact.port());
            for (int id = 2; id <= NODES; id++) {
                nodes.add(node(common, directory, id, join, out).open());
            }
            await(contact, cluster -> cluster.voters().size() == NODES);
            try (PlainConnection client = connect(contact)) {
                TrainCommand.exercise(client, (short) NODES);
            }
            nodes.removeFirst().close();
            await(address(nodes.getFirst()), cluster -> cluster.controller() > 1);
        } finally {
            nodes.forEach(BrokerServer::close);
        }
    }

    private static StartCommand node(
            List<String> common, Path directory, int id, List<String> more, PrintStream out) {
        List<String> words = new ArrayList<>(common);
        words.addAll(List.of("--node-id", Integer.toString(id)));
        words.addAll(List.of("--data-dir", directory.resolve("node-" + id).toString()));
        words.addAll(more);
        return new StartCommand(StartOptions.parse(words), Host.real(), out);
    }

    private static HostPort address(BrokerServer node) {
        return new HostPort(
                InetAddress.getLoopbackAddress().getHostAddress(),
                node.listeners().getFirst().address().getPort());
    }

    private static PlainConnection connect(HostPort node) throws IOException {
        return new PlainConnection(new InetSocketAddress(node.host(), node.port()));
    }

    private static void await(HostPort node, Predicate<ClusterView> condition)
            throws InterruptedException {
        String last = "";
        for (long waitedMs = 0; waitedMs < PATIENCE_MS; waitedMs += POLL_MS) {
            try (ClusterClient client = ClusterClient.open(List.of(node))) {
                ClusterView view = client.view();
                if (condition.test(view)) return;
                last = view.toString();
            } catch (ClusterFailure e) {
                last = e.getMessage(); // Between two controllers nobody answers for the cluster.
            }
            TimeUnit.MILLISECONDS.sleep(POLL_MS);
        }
        throw new ClusterFailure("the nodes did not come together: " + last);
    }
}
