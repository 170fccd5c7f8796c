package dev.ottla.chaos.fault;

import dev.ottla.chaos.cluster.Cluster;
import dev.ottla.chaos.cluster.ClusterState;
import dev.ottla.chaos.cluster.ClusterState.Partition;
import dev.ottla.chaos.history.Event;
import dev.ottla.chaos.history.History;
import dev.ottla.chaos.load.HostileClients;
import dev.ottla.chaos.load.HostileClients.Reaction;
import dev.ottla.chaos.load.Malformed;
import dev.ottla.chaos.load.SeparateClient;
import dev.ottla.chaos.load.SlowConsumers;
import dev.ottla.chaos.load.Topics;
import java.io.IOException;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.kafka.common.TopicPartition;

/// Clients that behave badly. Owned by the run's main thread.
final class ClientFaults {
    private static final Duration JOINING = Duration.ofSeconds(15);

    /// However busy the machine is.
    private static final Duration ANSWER = Duration.ofSeconds(10);

    private static final int SLOW_CONSUMERS_OF_A_NODE = 8;
    private static final Duration BETWEEN_SIPS = Duration.ofMillis(50);

    private final Cluster cluster;
    private final ClusterState state;
    private final SeparateClient client;
    private final Nodes nodes;
    private final History history;

    ClientFaults(
            Cluster cluster,
            ClusterState state,
            SeparateClient client,
            Nodes nodes,
            History history) {
        this.cluster = cluster;
        this.state = state;
        this.client = client;
        this.nodes = nodes;
        this.history = history;
    }

    /// Returns what is to be told when it is over.
    String play(Strike strike, Random random) throws IOException {
        return switch (strike.fault()) {
            case CLIENT_KILLED -> kill(strike.hold());
            case CLIENT_PAUSED -> freeze(strike.hold());
            case SLOW_CONSUMERS -> consumeSlowly(strike.hold());
            case MALFORMED_REQUESTS -> sendMalformed(strike.hold(), random);
            default -> throw new IllegalArgumentException(strike.fault() + " is none of a client");
        };
    }

    /// With writes and commits under way, and a share of each group's partitions.
    private String kill(Duration hold) {
        awaitClient();
        client.kill();
        nodes.pause(hold);
        client.ensureRunning();
        return "a writer and a member of each group";
    }

    /// Longer than its sessions: others have its partitions when it goes on with them.
    private String freeze(Duration hold) {
        awaitClient();
        Duration zombie = client.longerThanSessions();
        Duration time = hold.compareTo(zombie) < 0 ? zombie : hold;
        client.freeze();
        nodes.pause(time);
        client.thaw();
        return "a writer and a member of each group, for %d ms".formatted(time.toMillis());
    }

    private void awaitClient() {
        client.ensureRunning();
        if (!nodes.waitUntil(JOINING, client::ownsAny)) {
            throw new IllegalStateException("the client is not given partitions");
        }
    }

    private String consumeSlowly(Duration hold) throws IOException {
        try (SlowConsumers consumers = new SlowConsumers()) {
            List<Partition> partitions = state.partitions(Topics.names());
            for (int node : cluster.ids()) {
                List<TopicPartition> led =
                        partitions.stream()
                                .filter(partition -> partition.leader() == node)
                                .map(Partition::name)
                                .toList();
                for (int i = 0; i < SLOW_CONSUMERS_OF_A_NODE && cluster.isReady(node); i++) {
                    consumers.add(cluster.address(node), led);
                }
            }
            long endNs = System.nanoTime() + hold.toNanos();
            while (System.nanoTime() < endNs) {
                consumers.takeSome();
                nodes.pause(BETWEEN_SIPS);
            }
            return "%d consumers took %d bytes".formatted(consumers.count(), consumers.taken());
        }
    }

    private String sendMalformed(Duration hold, Random random) throws IOException {
        Map<Reaction, Integer> reactions = new EnumMap<>(Reaction.class);
        try (HostileClients clients = new HostileClients(ANSWER)) {
            for (int node : cluster.ids()) {
                for (Malformed what : Malformed.values()) {
                    Reaction reaction = clients.send(what, cluster.address(node), random);
                    reactions.merge(reaction, 1, Integer::sum);
                    if (reaction == Reaction.IGNORED) {
                        history.add(new Event.Ignored(node, what.name()));
                    }
                }
            }
            nodes.pause(hold);
        }
        return reactions.toString();
    }
}
