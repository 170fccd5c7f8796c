package dev.ottla.broker.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ottla.wire.message.MetadataResponse;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// A node that joins a cluster, in this process.
class JoinTest {
    private static final String JOIN = "controller.quorum.bootstrap.servers";

    private static Map<String, String> joining(TestBroker first, String nodeId) {
        return Map.of("node.id", nodeId, JOIN, first.bootstrap());
    }

    private static boolean knows(TestBroker broker, String topic) throws IOException {
        try (BrokerClient client = new BrokerClient(broker)) {
            MetadataResponse answer = client.metadata(topic);
            return answer.topics().getFirst().errorCode() == 0;
        }
    }

    @Test
    @Tag("config:controller.quorum.bootstrap.servers")
    void aJoinedNodeKnowsWhatTheControllerKnows() throws Exception {
        try (TestBroker first = new TestBroker();
                BrokerClient client = new BrokerClient(first)) {
            client.create("before", 3);
            try (TestBroker second = new TestBroker(joining(first, "2"))) {
                assertThat(second.server().clusterId()).isEqualTo(first.server().clusterId());
                assertThat(knows(second, "before")).isTrue();

                client.create("after", 1);

                Await.until("the second node hears of it", () -> knows(second, "after"));
                assertThat(client.metadata().brokers())
                        .extracting(MetadataResponse.MetadataResponseBroker::nodeId)
                        .contains(1, 2);
            }
        }
    }

    @Test
    void aLaterStartNeedNotBeTold() throws IOException {
        try (TestBroker first = new TestBroker();
                BrokerClient client = new BrokerClient(first);
                TestBroker second = new TestBroker(joining(first, "2"))) {
            client.create("t", 1);

            second.restart(Map.of(JOIN, "", "node.id", "2"));

            assertThat(second.server().clusterId()).isEqualTo(first.server().clusterId());
            assertThat(knows(second, "t")).isTrue();
        }
    }

    @Test
    void aNodeThatBeganAClusterJoinsNoOther() {
        try (TestBroker first = new TestBroker();
                TestBroker other = new TestBroker(Map.of("node.id", "2"))) {
            assertThatThrownBy(() -> other.restart(Map.of(JOIN, first.bootstrap())))
                    .isInstanceOf(StartRefusedException.class)
                    .hasMessageContaining("so it cannot join another");
        }
    }

    @Test
    void aNodeOfOneClusterDoesNotGoToAnother() {
        try (TestBroker first = new TestBroker();
                TestBroker other = new TestBroker();
                TestBroker second = new TestBroker(joining(first, "2"))) {
            assertThatThrownBy(() -> second.restart(Map.of(JOIN, other.bootstrap())))
                    .isInstanceOf(StartRefusedException.class)
                    .hasMessageContaining("belongs to another cluster");
        }
    }

    @Test
    void aJoiningNodeNeedsAnId() {
        try (TestBroker first = new TestBroker()) {
            assertThatThrownBy(() -> new TestBroker(Map.of(JOIN, first.bootstrap())))
                    .isInstanceOf(StartRefusedException.class)
                    .hasMessageContaining("--node-id 2");
        }
    }
}
