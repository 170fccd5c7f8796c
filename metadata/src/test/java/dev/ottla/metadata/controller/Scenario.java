package dev.ottla.metadata.controller;

import dev.ottla.metadata.ConfigResource;
import dev.ottla.metadata.Directories;
import dev.ottla.metadata.image.ClusterImage;
import dev.ottla.metadata.image.ImageDelta;
import dev.ottla.metadata.image.PartitionState;
import dev.ottla.metadata.image.TopicDelta;
import dev.ottla.metadata.image.TopicState;
import dev.ottla.wire.Uuid;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/// Runs the commands of a scenario file against one controller.
///
///     start ID [fenced] [unclean] [dirs=0,1]   a new incarnation, with these directories
///     fence ID | unfence ID | stop ID | remove ID
///     online ID 0,1                            the directories of the broker that work
///     full ID 0,1|none                         the directories of the broker without room
///     place NAME PARTITION ID 1|lost           the directory of a replica
///     create NAME [p=N] [rf=N] [on=1,2/2,3] [KEY=VALUE…]
///     grow NAME COUNT | delete NAME | set NAME|cluster KEY=VALUE…
///     isr NAME PARTITION 1,2                   the leader's wish
///     elect preferred|unclean NAME PARTITION
///     reassign NAME PARTITION 2,3|back         other replicas; the end of a reassignment
///
/// Refusals stand first, "- CODE message"; then the partitions that changed, as they are now.
final class Scenario {
    private final TestCluster cluster = new TestCluster();
    private final List<String> out = new ArrayList<>();

    List<String> run(String command) {
        out.clear();
        ClusterImage before = cluster.image();
        List<String> words = List.of(command.trim().split("\\s+"));
        List<String> rest = words.subList(1, words.size());
        switch (words.getFirst()) {
            case "start" -> start(rest);
            case "fence" -> refusal(cluster.fence(id(rest)));
            case "unfence" -> refusal(cluster.unfence(id(rest)));
            case "stop" -> {
                int id = id(rest);
                refusal(cluster.run(c -> c.beginControlledShutdown(id, cluster.epoch(id))));
            }
            case "remove" -> refusal(cluster.run(c -> c.unregisterBroker(id(rest))));
            case "online" -> online(rest);
            case "full" -> full(rest);
            case "place" -> place(rest);
            case "create" -> create(rest);
            case "grow" -> grow(rest);
            case "delete" ->
                    cluster.run(c -> c.deleteTopics(rest, List.of()))
                            .forEach(r -> refusal(r.error()));
            case "set" -> set(rest);
            case "isr" -> isr(rest);
            case "elect" -> elect(rest);
            case "reassign" -> reassign(rest);
            default -> throw new IllegalArgumentException("no command: " + command);
        }
        show(before, cluster.image());
        return List.copyOf(out);
    }

    private void start(List<String> words) {
        int id = id(words);
        Uuid[] directories = directories(id, options(words).getOrDefault("dirs", "0"));
        RegisterBroker usual = cluster.registration(id, !words.contains("fenced"), directories);
        RegisteredBroker reply =
                cluster.register(
                        new RegisterBroker(
                                id,
                                usual.incarnationId(),
                                usual.endpoints(),
                                usual.features(),
                                usual.rack(),
                                usual.directories(),
                                usual.cordonedDirectories(),
                                !words.contains("unclean"),
                                usual.active()));
        refusal(reply.error());
    }

    private void online(List<String> words) {
        int id = id(words);
        List<Uuid> online = List.of(directories(id, words.get(1)));
        refusal(cluster.run(c -> c.onlineDirectories(id, cluster.epoch(id), online)));
    }

    private void full(List<String> words) {
        int id = id(words);
        List<Uuid> full =
                words.get(1).equals("none") ? List.of() : List.of(directories(id, words.get(1)));
        refusal(cluster.run(c -> c.fullDirectories(id, cluster.epoch(id), full)));
    }

    private void place(List<String> words) {
        int id = Integer.parseInt(words.get(2));
        Uuid directory =
                words.get(3).equals("lost") ? Directories.LOST : directories(id, words.get(3))[0];
        AssignDirectory request = new AssignDirectory(partition(words), directory);
        cluster.run(c -> c.assignDirectories(id, cluster.epoch(id), List.of(request)))
                .parts()
                .forEach(this::refusal);
    }

    private void create(List<String> words) {
        Map<String, String> options = options(words);
        CreateTopic topic =
                CreateTopic.named(words.getFirst())
                        .withPartitions(Integer.parseInt(options.getOrDefault("p", "-1")))
                        .withReplicationFactor(Integer.parseInt(options.getOrDefault("rf", "-1")));
        if (options.containsKey("on")) {
            Map<Integer, List<Integer>> replicas = new HashMap<>();
            for (String part : options.getOrDefault("on", "").split("/", -1)) {
                replicas.put(replicas.size(), numbers(part));
            }
            topic = topic.withAssignments(replicas);
        }
        for (var option : options.entrySet()) {
            if (option.getKey().contains(".")) {
                topic = topic.withConfig(option.getKey(), option.getValue());
            }
        }
        refusal(cluster.create(topic).error());
    }

    private void grow(List<String> words) {
        CreatePartitions request =
                new CreatePartitions(words.get(0), Integer.parseInt(words.get(1)), List.of());
        cluster.run(c -> c.createPartitions(List.of(request), false))
                .forEach(r -> refusal(r.error()));
    }

    private void set(List<String> words) {
        ConfigResource resource =
                words.getFirst().equals("cluster")
                        ? ConfigResource.CLUSTER
                        : ConfigResource.topic(words.getFirst());
        List<ConfigOp> ops =
                options(words).entrySet().stream()
                        .map(e -> ConfigOp.set(e.getKey(), e.getValue()))
                        .toList();
        refusal(cluster.alter(new AlterConfigs(resource, ops)).error());
    }

    private void isr(List<String> words) {
        PartitionId id = partition(words);
        PartitionState state = cluster.partition(words.get(0), id.partition());
        AlterPartition change =
                new AlterPartition(
                        id,
                        state.leaderEpoch(),
                        state.partitionEpoch(),
                        numbers(words.get(2)).stream()
                                .map(b -> new IsrMember(b, cluster.epoch(b)))
                                .toList(),
                        false);
        cluster.run(c ->
                        c.alterPartitions(
                                state.leader(), cluster.epoch(state.leader()), List.of(change)))
                .parts()
                .forEach(r -> refusal(r.error()));
    }

    private void elect(List<String> words) {
        Election election = words.get(0).equals("unclean") ? Election.UNCLEAN : Election.PREFERRED;
        NamedPartition partition = new NamedPartition(words.get(1), Integer.parseInt(words.get(2)));
        cluster.run(c -> c.electLeaders(election, Optional.of(List.of(partition))))
                .forEach(r -> refusal(r.error()));
    }

    private void reassign(List<String> words) {
        NamedPartition partition = new NamedPartition(words.get(0), Integer.parseInt(words.get(1)));
        Optional<List<Integer>> replicas =
                Optional.of(words.get(2))
                        .filter(word -> !word.equals("back"))
                        .map(Scenario::numbers);
        cluster.run(c -> c.reassign(List.of(new ReassignPartition(partition, replicas)), true))
                .forEach(r -> refusal(r.error()));
    }

    private void refusal(ApiError error) {
        if (!error.isNone()) out.add("- " + error.code() + " " + error.message());
    }

    private void show(ClusterImage before, ClusterImage after) {
        ImageDelta delta = ImageDelta.between(before, after);
        delta.deletedTopics().values().stream()
                .map(TopicState::name)
                .sorted()
                .forEach(name -> out.add(name + " is gone"));
        delta.changedTopics().values().stream()
                .sorted(Comparator.comparing(TopicDelta::name))
                .forEach(topic ->
                        topic.changedPartitions()
                                .forEach((number, state) ->
                                        out.add(line(topic.name() + "-" + number, state))));
    }

    private static String line(String name, PartitionState state) {
        String leader = state.hasLeader() ? "led by " + state.leader() : "without leader";
        String places =
                state.directories().stream().map(Scenario::place).collect(Collectors.joining(","));
        return "%s on %s in %s: %s, epoch %d, isr %s%s%s%s%s"
                .formatted(
                        name,
                        state.replicas(),
                        places,
                        leader,
                        state.leaderEpoch(),
                        state.isr(),
                        state.elr().isEmpty() ? "" : ", eligible " + state.elr(),
                        state.recovering() ? ", recovering" : "",
                        state.addingReplicas().isEmpty()
                                ? ""
                                : ", adding " + state.addingReplicas(),
                        state.removingReplicas().isEmpty()
                                ? ""
                                : ", removing " + state.removingReplicas());
    }

    private static String place(Uuid directory) {
        return directory.equals(Directories.LOST)
                ? "lost"
                : Long.toString(directory.leastSignificantBits() - 1);
    }

    private PartitionId partition(List<String> words) {
        return new PartitionId(cluster.topicId(words.get(0)), Integer.parseInt(words.get(1)));
    }

    private static int id(List<String> words) {
        return Integer.parseInt(words.getFirst());
    }

    private static Uuid[] directories(int brokerId, String numbers) {
        return numbers(numbers).stream()
                .map(number -> TestCluster.directory(brokerId, number))
                .toArray(Uuid[]::new);
    }

    private static List<Integer> numbers(String list) {
        return Arrays.stream(list.split(",", -1)).map(Integer::valueOf).toList();
    }

    private static Map<String, String> options(List<String> words) {
        Predicate<String> isOption = word -> word.contains("=");
        return words.stream()
                .filter(isOption)
                .map(word -> word.split("=", 2))
                .collect(Collectors.toMap(pair -> pair[0], pair -> pair[1]));
    }
}
