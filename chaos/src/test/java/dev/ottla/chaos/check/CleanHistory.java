package dev.ottla.chaos.check;

import dev.ottla.chaos.history.Event;
import dev.ottla.chaos.history.Event.Batch;
import dev.ottla.chaos.history.Event.TopicChange;
import dev.ottla.chaos.history.Span;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

/// Makes up what a cluster that keeps its promises could have done: writers, readers, a group and
/// three replicas of each partition, in random order.
final class CleanHistory {
    static final String GROUP = "g";
    static final List<Integer> NODES = List.of(1, 2, 3);
    static final int KEYS = 3;
    private static final List<String> PARTITIONS = List.of("a-0", "a-1", "c-0");
    private static final int WRITERS = 3;
    private static final int READERS = 2;
    private static final int MEMBERS = 2;
    private static final int STEPS = 600;

    private final RandomGenerator random;
    private final List<Event> events = new ArrayList<>();
    private final long[] numbers = new long[WRITERS];
    private final Map<String, Shelf> shelves = new TreeMap<>();
    private final Map<String, Long> positions = new HashMap<>();
    private final Map<String, Long> committed = new HashMap<>();
    private final Map<String, Long> settings = new HashMap<>();
    private int generation;
    private long calls;

    /// A partition's log and what is on its way there.
    private static final class Shelf {
        final Map<Integer, Deque<Event.Sent>> underWay = new HashMap<>();
        final List<Batch> log = new ArrayList<>();
        final Deque<Event.Acknowledged> answers = new ArrayDeque<>();

        long end() {
            return log.isEmpty() ? 0 : log.getLast().offset() + log.getLast().offsets();
        }
    }

    CleanHistory(RandomGenerator random) {
        this.random = random;
        PARTITIONS.forEach(partition -> shelves.put(partition, new Shelf()));
    }

    List<Event> make() {
        events.add(new Event.Run(1, NODES.size(), 60, List.of("kill"), 1_000, "test"));
        events.add(new Event.Topic("a", 2, 0));
        events.add(new Event.Topic("c", 1, KEYS));
        rebalance();
        for (int step = 0; step < STEPS; step++) {
            step();
        }
        PARTITIONS.forEach(this::finish);
        events.add(new Event.MustBeOwned(GROUP, PARTITIONS));
        askEnds();
        askCommitted();
        events.add(new Event.TopicsFound(settings));
        PARTITIONS.forEach(this::store);
        return events;
    }

    private void step() {
        String partition = PARTITIONS.get(random.nextInt(PARTITIONS.size()));
        switch (random.nextInt(13)) {
            case 0, 1, 2 -> send(random.nextInt(WRITERS), partition);
            case 3, 4, 5 -> land(random.nextInt(WRITERS), partition);
            case 6, 7 -> answer(partition);
            case 8 -> read("reader-" + random.nextInt(READERS), partition);
            case 9 -> {
                String member = ownerOf(partition);
                read(member, partition);
                if (random.nextBoolean()) {
                    commit(member, partition);
                }
            }
            case 10 -> askEnds();
            case 11 -> changeTopic("made-" + random.nextInt(10));
            default -> {
                if (random.nextInt(5) == 0) {
                    rebalance();
                } else {
                    askCommitted();
                }
            }
        }
    }

    private void send(int writer, String partition) {
        int count = 2;
        Event.Sent sent = new Event.Sent(writer, partition, numbers[writer], count);
        numbers[writer] += count;
        events.add(sent);
        shelf(partition).underWay.computeIfAbsent(writer, _ -> new ArrayDeque<>()).add(sent);
    }

    private void land(int writer, String partition) {
        Shelf shelf = shelf(partition);
        Event.Sent sent = shelf.underWay.computeIfAbsent(writer, _ -> new ArrayDeque<>()).poll();
        if (sent == null) {
            return;
        }
        long offset = shelf.end();
        List<Span> values = List.of(new Span(writer, sent.number(), sent.count()));
        shelf.log.add(new Batch(offset, sent.count(), 1, random.nextInt(), values, List.of()));
        if (random.nextInt(10) == 0) {
            events.add(
                    new Event.Unanswered(writer, partition, sent.number(), sent.count(), "late"));
        } else {
            shelf.answers.add(
                    new Event.Acknowledged(writer, partition, sent.number(), sent.count(), offset));
        }
    }

    private void answer(String partition) {
        Event.Acknowledged answer = shelf(partition).answers.poll();
        if (answer != null) {
            events.add(answer);
        }
    }

    private void read(String reader, String partition) {
        Shelf shelf = shelf(partition);
        String place = reader + "/" + partition;
        long position = positions.getOrDefault(place, 0L);
        for (Batch batch : shelf.log) {
            if (batch.offset() + batch.offsets() <= position) {
                continue;
            }
            events.add(new Event.Read(reader, partition, batch.offset(), batch.values()));
            positions.put(place, batch.offset() + batch.offsets());
        }
    }

    private String ownerOf(String partition) {
        return "member-" + (PARTITIONS.indexOf(partition) + generation) % MEMBERS;
    }

    private void commit(String member, String partition) {
        long offset = positions.getOrDefault(member + "/" + partition, 0L);
        Map<String, Long> offsets = Map.of(partition, offset);
        events.add(new Event.CommitAsked(++calls, GROUP, offsets));
        if (offset >= committed.getOrDefault(partition, 0L)) {
            committed.put(partition, offset);
            events.add(new Event.CommitAnswered(calls, Event.Answer.DONE));
        } else {
            events.add(new Event.CommitAnswered(calls, Event.Answer.REFUSED));
        }
    }

    private void rebalance() {
        for (String partition : PARTITIONS) {
            events.add(new Event.Released(GROUP, ownerOf(partition), List.of(partition)));
        }
        generation++;
        for (String partition : PARTITIONS) {
            String member = ownerOf(partition);
            positions.put(member + "/" + partition, committed.getOrDefault(partition, 0L));
            events.add(new Event.Owned(GROUP, member, generation, List.of(partition)));
        }
    }

    /// Nobody knows of one in five whether it was done.
    private void changeTopic(String topic) {
        TopicChange change = TopicChange.CREATE;
        if (settings.containsKey(topic)) {
            change = random.nextBoolean() ? TopicChange.SET : TopicChange.DELETE;
        }
        events.add(new Event.TopicAsked(++calls, topic, change, calls));
        boolean known = random.nextInt(5) > 0;
        if (known || random.nextBoolean()) {
            if (change == TopicChange.DELETE) {
                settings.remove(topic);
            } else {
                settings.put(topic, calls);
            }
        }
        Event.Answer answer = known ? Event.Answer.DONE : Event.Answer.UNKNOWN;
        events.add(new Event.TopicAnswered(calls, answer));
    }

    private void askEnds() {
        events.add(new Event.EndsAsked(++calls));
        Map<String, Long> starts = new HashMap<>();
        Map<String, Long> ends = new HashMap<>();
        shelves.forEach((partition, shelf) -> {
            starts.put(partition, 0L);
            ends.put(partition, shelf.end());
        });
        events.add(new Event.EndsFound(calls, starts, ends));
    }

    private void askCommitted() {
        events.add(new Event.CommittedAsked(++calls, GROUP));
        events.add(new Event.CommittedFound(calls, committed));
    }

    /// The last records of each partition are one that was only read and one that was only
    /// acknowledged.
    private void finish(String partition) {
        for (int writer = 0; writer < WRITERS; writer++) {
            while (!shelf(partition)
                    .underWay
                    .computeIfAbsent(writer, _ -> new ArrayDeque<>())
                    .isEmpty()) {
                land(writer, partition);
            }
        }
        while (!shelf(partition).answers.isEmpty()) {
            answer(partition);
        }
        commit(ownerOf(partition), partition);
        send(0, partition);
        land(0, partition);
        shelf(partition).answers.clear();
        read("reader-0", partition);
        send(1, partition);
        Event.Sent last = shelf(partition).underWay.getOrDefault(1, new ArrayDeque<>()).remove();
        long offset = shelf(partition).end();
        List<Span> values = List.of(new Span(1, last.number(), last.count()));
        shelf(partition).log.add(new Batch(offset, last.count(), 1, 7, values, List.of()));
        events.add(new Event.Acknowledged(1, partition, last.number(), last.count(), offset));
    }

    private void store(String partition) {
        Shelf shelf = shelf(partition);
        for (int node : NODES) {
            events.add(
                    new Event.Replica(
                            node, partition, 0, shelf.end(), shelf.end(), "data/" + partition));
        }
        for (int node : NODES) {
            int half = shelf.log.size() / 2;
            events.add(new Event.Stored(node, partition, shelf.log.subList(0, half)));
            events.add(
                    new Event.Stored(node, partition, shelf.log.subList(half, shelf.log.size())));
        }
    }

    private Shelf shelf(String partition) {
        Shelf shelf = shelves.get(partition);
        if (shelf == null) {
            throw new IllegalArgumentException(partition);
        }
        return shelf;
    }
}
