package dev.ottla.group;

import dev.ottla.group.classic.Heartbeat;
import dev.ottla.group.classic.JoinGroup;
import dev.ottla.group.classic.LeaveGroup;
import dev.ottla.group.classic.SyncGroup;
import dev.ottla.group.consumer.ConsumerHeartbeat;
import dev.ottla.group.offset.OffsetCommit;
import dev.ottla.group.partition.PartitionSet;
import dev.ottla.group.record.Bytes;
import dev.ottla.group.record.ConsumerProtocolCodec;
import dev.ottla.group.shell.MemberIdentity;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;

/// Runs the commands of a scenario file against one coordinator and its group "g".
///
///     topics NAME=COUNT…             sets the topics
///     wait SECONDS                   lets time go by
///     load                           drops the coordinator and loads it from the log
///     A join [instance=I] [topics=T,U] [speaks=P,Q]
///     A sync [B=0,1 C=2…]            with the parts that A gives as the leader, of topic "t"
///     A beat | A leave               a classic member's other requests
///     M enter [instance=I] [topics=T,U] [pattern=P] [assignor=N]
///     M ping | M hold | M part | M pause   a consumer member: heartbeat; heartbeat while it keeps what it has;
///                                    leaves; leaves and means to come back
///     commit PARTITION OFFSET [by=NAME]
///     state | why                    what an administrator sees
///
/// Answers stand where they come, "A: …"; records that were written stand before them, "+ …".
final class Scenario {
    private static final String GROUP = "g";

    private final TestShell shell = new TestShell();
    private final Map<String, ClassicClient> classic = new TreeMap<>();
    private final Map<String, ConsumerClient> consumers = new TreeMap<>();
    private final Map<String, Answer<JoinGroup.Response>> joins = new LinkedHashMap<>();
    private final Map<String, Answer<SyncGroup.Response>> syncs = new LinkedHashMap<>();
    private final Map<String, Answer<ConsumerHeartbeat.Response>> enters = new LinkedHashMap<>();
    private List<String> out = new ArrayList<>();

    List<String> run(String command) {
        out = new ArrayList<>();
        int logged = shell.log.size();
        List<String> words = List.of(command.trim().split("\\s+"));
        List<String> answers = new ArrayList<>();
        switch (words.getFirst()) {
            case "topics" -> shell.setTopics(topics(words.subList(1, words.size())));
            case "wait" -> shell.advance(1_000L * Long.parseLong(words.get(1)));
            case "load" -> shell.reload();
            case "commit" -> answers.add(commit(words));
            case "state" -> answers.addAll(state());
            case "why" ->
                    shell.coordinator
                            .rebalances(GROUP)
                            .forEach(entry ->
                                    answers.add(
                                            "%d: %s %s"
                                                    .formatted(
                                                            entry.epoch(),
                                                            name(entry.memberId()),
                                                            entry.cause())));
            default -> answers.addAll(member(words));
        }
        shell.resolveRegexes();
        shell.recordsSince(logged)
                .forEach(record -> out.add("+ " + RecordText.of(record, this::name)));
        out.addAll(answers);
        collect();
        return out;
    }

    private TestTopics topics(List<String> words) {
        TestTopics topics = shell.topics;
        for (String name : List.copyOf(topics.names())) {
            if (words.stream().noneMatch(word -> word.startsWith(name + "="))) {
                topics = topics.without(name);
            }
        }
        for (String word : words) {
            String[] parts = word.split("=", 2);
            topics = topics.with(parts[0], Integer.parseInt(parts[1]));
        }
        return topics;
    }

    private static Map<String, String> options(List<String> words) {
        Map<String, String> options = new LinkedHashMap<>();
        words.stream()
                .filter(word -> word.contains("="))
                .forEach(word -> {
                    String[] parts = word.split("=", 2);
                    options.put(parts[0], parts[1]);
                });
        return options;
    }

    private List<String> member(List<String> words) {
        String name = words.getFirst();
        Map<String, String> options = options(words);
        return switch (words.get(1)) {
            case "join" -> join(name, options);
            case "sync" -> sync(name, options);
            case "beat" -> List.of(name + ": " + beat(client(name).heartbeat()));
            case "leave" -> List.of(name + ": " + left(client(name).leave()));
            case "enter" -> {
                enters.put(name, enter(name, options));
                yield List.of();
            }
            case "ping", "hold" -> {
                ConsumerClient client = consumer(name);
                client.holdsOn = words.get(1).equals("hold");
                yield List.of(name + ": " + pinged(client.heartbeat()));
            }
            case "part" -> List.of(name + ": " + pinged(consumer(name).leave()));
            case "pause" -> List.of(name + ": " + pinged(consumer(name).leaveForNow()));
            default -> throw new IllegalArgumentException("no command " + words);
        };
    }

    private ClassicClient client(String name) {
        return classic.computeIfAbsent(name, _ -> new ClassicClient(shell, GROUP));
    }

    private ConsumerClient consumer(String name) {
        return consumers.computeIfAbsent(name, _ -> new ConsumerClient(shell, GROUP, name));
    }

    private List<String> join(String name, Map<String, String> options) {
        ClassicClient client = client(name);
        if (options.containsKey("instance")) client.withInstance(options.get("instance"));
        if (options.containsKey("topics")) {
            client.topics = Set.of(options.get("topics").split(","));
        }
        if (options.containsKey("speaks")) client.speaking(options.get("speaks").split(","));
        joins.put(name, client.join());
        return List.of();
    }

    private List<String> sync(String name, Map<String, String> options) {
        Map<String, Bytes> parts = new HashMap<>();
        options.forEach((member, partitions) ->
                parts.put(
                        client(member).memberId,
                        ConsumerProtocolCodec.encodeAssignment(
                                Map.of("t", partitions(partitions)), (short) 3)));
        syncs.put(name, client(name).sync(parts));
        return List.of();
    }

    private static PartitionSet partitions(String text) {
        return PartitionSet.of(
                Arrays.stream(text.split(",")).mapToInt(Integer::parseInt).toArray());
    }

    /// Prints the joins and syncs that have been answered by now.
    private void collect() {
        enters.entrySet()
                .removeIf(entry -> {
                    if (!entry.getValue().isThere()) return false;
                    consumer(entry.getKey()).lookAgain();
                    out.add(entry.getKey() + ": " + pinged(entry.getValue()));
                    return true;
                });
        joins.entrySet()
                .removeIf(entry -> {
                    if (!entry.getValue().isThere()) return false;
                    out.add(entry.getKey() + ": " + joined(entry.getKey(), entry.getValue()));
                    return true;
                });
        syncs.entrySet()
                .removeIf(entry -> {
                    if (!entry.getValue().isThere()) return false;
                    out.add(entry.getKey() + ": " + synced(entry.getValue()));
                    return true;
                });
    }

    private String joined(String name, Answer<JoinGroup.Response> answer) {
        if (answer.isRefused()) return refused(answer);
        JoinGroup.Joined joined = client(name).took(answer);
        List<String> members =
                joined.members().stream().map(member -> name(member.memberId())).toList();
        return "generation %d of %s%s%s"
                .formatted(
                        joined.generationId(),
                        joined.protocolName().orElse("?"),
                        members.isEmpty() ? "" : ", leads " + members,
                        joined.skipAssignment() ? ", skips the assignment" : "");
    }

    private static String synced(Answer<SyncGroup.Response> answer) {
        if (answer.isRefused()) return refused(answer);
        return "has "
                + new TreeMap<>(
                        ConsumerProtocolCodec.assignment(answer.get().assignment())
                                .orElseThrow()
                                .partitions());
    }

    private static String beat(Answer<Heartbeat.Response> answer) {
        return answer.isRefused() ? refused(answer) : "fine";
    }

    private static String left(Answer<LeaveGroup.Response> answer) {
        if (answer.isRefused()) return refused(answer);
        return answer.get().members().getFirst().refusal().isEmpty()
                ? "left"
                : answer.get().members().getFirst().refusal().get().error().toString();
    }

    private static String refused(Answer<?> answer) {
        return answer.refusal().error() + ". " + answer.refusal().message();
    }

    private Answer<ConsumerHeartbeat.Response> enter(String name, Map<String, String> options) {
        ConsumerClient client = consumer(name);
        if (options.containsKey("instance")) client.withInstance(options.get("instance"));
        if (options.containsKey("topics")) client.subscribedTo(options.get("topics").split(","));
        if (options.containsKey("pattern")) client.matching(options.get("pattern"));
        if (options.containsKey("assignor")) client.assignor = Optional.of(options.get("assignor"));
        return client.join();
    }

    private String pinged(Answer<ConsumerHeartbeat.Response> answer) {
        if (answer.isRefused()) return refused(answer);
        String told =
                answer.get().assignment().isEmpty()
                        ? ""
                        : ", told to use "
                                + RecordText.assignment(
                                        answer.get().assignment().get(), shell.topics);
        return "epoch " + answer.get().memberEpoch() + told;
    }

    private String commit(List<String> words) {
        String by = options(words).getOrDefault("by", "");
        ConsumerClient consumer = consumers.get(by);
        ClassicClient client = classic.get(by);
        Answer<OffsetCommit.Response> answer = new Answer<>();
        shell.coordinator.offsetCommit(
                new OffsetCommit.Request(
                        GROUP,
                        consumer != null
                                ? MemberIdentity.dynamic(consumer.memberId)
                                : client != null ? client.identity() : MemberIdentity.dynamic(""),
                        consumer != null
                                ? consumer.epoch
                                : client != null ? client.generationId : -1,
                        10,
                        OptionalLong.empty(),
                        List.of(
                                new OffsetCommit.Topic(
                                        "t",
                                        shell.topics.id("t"),
                                        List.of(
                                                new OffsetCommit.Partition(
                                                        Integer.parseInt(words.get(1)),
                                                        Long.parseLong(words.get(2)),
                                                        -1,
                                                        ""))))),
                answer,
                shell.nowMs);
        return answer.isRefused() ? refused(answer) : "committed";
    }

    private List<String> state() {
        List<String> lines = new ArrayList<>();
        Inspector.classic(shell.coordinator, GROUP, shell.nowMs)
                .ifPresent(group ->
                        lines.add(
                                "classic, %s, members %s"
                                        .formatted(
                                                group.state(),
                                                group.members().stream()
                                                        .map(member -> name(member.memberId()))
                                                        .toList())));
        Inspector.consumer(shell.coordinator, GROUP, shell.nowMs)
                .ifPresent(group -> {
                    lines.add(
                            "consumer, %s, group epoch %d, assignment epoch %d, %s"
                                    .formatted(
                                            group.state(),
                                            group.groupEpoch(),
                                            group.assignmentEpoch(),
                                            group.assignorName()));
                    group.members()
                            .forEach(member ->
                                    lines.add(
                                            "  %s%s at epoch %d has %s, shall have %s"
                                                    .formatted(
                                                            name(member.memberId()),
                                                            member.classic() ? " (classic)" : "",
                                                            member.memberEpoch(),
                                                            RecordText.assignment(
                                                                    member.assigned(),
                                                                    shell.topics),
                                                            RecordText.assignment(
                                                                    member.target(),
                                                                    shell.topics))));
                });
        return lines.isEmpty() ? List.of("no group") : lines;
    }

    /// The short name of a member in the file.
    private String name(String memberId) {
        return classic.entrySet().stream()
                .filter(entry -> entry.getValue().memberId.equals(memberId))
                .map(Map.Entry::getKey)
                .findFirst()
                .orElse(memberId.isEmpty() ? "(nobody)" : memberId);
    }
}
