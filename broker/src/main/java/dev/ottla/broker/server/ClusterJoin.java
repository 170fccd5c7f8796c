package dev.ottla.broker.server;

import dev.ottla.config.ConfigValues;
import dev.ottla.config.HostPort;
import dev.ottla.config.Listener;
import dev.ottla.config.Listeners;
import dev.ottla.config.QuorumKeys;
import dev.ottla.config.ServerKeys;
import dev.ottla.log.DataDirectory;
import dev.ottla.log.disk.Disk;
import dev.ottla.log.disk.DiskIo;
import dev.ottla.metadata.image.BrokerState;
import dev.ottla.metadata.image.ClusterImage;
import dev.ottla.quorum.store.MetadataStore;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Whether this node is one of a cluster that others began, and where to find them. Once it is, it
/// stays so: a file beside the metadata remembers it, so that a later start need not be told.
///
///     ottla-join    host:port, one on each line
final class ClusterJoin {
    private static final Logger LOG = LoggerFactory.getLogger(ClusterJoin.class);
    private static final String FILE = "ottla-join";

    private ClusterJoin() {}

    /// The nodes to ask; empty for a node that begins a cluster, or has begun one. Refuses a node
    /// that has a cluster of its own and shall join another. A list that names nobody but this node
    /// itself, as Kafka's own file for a single node does, is no wish to join; nor is a list of
    /// voters to a node that has begun a cluster, because in Kafka's way all nodes have the same
    /// one.
    static Optional<List<HostPort>> of(
            ConfigValues values, DataDirectories directories, Disk disk) {
        DataDirectory directory = directories.ofMetadata();
        Path file = directory.path().resolve(FILE);
        try {
            Optional<String> remembered = DiskIo.readText(disk, file);
            boolean begun = remembered.isEmpty() && hasMetadata(directory, disk);
            List<HostPort> wanted =
                    others(wanted(values, directories, begun), Listeners.of(values).all());
            if (wanted.isEmpty()) {
                if (remembered.isEmpty()) refuseWithoutController(values);
                return remembered.map(text -> nodes(text.lines().toList()));
            }
            if (begun) refuseOwnCluster(directory);
            refuseWithoutId(values, directories);
            remember(disk, file, remembered, wanted);
            return Optional.of(wanted);
        } catch (IOException e) {
            throw new StartRefusedException(
                    "what data directory %s says about the cluster to join cannot be read or written: %s"
                            .formatted(directory, e.getMessage()),
                    e);
        }
    }

    /// Writes nothing that is there already: the disk may be full.
    private static void remember(
            Disk disk, Path file, Optional<String> remembered, List<HostPort> nodes)
            throws IOException {
        String text =
                nodes.stream().map(HostPort::toString).collect(Collectors.joining("\n", "", "\n"));
        if (!remembered.equals(Optional.of(text))) {
            DiskIo.replaceText(disk, file, text);
        }
    }

    /// A node that found no cluster has joined none: a later start may be told otherwise.
    static void forget(DataDirectories directories, Disk disk) {
        Path file = directories.ofMetadata().path().resolve(FILE);
        try {
            var _ = disk.delete(file);
        } catch (IOException e) {
            LOG.warn("{} cannot be deleted: {}", file, e.getMessage());
        }
    }

    /// Those that are not at a listener of this node.
    static List<HostPort> others(List<HostPort> nodes, List<Listener> listeners) {
        return nodes.stream()
                .filter(node -> listeners.stream().noneMatch(own -> isAt(node, own.bind())))
                .toList();
    }

    private static boolean isAt(HostPort node, HostPort bind) {
        if (node.port() != bind.port()) return false;
        if (node.host().equals(bind.host())) return true;
        try {
            InetAddress there = InetAddress.getByName(node.host());
            InetAddress here = InetAddress.getByName(bind.host().isEmpty() ? "::" : bind.host());
            return here.isAnyLocalAddress()
                    ? there.isLoopbackAddress() || NetworkInterface.getByInetAddress(there) != null
                    : here.equals(there);
        } catch (IOException _) {
            return false; // Nobody knows the name: it is none of this machine's.
        }
    }

    private static List<HostPort> nodes(List<String> texts) {
        return texts.stream().flatMap(text -> HostPort.parse(text.strip()).stream()).toList();
    }

    /// Kafka's older list of voters counts where the newer one is not given.
    private static List<HostPort> wanted(
            ConfigValues values, DataDirectories directories, boolean begun) {
        List<String> servers = values.value(QuorumKeys.CONTROLLER_QUORUM_BOOTSTRAP_SERVERS);
        if (!servers.isEmpty() || begun) return nodes(servers);
        int self =
                values.optional(ServerKeys.NODE_ID)
                        .or(directories::storedNodeId)
                        .orElse(values.value(ServerKeys.BROKER_ID));
        return nodes(
                values.value(QuorumKeys.CONTROLLER_QUORUM_VOTERS).stream()
                        .map(voter -> voter.strip().split("@", 2))
                        .filter(voter -> Long.parseLong(voter[0]) != self)
                        .map(voter -> voter[1])
                        .toList());
    }

    private static boolean hasMetadata(DataDirectory directory, Disk disk) throws IOException {
        return MetadataStore.exists(directory) && MetadataStore.hasRecords(disk, directory);
    }

    private static void refuseOwnCluster(DataDirectory directory) {
        throw new StartRefusedException(
                "data directory %s holds the metadata of a cluster that this node began, so it cannot join another. Start it without --join (controller.quorum.bootstrap.servers), or give it an empty directory."
                        .formatted(directory));
    }

    private static void refuseWithoutController(ConfigValues values) {
        if (!ServerKeys.isController(values)) {
            throw new StartRefusedException(
                    "a node whose process.roles is broker alone needs a cluster to join. Name one of its nodes with --join (controller.quorum.bootstrap.servers), or add controller to process.roles.");
        }
    }

    private static void refuseWithoutId(ConfigValues values, DataDirectories directories) {
        if (values.optional(ServerKeys.NODE_ID).isEmpty()
                && values.value(ServerKeys.BROKER_ID) < 0
                && directories.storedNodeId().isEmpty()) {
            throw new StartRefusedException(
                    "a node that joins a cluster needs an id that no other node has. Give it one with --node-id; './ottla cluster status --bootstrap HOST:PORT' shows which are taken.");
        }
    }

    /// Where nodes of the cluster may be found: those to join, and whom the metadata names.
    static List<HostPort> known(List<HostPort> join, ClusterImage image, int nodeId) {
        Set<HostPort> all = new LinkedHashSet<>(join);
        for (BrokerState broker : image.brokers().values()) {
            if (broker.id() == nodeId) continue;
            broker.endpoints().stream()
                    .limit(1)
                    .forEach(found -> all.add(new HostPort(found.host(), found.port())));
        }
        return List.copyOf(all);
    }

    static String shown(List<HostPort> nodes) {
        return nodes.stream().map(HostPort::toString).collect(Collectors.joining(", "));
    }
}
