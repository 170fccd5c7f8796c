package dev.ottla.quorum.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ottla.metadata.QuorumVoter;
import dev.ottla.wire.Uuid;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// One of three voters has a small file system in memory, which runs full to the last byte. Left
/// out where none can be mounted.
final class FullVoterTest {
    private static final String SIZE = "size=24m";
    private static final int LOOKS_PER_SWEEP = 40;

    @TempDir Path root;

    private final List<TestNode> nodes = new ArrayList<>();
    private Path small;
    private QuorumVoter full;

    @BeforeEach
    void startThreeVoters() throws Exception {
        assumeTrue("root".equals(System.getProperty("user.name")), "only root may mount a disk");
        small = Files.createDirectory(root.resolve("node-3"));
        assumeTrue(
                run("mount", "-t", "tmpfs", "-o", SIZE, "tmpfs", small.toString()) == 0,
                "a small disk cannot be mounted here");
        TestNode first = start(voter(1), false);
        first.register();
        TestNode second = start(voter(2), true);
        full = voter(3);
        TestNode third = start(full, true);
        done(first.becomeVoter());
        TestNode.await("it leads", first.service::isLeader);
        done(second.becomeVoter());
        done(third.becomeVoter());
        done(first.engine.addVoters(List.of(second.self, third.self)));
        create("before");
        await("all have it", () -> nodes.stream().allMatch(node -> has(node, "before")));
    }

    @AfterEach
    void close() throws Exception {
        nodes.parallelStream().forEach(TestNode::close);
        if (small != null) run("umount", "--lazy", small.toString());
    }

    private static int run(String... command) throws IOException, InterruptedException {
        return new ProcessBuilder(command).inheritIO().start().waitFor();
    }

    private static QuorumVoter voter(int id) throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return new QuorumVoter(id, new Uuid(id, 100), "127.0.0.1", socket.getLocalPort());
        }
    }

    private TestNode start(QuorumVoter self, boolean joins) throws IOException {
        TestNode node =
                TestNode.start(
                        root.resolve("node-" + self.nodeId()),
                        self,
                        nodes,
                        joins,
                        Optional.empty());
        nodes.add(node);
        return node;
    }

    private static <T> T done(CompletableFuture<T> future) {
        return future.orTimeout(30, TimeUnit.SECONDS).join();
    }

    private static boolean has(TestNode node, String topic) {
        return node.image().topic(topic).isPresent();
    }

    /// All do meanwhile what they do from time to time.
    private void await(String what, BooleanSupplier condition) {
        AtomicInteger looks = new AtomicInteger();
        TestNode.await(
                what,
                () -> {
                    if (looks.getAndIncrement() % LOOKS_PER_SWEEP == 0) {
                        nodes.forEach(node -> node.run(node.engine::sweep));
                    }
                    return condition.getAsBoolean();
                });
    }

    private Optional<TestNode> leader() {
        return nodes.stream().filter(node -> node.service.isLeader()).findAny();
    }

    private int epoch() {
        return leader().orElseThrow().image().version().epoch();
    }

    private void create(String topic) {
        await("one leads", () -> leader().isPresent());
        leader().orElseThrow().create(topic);
    }

    private TestNode node(int id) {
        return nodes.stream().filter(node -> node.self.nodeId() == id).findAny().orElseThrow();
    }

    private void restart(int id) throws IOException {
        QuorumVoter self = node(id).self;
        stop(id);
        start(self, id > 1);
    }

    private void stop(int id) {
        TestNode stopped = node(id);
        nodes.remove(stopped);
        stopped.close();
    }

    /// To be called again when what was in reserve was given up.
    private void fill() {
        byte[] chunk = new byte[1 << 12];
        try (OutputStream filler =
                Files.newOutputStream(
                        small.resolve("filler"),
                        StandardOpenOption.CREATE,
                        StandardOpenOption.APPEND)) {
            while (Files.getFileStore(small).getUsableSpace() > 0) filler.write(chunk);
        } catch (IOException e) {
            // The voter took the last page first.
            assertThat(e).hasMessageContaining("No space left");
        }
    }

    private void makeRoom() throws IOException {
        Files.delete(small.resolve("filler"));
    }

    private static boolean isBlind(TestNode node) {
        AtomicBoolean blind = new AtomicBoolean();
        node.run(() -> node.service.watchSight(blind::set));
        return blind.get();
    }

    /// So that another one must lead, which the two others can only decide without the full one.
    private void letAnotherOneLead() throws IOException {
        restart(leader().orElseThrow().self.nodeId());
        await("one leads", () -> leader().isPresent());
    }

    @Test
    void aVoterWithoutRoomIsNotElectedAndVotesAgainWhenThereIsSome() throws IOException {
        fill();

        letAnotherOneLead();
        assertThat(leader().orElseThrow().self.nodeId()).isNotEqualTo(3);
        create("while-full");
        AtomicInteger created = new AtomicInteger();
        await(
                "it knows that it does not know",
                () -> {
                    fill();
                    leader().ifPresent(one -> one.submit("topic-" + created.incrementAndGet()));
                    return isBlind(node(3));
                });
        letAnotherOneLead();
        assertThat(leader().orElseThrow().self.nodeId()).isNotEqualTo(3);
        create("still-full");
        makeRoom();

        await("it has it", () -> has(node(3), "still-full"));
        await("it votes", () -> !node(3).ask(node(3).engine::isResting));
        await("it sees", () -> !isBlind(node(3)));
        stop(leader().orElseThrow().self.nodeId());
        create("with-its-vote");
        await("it has it", () -> has(node(3), "with-its-vote"));
        assertThat(epoch()).as("only elections end terms").isLessThan(100);
    }

    @Test
    void aLeaderThatRunsFullLetsAnotherOneLead() throws IOException {
        await("the third one leads", this::letTheThirdOneLead);
        fill();
        AtomicInteger created = new AtomicInteger();

        await(
                "another one leads",
                () -> {
                    boolean thirdLeads = node(3).service.isLeader();
                    if (thirdLeads) node(3).submit("topic-" + created.incrementAndGet());
                    return !thirdLeads && leader().isPresent();
                });
        create("by-another-one");
        makeRoom();

        await("it has it", () -> has(node(3), "by-another-one"));
        await("it votes", () -> !node(3).ask(node(3).engine::isResting));
    }

    private boolean letTheThirdOneLead() {
        Optional<TestNode> leader = leader();
        if (leader.isEmpty()) return false;
        TestNode now = leader.get();
        if (now.self.nodeId() == full.nodeId()) return true;
        int id = now.self.nodeId();
        // Who is to be taken out hands over first; nobody takes it out then.
        CompletableFuture<Void> handedOver =
                now.ask(() -> now.engine.removeVoter(id, now.self.directoryId()));
        return handedOver.handle((_, _) -> false).orTimeout(30, TimeUnit.SECONDS).join();
    }
}
