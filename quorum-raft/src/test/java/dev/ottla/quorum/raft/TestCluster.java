package dev.ottla.quorum.raft;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ottla.metadata.NotControllerException;
import dev.ottla.metadata.QuorumVoter;
import dev.ottla.metadata.controller.CreatedTopic;
import dev.ottla.wire.Uuid;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;

/// Voters in one process. The first founds the quorum, the others are added to it.
final class TestCluster implements AutoCloseable {
    private final Path root;
    private final RaftOptions options;
    private final Map<Integer, QuorumVoter> known = new TreeMap<>();
    final Map<Integer, TestVoter> running = new TreeMap<>();
    private int directories = 100;

    TestCluster(Path root, RaftOptions options) {
        this.root = root;
        this.options = options;
    }

    /// One voter.
    static TestCluster founded(Path root, RaftOptions options) {
        TestCluster cluster = new TestCluster(root, options);
        cluster.start(1);
        cluster.leader();
        return cluster;
    }

    static TestCluster ofThree(Path root, RaftOptions options) {
        TestCluster cluster = founded(root, options);
        try {
            cluster.add(2, 3);
        } catch (RuntimeException e) {
            cluster.close();
            throw e;
        }
        return cluster;
    }

    /// Starts voters and adds them to the quorum.
    void add(int... ids) {
        List<QuorumVoter> added = new ArrayList<>();
        for (int id : ids) added.add(start(id).voter);
        leader().log.addVoters(added).orTimeout(30, TimeUnit.SECONDS).join();
    }

    /// Takes a voter out of the quorum.
    void remove(QuorumVoter voter) {
        leader().log
                .removeVoter(voter.nodeId(), voter.directoryId())
                .orTimeout(30, TimeUnit.SECONDS)
                .join();
    }

    TestVoter start(int id) {
        QuorumVoter voter = known.computeIfAbsent(id, this::newVoter);
        TestVoter started = TestVoter.start(path(voter), voter, known.size() == 1, options);
        running.put(id, started);
        return started;
    }

    private Path path(QuorumVoter voter) {
        return root.resolve("node-" + voter.nodeId() + "-" + voter.directoryId());
    }

    private QuorumVoter newVoter(int id) {
        return new QuorumVoter(id, new Uuid(id, ++directories), "127.0.0.1", freePort());
    }

    private static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void stop(int id) {
        voter(id).close();
        running.remove(id);
    }

    TestVoter voter(int id) {
        return Objects.requireNonNull(running.get(id), "this voter does not run");
    }

    /// What Ratis leaves when the disk had no room for its term and vote. It must not run.
    void emptyVoteFile(int id) throws IOException {
        Path quorum = path(Objects.requireNonNull(known.get(id))).resolve("quorum");
        Path file =
                quorum.resolve(Peers.group(TestVoter.CLUSTER).getUuid().toString())
                        .resolve("current/raft-meta");
        assertThat(file).isNotEmptyFile();
        Files.write(file, new byte[0]);
    }

    /// The node loses its disk, and with it its identity.
    void wipe(int id) {
        stop(id);
        known.remove(id);
    }

    /// The same, and the node that comes back has the address of before.
    void wipeKeepingTheAddress(int id) {
        QuorumVoter lost = voter(id).voter;
        wipe(id);
        known.put(id, new QuorumVoter(id, new Uuid(id, ++directories), lost.host(), lost.port()));
    }

    /// The node comes back at another address, without what it had as a voter.
    void move(int id) throws IOException {
        QuorumVoter before = voter(id).voter;
        stop(id);
        known.put(id, new QuorumVoter(id, before.directoryId(), before.host(), freePort()));
        new QuorumFiles(path(before), id, before.directoryId()).clear();
    }

    Optional<TestVoter> findLeader() {
        return running.values().stream().filter(TestVoter::leads).findFirst();
    }

    TestVoter leader() {
        TestVoter.await("somebody leads", () -> findLeader().isPresent());
        return findLeader().orElseThrow();
    }

    TestVoter follower() {
        TestVoter leader = leader();
        return running.values().stream().filter(v -> v != leader).findFirst().orElseThrow();
    }

    /// Creates a topic, on whichever node leads.
    void create(String name) {
        while (true) {
            try {
                List<CreatedTopic> created =
                        leader().create(name).orTimeout(30, TimeUnit.SECONDS).join();
                assertThat(created.getFirst().error().isNone()).as(name).isTrue();
                return;
            } catch (CompletionException e) {
                if (!(e.getCause() instanceof NotControllerException)) throw e;
                if (running.values().stream().anyMatch(v -> v.image().topic(name).isPresent())) {
                    return;
                }
            }
        }
    }

    /// Waits until all have the same image.
    void agree() {
        TestVoter leader = leader();
        for (TestVoter voter : running.values()) {
            TestVoter.await(
                    "voter " + voter.voter.nodeId() + " has what the leader has",
                    () -> voter.image().version().equals(leader.image().version()));
            assertThat(voter.records()).isEqualTo(leader.records());
        }
    }

    @Override
    public void close() {
        running.values().parallelStream().forEach(TestVoter::close);
        running.clear();
    }
}
