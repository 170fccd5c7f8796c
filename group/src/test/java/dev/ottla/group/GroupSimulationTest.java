package dev.ottla.group;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ottla.group.offset.OffsetCommit;
import dev.ottla.group.record.CoordinatorRecord;
import dev.ottla.group.shell.Effects;
import dev.ottla.group.shell.MemberIdentity;
import dev.ottla.group.shell.Refusal;
import dev.ottla.group.shell.Reply;
import dev.ottla.group.shell.TimerKey;
import dev.ottla.wire.Uuid;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// Random clients of both protocols against one coordinator: they join, leave, fall silent, lose
/// answers and change their minds, topics come and go, and the coordinator is loaded anew at any
/// time. After each step nobody shares a partition, and what the log says is what the coordinator
/// knows. In the end, when everyone behaves, every group becomes stable with every partition in one
/// hand.
class GroupSimulationTest {
    private static final int STEPS = 250;
    private static final String GROUP = "g";

    private final List<String> trace = new ArrayList<>();
    private TestShell shell = new TestShell();
    private Random random = new Random(0);
    private final List<SimulatedClient> clients = new ArrayList<>();

    @Test
    void consumersAlone() {
        run(0, 5);
    }

    @Test
    void eagerAlone() {
        run(5, 0);
    }

    @Test
    void bothTogether() {
        run(3, 3);
    }

    private void run(int classicCount, int consumerCount) {
        boolean endless = Boolean.getBoolean("ottla.long");
        String given = System.getProperty("ottla.seed", "");
        long seed = given.isEmpty() ? System.nanoTime() : Long.parseLong(given);
        int rounds = endless ? Integer.MAX_VALUE : given.isEmpty() ? 20 : 1;
        for (int round = 0; round < rounds; round++, seed++) {
            try {
                simulate(seed, classicCount, consumerCount);
            } catch (RuntimeException | AssertionError e) {
                String last =
                        String.join(
                                "\n", trace.subList(Math.max(0, trace.size() - 40), trace.size()));
                throw new AssertionError("seed " + seed + "\n" + last, e);
            }
        }
    }

    private void simulate(long seed, int classicCount, int consumerCount) {
        trace.clear();
        clients.clear();
        shell = new TestShell();
        random = new Random(seed);
        shell.setTopics(TestTopics.EMPTY.with("a", 1 + random.nextInt(6)).with("b", 3));
        boolean cooperative = random.nextBoolean();
        for (int i = 0; i < classicCount; i++) {
            // A cooperative member that is to give up a partition and restarts in its place never
            // rejoins, and
            // the partition waits for the next rebalance: that is the clients' own affair.
            Optional<String> instance =
                    !cooperative && random.nextInt(4) == 0
                            ? Optional.of("old" + i)
                            : Optional.empty();
            clients.add(
                    new SimulatedClassic(
                            shell, random, GROUP, "old" + i, cooperative, instance, someTopics()));
        }
        for (int i = 0; i < consumerCount; i++) {
            clients.add(
                    new SimulatedConsumer(
                            shell, random, GROUP, "new" + i, random.nextInt(4) == 0, someTopics()));
        }
        for (int step = 0; step < STEPS; step++) {
            disturb();
            check();
            if (step % 25 == 0) compareWithReplay();
        }
        settle();
        compareWithReplay();
    }

    private Set<String> someTopics() {
        return random.nextInt(3) == 0 ? Set.of("a") : Set.of("a", "b");
    }

    private void disturb() {
        SimulatedClient client = clients.get(random.nextInt(clients.size()));
        int dice = random.nextInt(100);
        if (dice < 75) {
            note(client.name() + " steps");
            client.step();
        } else if (dice < 79) {
            note(client.name() + " leaves");
            client.leave();
        } else if (dice < 82) {
            note(client.name() + " is killed");
            client.kill();
        } else if (dice < 84 && client instanceof SimulatedConsumer consumer) {
            note(client.name() + " subscribes to something else");
            consumer.subscribe(someTopics());
        } else if (dice < 86) {
            note("the coordinator is loaded again");
            shell.reload();
        } else if (dice < 88) {
            changeTopics();
        } else if (dice < 90) {
            commit(random.nextInt(3));
        } else {
            advance(random.nextInt(10) == 0 ? 30_000 : random.nextInt(3_000));
        }
        shell.resolveRegexes();
    }

    private void note(String what) {
        trace.add(shell.nowMs + ": " + what + ", then " + Inspector.state(shell, GROUP));
    }

    private void advance(long ms) {
        note("time goes by, " + ms + " ms");
        shell.advance(ms);
    }

    private void changeTopics() {
        int count = shell.topics.byName("b").map(topic -> topic.partitionCount()).orElse(0);
        note("topic b changes");
        // Classic members know topics by name: to them one that is made again is still the same.
        boolean byName = clients.stream().anyMatch(SimulatedClassic.class::isInstance);
        boolean delete = !byName && count > 0 && random.nextInt(4) == 0;
        if (delete) shell.setTopics(shell.topics.without("b"));
        else if (count < 8) shell.setTopics(shell.topics.with("b", count + 1));
    }

    private void commit(int partition) {
        Answer<OffsetCommit.Response> answer = new Answer<>();
        shell.coordinator.offsetCommit(
                new OffsetCommit.Request(
                        "offsets",
                        MemberIdentity.dynamic(""),
                        -1,
                        9,
                        OptionalLong.empty(),
                        List.of(
                                new OffsetCommit.Topic(
                                        "a",
                                        Uuid.ZERO,
                                        List.of(
                                                new OffsetCommit.Partition(
                                                        partition, shell.nowMs, -1, ""))))),
                answer,
                shell.nowMs);
        answer.get();
    }

    /// No two members read the same partition.
    private void check() {
        shell.coordinator.checkInvariants();
        Map<String, String> readers = new HashMap<>();
        for (SimulatedClient client : clients) {
            if (!client.isMember()) continue;
            client.reads((topicId, partition) -> {
                String other = readers.put(topicId + "-" + partition, client.name());
                assertThat(other).as("%s and %s read %s", other, client.name(), partition).isNull();
            });
        }
    }

    /// A coordinator made from the log alone knows what the live one knows.
    private void compareWithReplay() {
        GroupCoordinator copy = shell.loadedCopy(new NoEffects());
        copy.onLoaded(shell.topics, shell.nowMs);
        for (String groupId : List.of(GROUP, "offsets")) {
            assertThat(Inspector.offsets(copy, groupId, shell.nowMs))
                    .isEqualTo(Inspector.offsets(shell.coordinator, groupId, shell.nowMs));
        }
        var live = Inspector.consumer(shell.coordinator, GROUP, shell.nowMs);
        var replayed = Inspector.consumer(copy, GROUP, shell.nowMs);
        assertThat(replayed).isEqualTo(live);
        // A classic group is stored when it is stable or empty; what happens in between is not.
        var classic = Inspector.classic(shell.coordinator, GROUP, shell.nowMs);
        if (classic.filter(group -> group.state().equals("Stable")).isPresent()) {
            assertThat(Inspector.classic(copy, GROUP, shell.nowMs)).isEqualTo(classic);
        }
    }

    /// Everyone behaves from now on.
    private void settle() {
        note("everyone behaves");
        for (int i = 0; i < 120; i++) {
            for (SimulatedClient client : clients) {
                client.behave();
                client.step();
                shell.advance(200);
            }
            shell.resolveRegexes();
            shell.advance(1_000);
        }
        assertThat(clients).allMatch(SimulatedClient::isSettled);
        assertThat(Inspector.state(shell, GROUP)).isEqualTo("Stable");
        Set<String> read = new HashSet<>();
        for (SimulatedClient client : clients) {
            client.reads((topicId, partition) ->
                    assertThat(read.add(topicId + "-" + partition)).isTrue());
        }
        Set<String> wanted = new HashSet<>();
        clients.forEach(client -> wanted.addAll(client.topics()));
        Set<String> expected = new HashSet<>();
        for (String name : wanted) {
            shell.topics
                    .byName(name)
                    .ifPresent(topic -> {
                        for (int i = 0; i < topic.partitionCount(); i++) {
                            expected.add(topic.id() + "-" + i);
                        }
                    });
        }
        assertThat(read).isEqualTo(expected);
    }

    private static final class NoEffects implements Effects {
        @Override
        public void append(List<CoordinatorRecord> records) {
            throw new AssertionError("loading alone changes nothing");
        }

        @Override
        public <T> void complete(Reply<T> reply, T response) {
            reply.complete(response);
        }

        @Override
        public void refuse(Reply<?> reply, Refusal refusal) {
            reply.refuse(refusal);
        }

        @Override
        public void schedule(TimerKey key, long deadlineMs) {}

        @Override
        public void cancel(TimerKey key) {}

        @Override
        public void resolveRegexes(String groupId, Set<String> regexes) {}
    }
}
