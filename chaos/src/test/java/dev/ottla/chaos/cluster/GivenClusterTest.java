package dev.ottla.chaos.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ottla.chaos.cluster.Cluster.Means;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// With hooks that are shell scripts, which write down how they are called.
final class GivenClusterTest {
    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final int BROKERS = 3;

    @TempDir private Path directory;

    private final List<String> told = new ArrayList<>();

    @Test
    void withoutAHookNodesAreOutOfReach() {
        try (GivenCluster cluster = cluster(BROKERS, null)) {
            assertThat(cluster.means()).containsExactly(Means.MOVE);
            assertThat(cluster.ids()).containsExactly(1, 2, 3);
            assertThat(cluster.own()).isEmpty();
            assertThatThrownBy(() -> cluster.kill(1)).isInstanceOf(IllegalStateException.class);
        }

        try (GivenCluster alone = cluster(1, null)) {
            assertThat(alone.means()).isEmpty();
        }
    }

    @Test
    void theHookIsCalledWithVerbsAndNodesAndAllIsUndoneOnceMoreAtTheEnd() throws IOException {
        try (GivenCluster cluster = cluster(BROKERS, hook("exit 0", LIMIT))) {
            cluster.kill(2);
            assertThat(cluster.isRunning(2)).isFalse();
            cluster.launch(2);
            assertThat(cluster.isRunning(2)).isTrue();
            cluster.freeze(3);
            cluster.thaw(3);
            cluster.thaw(3); // It goes on already.
            cluster.cut(1, 2);
            cluster.joinNetworks();
            assertThat(calls())
                    .containsExactly("kill 2", "start 2", "pause 3", "resume 3", "cut 1 2", "heal");
        }

        assertThat(calls()).hasSize(9).endsWith("heal", "resume 3", "start 2");
        assertThat(told).isEmpty();
    }

    @Test
    void whatIsNotSupportedIsLeftOutAndSaidSo() throws IOException {
        try (GivenCluster cluster = cluster(BROKERS, hook("[ $1 != pause ] || exit 3", LIMIT))) {
            assertThatThrownBy(() -> cluster.freeze(2))
                    .hasMessage(
                            "the hook does not support 'pause': faults that need it are left out from now on");
            assertThat(cluster.means())
                    .containsExactlyInAnyOrder(Means.MOVE, Means.KILL, Means.CUT);
            assertThat(cluster.mend()).isEmpty();
        }

        assertThat(told).hasSize(1).first().asString().contains("'pause'");
        assertThat(calls()).containsExactly("pause 2");
    }

    @Test
    void aFaultThatFailedIsReportedAndUndoneForItMayHaveBeenDone() throws IOException {
        String script = "if [ $1 = kill ]; then echo no such node >&2; exit 7; fi";
        try (GivenCluster cluster = cluster(BROKERS, hook(script, LIMIT))) {
            assertThatThrownBy(() -> cluster.kill(2))
                    .hasMessage("the hook's 'kill 2' ended with exit code 7: no such node");
            assertThat(cluster.means()).contains(Means.KILL);
            assertThat(cluster.isRunning(2)).isFalse();

            assertThat(cluster.mend()).isEmpty();
            assertThat(cluster.isRunning(2)).isTrue();
            assertThat(calls()).containsExactly("kill 2", "start 2");
        }
    }

    @Test
    void whatCannotBeUndoneIsToldAndTriedAgain() throws IOException {
        Path broken = directory.resolve("broken");
        Files.createFile(broken);
        String script = "if [ $1 = start ] && [ -f '" + broken + "' ]; then exit 1; fi";
        try (GivenCluster cluster = cluster(BROKERS, hook(script, LIMIT))) {
            cluster.kill(3);
            assertThatThrownBy(() -> cluster.launch(3))
                    .hasMessage("the hook's 'start 3' ended with exit code 1");
            assertThat(cluster.mend())
                    .containsExactly("the hook's 'start 3' ended with exit code 1");

            Files.delete(broken);
            assertThat(cluster.mend()).isEmpty();
        }
    }

    @Test
    void aHookThatTakesTooLongIsKilledWithWhatItStarted() throws IOException {
        Path late = directory.resolve("late");
        String script =
                "if [ $1 = cut ]; then sh -c 'echo $$ > \"%s\"; exec sleep 600'; fi"
                        .formatted(late);
        try (GivenCluster cluster = cluster(BROKERS, hook(script, Duration.ofSeconds(2)))) {
            assertThatThrownBy(() -> cluster.cut(1, 2))
                    .hasMessage("the hook took longer than 2000 ms for 'cut 1 2' and was killed");
            long child = Long.parseLong(Files.readString(late).strip());
            assertThat(ProcessHandle.of(child).map(ProcessHandle::onExit))
                    .satisfiesAnyOf(
                            gone -> assertThat(gone).isEmpty(),
                            gone ->
                                    assertThat(gone.orElseThrow())
                                            .succeedsWithin(Duration.ofSeconds(10)));
        }

        assertThat(calls()).containsExactly("cut 1 2", "heal");
    }

    @Test
    void nothingBeginsAfterTheEnd() throws IOException {
        GivenCluster cluster = cluster(BROKERS, hook("exit 0", LIMIT));
        cluster.kill(1);

        cluster.close();
        cluster.close();

        assertThat(calls()).containsExactly("kill 1", "start 1");
        assertThatThrownBy(() -> cluster.freeze(2)).hasMessage("the run is over");
    }

    @Test
    void whereNobodyAnswersTheSentenceSaysWhatToDo() {
        // Nobody listens on a reserved port.
        assertThatThrownBy(
                        () -> GivenCluster.connect("127.0.0.1:1", null, told::add, Duration.ZERO))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage(
                        "No broker answers at 127.0.0.1:1. Is the cluster up? --bootstrap takes the address of a listener without TLS and without authentication.");
    }

    private GivenCluster cluster(int brokers, @org.jspecify.annotations.Nullable Hook hook) {
        Map<Integer, InetSocketAddress> addresses = new java.util.HashMap<>();
        for (int id = 1; id <= brokers; id++) {
            addresses.put(id, InetSocketAddress.createUnresolved("nowhere.invalid", 9_000 + id));
        }
        return new GivenCluster("nowhere.invalid:9001", addresses, brokers, hook, told::add);
    }

    private Hook hook(String script, Duration limit) throws IOException {
        Path file = directory.resolve("hook");
        Files.writeString(
                file,
                "#!/bin/sh\necho \"$*\" >> '%s'\n%s\n"
                        .formatted(directory.resolve("calls"), script));
        assertThat(file.toFile().setExecutable(true)).isTrue();
        return new Hook(file, limit);
    }

    private List<String> calls() throws IOException {
        return Files.readAllLines(directory.resolve("calls"));
    }
}
