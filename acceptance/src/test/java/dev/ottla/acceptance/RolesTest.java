package dev.ottla.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ottla.testkit.Await;
import dev.ottla.testkit.BrokerCommand;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.Node;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// A node that is a controller alone, beside one that is a broker alone and one that is both.
@Order(2)
class RolesTest {
    @Test
    @Tag("config:process.roles")
    void aControllerAloneVotesButHoldsNothingAndIsNotShown() {
        try (ClusterProcesses cluster = ClusterProcesses.of()) {
            cluster.add(1, "process.roles=controller");
            cluster.launch(2, "process.roles=broker");
            cluster.launch(3);
            cluster.node(2).awaitReady();
            cluster.node(3).awaitReady();

            try (Clients clients = new Clients(cluster.bootstrap())) {
                Await.until(
                        "both brokers are shown, and they alone",
                        Await.DEADLINE,
                        () ->
                                ids(Clients.get(clients.admin().describeCluster().nodes()))
                                        .equals(Set.of(2, 3)),
                        cluster::output);
                NewTopic wanted = new NewTopic("held", Optional.of(4), Optional.of((short) 2));
                Clients.get(clients.admin().createTopics(List.of(wanted)).all());
                clients.send("held", "one", "two", "three");
                assertThat(clients.readAll("held")).hasSize(3);
                Map<String, TopicDescription> held =
                        Clients.get(
                                clients.admin().describeTopics(List.of("held")).allTopicNames());
                assertThat(held.values())
                        .allSatisfy(topic ->
                                assertThat(topic.partitions())
                                        .allSatisfy(p ->
                                                assertThat(ids(p.replicas()))
                                                        .isEqualTo(Set.of(2, 3))));
            }
            assertThat(ClusterProcesses.voters(cluster.bootstrap())).containsOnlyKeys(1);
            assertThat(
                            BrokerCommand.run(
                                            "cluster",
                                            "status",
                                            "--bootstrap",
                                            cluster.node(2).bootstrap())
                                    .out())
                    .containsPattern("1 .* yes +controller alone")
                    .containsPattern("2 .* no +running");

            cluster.node(1).kill();
            cluster.node(1).start();
            try (Clients clients = new Clients(cluster.node(2).bootstrap())) {
                NewTopic wanted = new NewTopic("after", Optional.of(1), Optional.of((short) 2));
                Clients.get(clients.admin().createTopics(List.of(wanted)).all());
            }
        }
    }

    private static Set<Integer> ids(Collection<Node> nodes) {
        return nodes.stream().map(Node::id).collect(Collectors.toSet());
    }
}
