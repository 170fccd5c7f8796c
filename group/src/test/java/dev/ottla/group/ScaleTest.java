package dev.ottla.group;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.ottla.group.classic.JoinGroup;
import dev.ottla.group.record.Bytes;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// A group of a thousand members and ten thousand groups. The bounds on time are generous, for slow
/// and crowded machines: work that grows with the square of the members would take minutes.
class ScaleTest {
    private final TestShell shell = new TestShell();

    @Test
    void consumerGroupOfAThousandSettlesAndHeartbeatsCheaply() {
        shell.setTopics(TestTopics.EMPTY.with("t", 2_000));
        List<ConsumerClient> clients =
                IntStream.range(0, 1_000)
                        .mapToObj(i -> new ConsumerClient(shell, "g", "m" + i))
                        .toList();
        long startNs = cpuNs();

        clients.forEach(ConsumerClient::join);
        for (int round = 0; round < 4; round++) {
            shell.advance(5_000);
            clients.forEach(ConsumerClient::heartbeat);
        }

        assertThat(Inspector.state(shell, "g")).isEqualTo("Stable");
        assertThat(clients).allMatch(client -> client.owned.size() == 2);
        assertThat(cpuNs() - startNs).isLessThan(5_000_000_000L);
        shell.coordinator.checkInvariants();
        int before = shell.log.size();
        assertThat(bytesPerHeartbeat(clients)).isLessThan(2_000);
        assertThat(shell.log).hasSize(before);
    }

    private static long cpuNs() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    private static long bytesPerHeartbeat(List<ConsumerClient> clients) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        clients.forEach(ConsumerClient::heartbeat);
        long startBytes = threads.getCurrentThreadAllocatedBytes();
        clients.forEach(ConsumerClient::heartbeat);
        return (threads.getCurrentThreadAllocatedBytes() - startBytes) / clients.size();
    }

    @Test
    void classicGroupOfAThousandSettlesTwice() {
        List<ClassicClient> clients =
                IntStream.range(0, 1_000).mapToObj(i -> new ClassicClient(shell, "g")).toList();
        long startNs = cpuNs();

        ClassicClient.stabilise(clients);
        List<Answer<JoinGroup.Response>> joins = new ArrayList<>();
        clients.forEach(client -> joins.add(client.join()));
        Map<String, Bytes> parts = new HashMap<>();
        for (int i = 0; i < clients.size(); i++) clients.get(i).took(joins.get(i));
        clients.forEach(client -> parts.put(client.memberId, ClassicClient.bytes("part")));
        clients.forEach(client -> client.sync(parts));

        assertThat(Inspector.state(shell, "g")).isEqualTo("Stable");
        assertThat(cpuNs() - startNs).isLessThan(5_000_000_000L);
        assertThat(clients).allMatch(client -> !client.heartbeat().isRefused());
    }

    @Test
    void tenThousandGroupsAreLoadedAndListed() {
        shell.setTopics(TestTopics.EMPTY.with("t", 2));
        List<ConsumerClient> clients =
                IntStream.range(0, 10_000)
                        .mapToObj(i -> new ConsumerClient(shell, "g" + i, "m"))
                        .toList();
        clients.forEach(ConsumerClient::join);
        long startNs = cpuNs();

        shell.reload();

        assertThat(shell.coordinator.groupCount()).isEqualTo(10_000);
        assertThat(Inspector.list(shell.coordinator, shell.nowMs)).hasSize(10_000);
        shell.setTopics(shell.topics.with("t", 3));
        shell.advance(1_000);
        clients.forEach(ConsumerClient::heartbeat);
        assertThat(clients.stream().filter(client -> client.owned.size() == 3).count())
                .isEqualTo(10_000);
        assertThat(cpuNs() - startNs).isLessThan(5_000_000_000L);
    }
}
