package dev.ottla.cli;

import dev.ottla.wire.Uuid;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/// What a cluster's brokers said of it at one time. Immutable.
///
/// @param controller id of the active controller, -1 when there is none
/// @param voters who votes on the metadata; empty when nobody knows
/// @param answering voters that can be reached; only found out when there is no controller
/// @param nodes by id, ascending
/// @param partitions by topic and number, ascending
record ClusterView(
        String clusterId,
        int controller,
        List<Voter> voters,
        List<Integer> answering,
        List<Node> nodes,
        List<Partition> partitions) {
    private static final int USUAL_VOTERS = 3;

    ClusterView {
        voters = List.copyOf(voters);
        answering = List.copyOf(answering);
        nodes = nodes.stream().sorted(Comparator.comparingInt(Node::id)).toList();
        partitions =
                partitions.stream()
                        .sorted(
                                Comparator.comparing(Partition::topic)
                                        .thenComparingInt(Partition::number))
                        .toList();
    }

    /// A node that votes on the metadata, with the directory that holds its copy.
    record Voter(int nodeId, Uuid directoryId) {}

    /// A registered broker.
    record Node(int id, String host, int port, Optional<String> rack, State state) {
        /// Whether the cluster counts on it as a broker.
        boolean running() {
            return state == State.RUNNING
                    || state == State.FULL
                    || state == State.DRAINED
                    || state == State.SILENT;
        }

        String address() {
            return host + ":" + port;
        }
    }

    /// What a node is doing, as it and the cluster say.
    enum State {
        RUNNING("running"),

        /// The cluster counts on it, but it does not answer.
        SILENT("no answer"),

        /// One of its directories has hardly any room, with which its node does not vote either.
        FULL("disk full"),

        /// None of its directories takes new replicas.
        DRAINED("drained"),

        /// It votes, or copies the metadata, and is no broker.
        CONTROLLER("controller alone"),

        /// It answers, but the cluster has not let it in.
        KEPT_OUT("not let in"),

        /// What answers at its address has begun a cluster of its own, or is of another one.
        OTHER_CLUSTER("another cluster"),
        STOPPED("stopped");

        private final String words;

        State(String words) {
            this.words = words;
        }

        /// Whether the node itself answers.
        boolean answers() {
            return this != SILENT && this != STOPPED && this != OTHER_CLUSTER;
        }

        @Override
        public String toString() {
            return words;
        }
    }

    /// @param replicas that it has, or shall have when it is being reassigned; the preferred leader
    ///   first
    /// @param internal whether brokers keep their own state in it
    /// @param leader -1 for none
    /// @param moving whether it is being reassigned
    record Partition(
            String topic,
            int number,
            boolean internal,
            List<Integer> replicas,
            List<Integer> isr,
            int leader,
            boolean moving) {
        String name() {
            return topic + "-" + number;
        }

        boolean isOutOfSync() {
            return !isr.containsAll(replicas);
        }
    }

    Optional<Node> node(int id) {
        return nodes.stream().filter(node -> node.id() == id).findFirst();
    }

    /// Why nothing can be changed, and what helps; for a cluster without a controller.
    String noController() {
        if (voters.isEmpty()) {
            return "no active controller is known, and nobody who answers knows the voters: start the nodes that are down";
        }
        List<Integer> full = fullVoters();
        List<Integer> missing =
                voters.stream()
                        .map(Voter::nodeId)
                        .filter(voter -> !answering.contains(voter) && !full.contains(voter))
                        .toList();
        int able = (int) answering.stream().filter(voter -> !full.contains(voter)).count();
        int needed = voters.size() / 2 + 1;
        String state =
                "the quorum has no leader: %d of %d voters answer (%s)"
                        .formatted(
                                answering.size(),
                                voters.size(),
                                answering.isEmpty() ? "none" : ids(answering));
        int more = needed - able;
        if (more <= 0) return state + ", which is enough: try again in a few seconds";
        if (!full.isEmpty()) {
            return "%s, %d are needed, but without room on its disk none can vote. Free some on %s%s; what is there goes on by itself then"
                    .formatted(
                            state,
                            needed,
                            ids(full),
                            missing.isEmpty() ? "" : ", or start " + ids(missing));
        }
        return "%s, %d are needed: start %s, with the data directories that they had. A voter that has lost its own is replaced by itself, but only while the others have a leader, so one at a time"
                .formatted(
                        state,
                        needed,
                        more == missing.size() ? ids(missing) : more + " of " + ids(missing));
    }

    /// Voters whose disk is full.
    List<Integer> fullVoters() {
        return voters.stream()
                .map(Voter::nodeId)
                .filter(id -> node(id).stream().anyMatch(node -> node.state() == State.FULL))
                .toList();
    }

    /// What is wrong with the number of voters, and what helps; for a cluster with a controller.
    Optional<String> voterTrouble() {
        int votes = voters.size();
        if (votes == 0 || controller < 0) return Optional.empty();
        String remedy =
                "Nodes that have just joined vote by themselves within seconds. If it stays like this, start %s again without '--role observer': a node that was taken out of the quorum asks for a vote when it starts"
                        .formatted(ids(candidates().stream().sorted().toList()));
        if (votes < USUAL_VOTERS && votes + candidates().size() >= USUAL_VOTERS) {
            return Optional.of(
                    "%s on the metadata, of %d nodes that run, so that nothing can be changed when %s is down. %s"
                            .formatted(
                                    votes == 1 ? "One node votes" : votes + " nodes vote",
                                    votes + candidates().size(),
                                    votes == 1 ? "it" : "one of them",
                                    remedy));
        }
        if (votes > USUAL_VOTERS && votes % 2 == 0) {
            return Optional.of(
                    "%d nodes vote on the metadata; no more of them may be down than of %d. %s"
                            .formatted(
                                    votes,
                                    votes - 1,
                                    candidates().isEmpty()
                                            ? "Take one out of the quorum, or add a node that votes"
                                            : "Take one out of the quorum, or let one more vote: start it with '--role voter'"));
        }
        return Optional.empty();
    }

    private static String ids(List<Integer> ids) {
        String all = ids.stream().map(String::valueOf).collect(Collectors.joining(", "));
        return (ids.size() == 1 ? "node " : "nodes ") + all;
    }

    /// Partitions that can be neither written nor read: the node that leads them does not answer.
    List<Partition> withSilentLeader() {
        return partitions(partition ->
                node(partition.leader()).stream().anyMatch(node -> !node.state().answers()));
    }

    Optional<Voter> voter(int nodeId) {
        return voters.stream().filter(voter -> voter.nodeId() == nodeId).findFirst();
    }

    /// Running nodes that could become voters.
    Set<Integer> candidates() {
        return takers().stream().filter(id -> voter(id).isEmpty()).collect(Collectors.toSet());
    }

    /// Brokers that may get replicas.
    Set<Integer> takers() {
        return nodes.stream()
                .filter(node -> node.state() == State.RUNNING || node.state() == State.SILENT)
                .map(Node::id)
                .collect(Collectors.toSet());
    }

    List<Partition> partitions(Predicate<Partition> condition) {
        return partitions.stream().filter(condition).toList();
    }

    List<Partition> partitionsOn(int nodeId) {
        return partitions(partition -> partition.replicas().contains(nodeId));
    }

    /// Topics of users whose partitions have one replica each.
    List<String> topicsWithOneReplica() {
        return partitions.stream()
                .filter(partition -> !partition.internal() && partition.replicas().size() == 1)
                .map(Partition::topic)
                .distinct()
                .toList();
    }
}
