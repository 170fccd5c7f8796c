package dev.ottla.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/// A network of its own for each node, joined by a bridge that the test is on too, so that what one
/// node sends to another one can get lost without anybody being told. Needs root on Linux. Owned by
/// one test.
public final class NetworkSpaces implements AutoCloseable {
    private static final String NOWHERE = "02:00:00:00:ff:ff";

    private final String id = "%04x".formatted(ThreadLocalRandom.current().nextInt(0x10000));
    private final int subnet = ThreadLocalRandom.current().nextInt(256);
    private final String bridge = "ob" + id;
    private final int nodes;
    private final Set<Integer> cutFromHere = new HashSet<>();
    private final Set<Way> cut = new HashSet<>();
    private final Set<Integer> slow = new HashSet<>();
    private final Set<Integer> unreliable = new HashSet<>();

    private record Way(int from, int to) {}

    private NetworkSpaces(int nodes) {
        this.nodes = nodes;
    }

    /// Whether this process may make networks.
    public static boolean isPossible() {
        String probe = "ottla-probe-" + ProcessHandle.current().pid();
        try {
            boolean possible = run(List.of("ip", "netns", "add", probe)).exitCode() == 0;
            return possible && run(List.of("ip", "netns", "del", probe)).exitCode() == 0;
        } catch (UncheckedIOException e) {
            return false; // There is no such program.
        }
    }

    public static NetworkSpaces create(int nodes) {
        NetworkSpaces spaces = new NetworkSpaces(nodes);
        try {
            spaces.make();
            return spaces;
        } catch (Throwable e) {
            spaces.close();
            throw e;
        }
    }

    private void make() {
        ip("link add %s type bridge".formatted(bridge));
        ip("addr add %s/24 dev %s".formatted(address(nodes + 1), bridge));
        ip("link set %s up".formatted(bridge));
        for (int node = 1; node <= nodes; node++) {
            String inside = space(node);
            ip("netns add %s".formatted(inside));
            ip("link add %s type veth peer name eth0 netns %s".formatted(link(node), inside));
            ip("link set %s master %s up".formatted(link(node), bridge));
            ip("-n %s link set lo up".formatted(inside));
            ip("-n %s link set eth0 address %s up".formatted(inside, hardware(node)));
            ip("-n %s addr add %s/24 dev eth0".formatted(inside, address(node)));
            for (int to = 1; to <= nodes; to++) {
                if (to != node) {
                    neighbour(node, to, hardware(to));
                }
            }
        }
    }

    /// Where the node runs.
    public BrokerProcess.Place place(int node) {
        return new BrokerProcess.Place(address(node), List.of("ip", "netns", "exec", space(node)));
    }

    /// What `from` sends to `to` gets lost from now on.
    public void cut(int from, int to) {
        neighbour(from, to, NOWHERE);
        cut.add(new Way(from, to));
    }

    /// Nothing passes between the two.
    public void cutBothWays(int one, int other) {
        cut(one, other);
        cut(other, one);
    }

    /// Everything passes between the two again.
    public void join(int one, int other) {
        for (Way way : List.of(new Way(one, other), new Way(other, one))) {
            neighbour(way.from(), way.to(), hardware(way.to()));
            cut.remove(way);
        }
    }

    /// Nothing passes between the node and this process, and whoever else is no node.
    public void cutFromHere(int node) {
        ip(
                "-n %s neigh replace %s lladdr %s dev eth0 nud permanent"
                        .formatted(space(node), address(nodes + 1), NOWHERE));
        ip(
                "neigh replace %s lladdr %s dev %s nud permanent"
                        .formatted(address(node), NOWHERE, bridge));
        cutFromHere.add(node);
    }

    /// All that the node sends and is sent goes through a link of so many kilobits a second from
    /// now on; what would wait for longer than the queue is gets lost.
    public void slow(int node, int kilobits, int queueMs) {
        String limit = "root tbf rate %dkbit burst 16kb latency %dms".formatted(kilobits, queueMs);
        run("tc", "-n %s qdisc replace dev eth0 %s".formatted(space(node), limit));
        run("tc", "qdisc replace dev %s %s".formatted(link(node), limit));
        slow.add(node);
    }

    /// Of all that the node is sent, and of what it sends to other ones, so much gets lost from now
    /// on, packet by packet as chance has it. Who receives them loses them: a sender would be told.
    public void lose(int node, int percent) {
        lose(node, "", percent);
        for (int to = 1; to <= nodes; to++) {
            if (to != node) {
                lose(to, "-s %s ".formatted(address(node)), percent);
            }
        }
    }

    private void lose(int at, String which, int percent) {
        filter(at, "-A INPUT -i eth0 %s%s -j DROP".formatted(which, some(percent)));
        unreliable.add(at);
    }

    /// So many of the packets that the node sends take a way of so many kilobits a second from now
    /// on, where they wait for each other, and the rest overtake them.
    public void reorder(int node, int percent, int kilobits) {
        String inside = "-n %s ".formatted(space(node));
        run("tc", inside + "qdisc replace dev eth0 root handle 1: htb default 1");
        run(
                "tc",
                inside
                        + "class add dev eth0 parent 1: classid 1:1 htb rate 10gbit burst 1mb quantum 60000");
        run(
                "tc",
                inside
                        + "class add dev eth0 parent 1: classid 1:2 htb rate %dkbit burst 4kb quantum 60000"
                                .formatted(kilobits));
        run("tc", "qdisc replace dev %s root htb".formatted(link(node)));
        slow.add(node);
        filter(
                node,
                "-t mangle -A POSTROUTING -o eth0 %s -j CLASSIFY --set-class 1:2"
                        .formatted(some(percent)));
        unreliable.add(node);
    }

    private static String some(int percent) {
        return "-m statistic --mode random --probability %.2f".formatted(percent / 100.0);
    }

    private void filter(int node, String rule) {
        ip("netns exec %s iptables -w %s".formatted(space(node), rule));
    }

    /// Everything passes again.
    public void heal() {
        for (int node : unreliable) {
            filter(node, "-F");
            filter(node, "-t mangle -F");
        }
        unreliable.clear();
        for (int node : slow) {
            run("tc", "-n %s qdisc del dev eth0 root".formatted(space(node)));
            run("tc", "qdisc del dev %s root".formatted(link(node)));
        }
        slow.clear();
        for (int node : cutFromHere) {
            ip("-n %s neigh del %s dev eth0".formatted(space(node), address(nodes + 1)));
            ip("neigh del %s dev %s".formatted(address(node), bridge));
        }
        cutFromHere.clear();
        cut.forEach(way -> neighbour(way.from(), way.to(), hardware(way.to())));
        cut.clear();
    }

    private void neighbour(int from, int to, String hardware) {
        ip(
                "-n %s neigh replace %s lladdr %s dev eth0 nud permanent"
                        .formatted(space(from), address(to), hardware));
    }

    @Override
    public void close() {
        for (int node = 1; node <= nodes; node++) {
            exitCode(List.of("ip", "netns", "del", space(node)));
        }
        exitCode(List.of("ip", "link", "del", bridge));
    }

    private String space(int node) {
        return "ottla-%s-%d".formatted(id, node);
    }

    private String link(int node) {
        return "ov%s%d".formatted(id, node);
    }

    private String address(int node) {
        return "10.231.%d.%d".formatted(subnet, node);
    }

    private static String hardware(int node) {
        return "02:00:00:00:00:%02x".formatted(node);
    }

    private static void ip(String words) {
        run("ip", words);
    }

    private static void run(String program, String words) {
        List<String> command = new ArrayList<>(List.of(program));
        command.addAll(List.of(words.split(" ", -1)));
        if (exitCode(command) != 0) {
            throw new IllegalStateException(String.join(" ", command) + " failed");
        }
    }

    /// Prints what the command has to say.
    private static int exitCode(List<String> command) {
        Result result = run(command);
        if (!result.output().isBlank()) {
            System.out.println(String.join(" ", command) + ": " + result.output().strip());
        }
        return result.exitCode();
    }

    private record Result(int exitCode, String output) {}

    private static Result run(List<String> command) {
        try {
            Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
            String output =
                    new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (!process.waitFor(10, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new IllegalStateException(String.join(" ", command) + " does not end");
            }
            return new Result(process.exitValue(), output);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
