package dev.ottla.quorum.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ottla.metadata.NotControllerException;
import dev.ottla.metadata.QuorumState;
import dev.ottla.metadata.QuorumVoter;
import dev.ottla.wire.Uuid;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Nodes that change their engine while they run.
final class QuorumEngineTest {
    @TempDir Path root;

    private final List<TestNode> nodes = new ArrayList<>();

    private TestNode start(QuorumVoter self, boolean joins, Optional<TestNode.Cut> cut)
            throws IOException {
        TestNode node =
                TestNode.start(root.resolve("node-" + self.nodeId()), self, nodes, joins, cut);
        nodes.add(node);
        return node;
    }

    private static QuorumVoter voter(int id) throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return new QuorumVoter(id, new Uuid(id, 100), "127.0.0.1", socket.getLocalPort());
        }
    }

    @AfterEach
    void close() {
        nodes.parallelStream().forEach(TestNode::close);
    }

    private static <T> T done(CompletableFuture<T> future) {
        return future.orTimeout(30, TimeUnit.SECONDS).join();
    }

    @Test
    void oneNodeBecomesAQuorumOfThreeWhileItServes() throws IOException {
        TestNode first = start(voter(1), false, Optional.empty());
        first.register();
        first.create("alone");
        TestNode second = start(voter(2), true, Optional.empty());
        TestNode third = start(voter(3), true, Optional.empty());
        TestNode.await("an observer has it", () -> third.image().topic("alone").isPresent());
        int localEpoch = first.image().version().epoch();

        done(first.becomeVoter());
        TestNode.await("it leads", first.service::isLeader);
        first.create("of-one");
        TestNode.await("observed", () -> third.image().topic("of-one").isPresent());
        done(second.becomeVoter());
        done(third.becomeVoter());
        done(first.engine.addVoters(List.of(second.self, third.self)));
        TestNode leader = leader();
        leader.create("of-three");

        assertThat(leader.image().version().epoch()).isGreaterThan(localEpoch);
        assertThat(leader.ask(leader.engine::voters)).hasSize(3);
        nodes.remove(leader);
        leader.close();
        leader().create("without-first");
        for (TestNode node : nodes) {
            TestNode.await("all have it", () -> node.image().topic("without-first").isPresent());
            assertThat(node.image().topics()).hasSize(4);
        }
    }

    private TestNode leader() {
        AtomicReference<TestNode> leader = new AtomicReference<>();
        TestNode.await(
                "one leads",
                () -> {
                    nodes.stream().filter(n -> n.service.isLeader()).forEach(leader::set);
                    return leader.get() != null;
                });
        return leader.get();
    }

    @ParameterizedTest
    @EnumSource
    void aHandOverThatWasCutOffGoesOnAtTheNextStart(TestNode.Cut cut) throws IOException {
        QuorumVoter self = voter(1);
        TestNode node = start(self, false, Optional.of(cut));
        node.register();
        node.create("before");
        int epoch = node.image().version().epoch();
        CompletableFuture<Void> cutOff = node.becomeVoter();
        if (cut == TestNode.Cut.BEFORE_THE_MARKER) {
            TestNode.await("a snapshot is there", this::snapshotExists);
        } else {
            TestNode.await("it leads no longer", () -> !node.service.isLeader());
        }
        assertThat(cutOff).isNotDone();
        nodes.remove(node);
        node.kill();

        TestNode again = start(self, false, Optional.empty());
        TestNode.await("the quorum leads", () -> again.isVoter() && again.service.isLeader());
        again.create("after");

        assertThat(again.image().topics()).hasSize(2);
        assertThat(again.image().version().epoch()).isGreaterThan(epoch);
        again.close();
        nodes.remove(again);
        TestNode last = start(self, false, Optional.empty());
        TestNode.await("it comes back as a voter", () -> last.service.isLeader());
        assertThat(last.isVoter()).isTrue();
        assertThat(last.image().topics()).hasSize(2);
    }

    private boolean snapshotExists() {
        Path quorum = root.resolve("node-1/quorum");
        if (!Files.exists(quorum)) return false;
        try (var groups = Files.list(quorum)) {
            return groups.anyMatch(group -> Files.exists(group.resolve("sm/snapshot.1_0")));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void remove(TestNode removed, TestNode leader) {
        done(leader.engine.removeVoter(removed.self.nodeId(), removed.self.directoryId()));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aVoterThatIsTakenOutCopiesAgain(boolean leads) throws IOException {
        TestNode first = start(voter(1), false, Optional.empty());
        first.register();
        TestNode second = start(voter(2), true, Optional.empty());
        TestNode third = start(voter(3), true, Optional.empty());
        done(first.becomeVoter());
        done(second.becomeVoter());
        done(third.becomeVoter());
        done(first.engine.addVoters(List.of(second.self, third.self)));
        TestNode leader = leader();
        TestNode removed = leads ? leader : leader == third ? second : third;

        if (leads) {
            assertThatThrownBy(() -> remove(removed, leader))
                    .hasCauseInstanceOf(NotControllerException.class);
            TestNode.await("another one leads", () -> leader() != removed);
        }
        remove(removed, leader());
        TestNode.await("it copies", () -> !removed.isVoter());
        leader().create("later");

        TestNode.await("it has it", () -> removed.image().topic("later").isPresent());
        QuorumState quorum = done(leader().service.quorumState());
        assertThat(quorum.voters()).hasSize(2);
        done(removed.becomeVoter());
        done(leader().engine.addVoters(List.of(removed.self)));
        leader().create("last");
        TestNode.await("it votes again", () -> removed.image().topic("last").isPresent());
        assertThat(removed.isVoter()).isTrue();
    }
}
