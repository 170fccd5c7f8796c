package dev.ottla.chaos.check;

import dev.ottla.chaos.check.Anomaly.Kind;
import dev.ottla.chaos.history.Event;
import dev.ottla.chaos.history.Line;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/// Is given a history line by line and finds what cannot be. Owned by one thread.
public final class Checker {
    private final Findings findings = new Findings();
    private final SentBook sent = new SentBook();
    private final Map<String, Integer> keysOfTopics = new HashMap<>();
    private final Map<String, PartitionCheck> partitions = new TreeMap<>();
    private final Map<String, GroupCheck> groups = new TreeMap<>();
    private final TopicsCheck topics = new TopicsCheck(findings);

    /// Questions without an answer yet.
    private final Map<Long, PendingCommit> commits = new HashMap<>();

    private final Map<Long, PendingFetch> fetches = new HashMap<>();
    private final Map<Long, Ends> ends = new HashMap<>();

    /// Members that own a partition and have not read it yet.
    private final Map<String, Map<String, Beginning>> beginnings = new HashMap<>();

    private long requestTimeoutMs = Long.MAX_VALUE;

    private record PendingCommit(long atMs, Event.CommitAsked asked) {}

    private record PendingFetch(String group, Map<String, Long> known) {}

    private record Ends(Map<String, Long> logStarts, Map<String, Long> highWatermarks) {}

    private record Beginning(GroupCheck group, GroupCheck.Bounds bounds) {}

    public void accept(Line line) {
        long number = line.line();
        switch (line.event()) {
            case Event.Run event -> requestTimeoutMs = event.requestTimeoutMs();
            case Event.Topic event -> keysOfTopics.put(event.name(), event.keys());
            case Event.Sent event -> sent.add(number, event);
            case Event.Acknowledged event ->
                    partition(event.partition()).onAcknowledged(number, event);
            case Event.Refused event -> partition(event.partition()).onRefused(event);
            case Event.Read event -> onRead(number, event);
            case Event.Owned event -> onOwned(number, event);
            case Event.Released event -> onReleased(event);
            case Event.MustBeOwned event ->
                    group(event.group()).onMustBeOwned(number, event.partitions());
            case Event.TopicAsked event -> topics.onAsked(number, event);
            case Event.TopicAnswered event -> topics.onAnswered(event);
            case Event.TopicsFound event -> topics.onFound(number, event.settings());
            case Event.CommitAsked event -> {
                group(event.group()).onAsked(event.offsets());
                commits.put(event.call(), new PendingCommit(line.atMs(), event));
            }
            case Event.CommitAnswered event -> onAnswered(line.atMs(), event);
            case Event.CommittedAsked event ->
                    fetches.put(
                            event.call(),
                            new PendingFetch(event.group(), group(event.group()).known()));
            case Event.CommittedFound event -> onFound(number, event);
            case Event.EndsAsked event -> ends.put(event.call(), endsNow());
            case Event.EndsFound event -> onEnds(number, event);
            case Event.Replica event -> partition(event.partition()).replicas().onReplica(event);
            case Event.Stored event ->
                    partition(event.partition()).replicas().onStored(number, event);
            case Event.NodeDied event ->
                    addPlain(
                            Kind.NODE_DIED,
                            number,
                            "node %d ended by itself with exit code %d; its output is in %s and ends with:\n    %s"
                                    .formatted(
                                            event.node(),
                                            event.exitCode(),
                                            event.file(),
                                            String.join("\n    ", event.said())));
            case Event.Ignored event ->
                    addPlain(
                            Kind.MALFORMED_REQUEST_IGNORED,
                            number,
                            "node %d neither answers %s nor closes the connection"
                                    .formatted(event.node(), event.what()));
            case Event.Stuck event -> addPlain(Kind.DID_NOT_HEAL, number, event.what());
            case Event.Given _,
                    Event.Unanswered _,
                    Event.FaultBegan _,
                    Event.FaultEnded _,
                    Event.LoadBegan _,
                    Event.LoadEnded _,
                    Event.Healed _ -> {}
        }
    }

    /// To be called once, after the last line.
    public Findings finish() {
        partitions.values().forEach(PartitionCheck::finish);
        return findings;
    }

    private void onOwned(long line, Event.Owned event) {
        GroupCheck group = group(event.group());
        group.onOwned(line, event);
        for (String partition : event.partitions()) {
            partition(partition).readerLeaves(event.member());
            beginnings
                    .computeIfAbsent(event.member(), _ -> new HashMap<>())
                    .put(partition, new Beginning(group, group.bounds(partition)));
        }
    }

    private void onReleased(Event.Released event) {
        group(event.group()).onReleased(event);
        for (String partition : event.partitions()) {
            partition(partition).readerLeaves(event.member());
            beginnings.getOrDefault(event.member(), new HashMap<>()).remove(partition);
        }
    }

    private void onRead(long line, Event.Read event) {
        Beginning beginning =
                beginnings.getOrDefault(event.reader(), new HashMap<>()).remove(event.partition());
        if (beginning != null) {
            checkBeginning(line, event, beginning);
        }
        partition(event.partition()).onRead(line, event);
    }

    /// A member begins where its group committed, or at the log's start when it never did.
    private void checkBeginning(long line, Event.Read event, Beginning beginning) {
        GroupCheck.Bounds bounds = beginning.bounds();
        PartitionCheck partition = partition(event.partition());
        if (bounds.known() != LongList.ABSENT && !bounds.allows(event.offset())) {
            beginning
                    .group()
                    .wentBack(
                            line,
                            event.partition(),
                            bounds.known(),
                            event.offset(),
                            event.reader() + " begins at");
        }
        long most =
                Math.max(beginning.group().bounds(event.partition()).asked(), partition.logStart());
        if (event.offset() > Math.max(most, 0) && keys(event.partition()) == 0) {
            findings.add(
                    Kind.READER_SKIPPED,
                    () ->
                            Anomaly.of(
                                    Kind.READER_SKIPPED,
                                    "%s begins at offset %d of %s, of which its group had read up to %d"
                                            .formatted(
                                                    event.reader(),
                                                    event.offset(),
                                                    event.partition(),
                                                    most),
                                    line));
        }
    }

    private void onAnswered(long atMs, Event.CommitAnswered event) {
        PendingCommit pending = commits.remove(event.call());
        if (pending != null) {
            Event.CommitAsked asked = pending.asked();
            // What was sent before it on the connection may have run out of time and closed that.
            boolean stray = atMs - pending.atMs() >= requestTimeoutMs / 2;
            group(asked.group()).onAnswered(asked.offsets(), event.answer(), stray);
        }
    }

    private void onFound(long line, Event.CommittedFound event) {
        PendingFetch pending = fetches.remove(event.call());
        if (pending != null) {
            group(pending.group()).onFound(line, event.offsets(), pending.known());
        }
    }

    private Ends endsNow() {
        Map<String, Long> logStarts = new HashMap<>();
        Map<String, Long> highWatermarks = new HashMap<>();
        partitions.forEach((name, check) -> {
            logStarts.put(name, check.logStart());
            highWatermarks.put(name, check.highWatermark());
        });
        return new Ends(logStarts, highWatermarks);
    }

    private void onEnds(long line, Event.EndsFound event) {
        Ends before = ends.remove(event.call());
        if (before == null) {
            return;
        }
        event.highWatermarks()
                .forEach((name, found) ->
                        partition(name)
                                .onHighWatermark(
                                        line,
                                        found,
                                        before.highWatermarks().getOrDefault(name, 0L)));
        event.logStarts()
                .forEach((name, found) ->
                        partition(name)
                                .onLogStart(
                                        line, found, before.logStarts().getOrDefault(name, 0L)));
    }

    private void addPlain(Kind kind, long line, String text) {
        findings.add(kind, () -> Anomaly.of(kind, text, line));
    }

    private PartitionCheck partition(String name) {
        return partitions.computeIfAbsent(
                name, _ -> new PartitionCheck(name, keys(name), sent, findings));
    }

    private int keys(String partition) {
        String topic = partition.substring(0, partition.lastIndexOf('-'));
        return keysOfTopics.getOrDefault(topic, 0);
    }

    private GroupCheck group(String name) {
        return groups.computeIfAbsent(name, _ -> new GroupCheck(name, findings));
    }
}
