package dev.ottla.chaos.check;

import dev.ottla.chaos.check.Anomaly.Kind;
import dev.ottla.chaos.history.Event;
import dev.ottla.chaos.history.Event.Batch;
import dev.ottla.chaos.history.Span;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;

/// Plants one anomaly of a kind at a random place of a clean history.
final class Mutations {
    private final List<Event> events;
    private final RandomGenerator random;

    Mutations(List<Event> clean, RandomGenerator random) {
        events = new ArrayList<>(clean);
        this.random = random;
    }

    /// Empty when this history has no place for it.
    Optional<List<Event>> tryPlant(Kind kind) {
        try {
            return Optional.of(plant(kind));
        } catch (NoSuchElementException e) {
            return Optional.empty();
        }
    }

    private List<Event> plant(Kind kind) {
        switch (kind) {
            case ACKNOWLEDGED_WRITE_LOST -> cutBatches(1);
            case READ_RECORD_LOST -> cutBatches(2);
            case TWO_VALUES -> readSomethingElse();
            case DUPLICATE -> storeTwice();
            case REAL_TIME_ORDER -> sendLate();
            case PRODUCER_ORDER -> swapTwoOfAWriter();
            case NOBODYS_RECORD ->
                    replaceOne(
                            Event.Sent.class,
                            sent -> sent.partition().equals("a-0"),
                            sent ->
                                    new Event.Sent(
                                            sent.writer(), "a-1", sent.number(), sent.count()));
            case REFUSED_WRITE_STORED -> {
                Event.Acknowledged one = pick(Event.Acknowledged.class, _ -> true);
                events.add(
                        new Event.Refused(
                                one.writer(), one.partition(), one.number(), one.count(), "no"));
            }
            case HIGH_WATERMARK_WENT_BACK ->
                    replaceOne(
                            Event.EndsFound.class,
                            ends -> known(ends) > 0,
                            ends ->
                                    new Event.EndsFound(
                                            ends.call(),
                                            ends.logStarts(),
                                            Map.of("a-0", known(ends) - 1)));
            case LOG_START_WENT_BACK -> moveLogStart();
            case REPLICAS_DIFFER -> differ();
            case READER_SKIPPED -> skip();
            case READER_WENT_BACK -> {
                int at = indexOf(Event.Read.class, read -> read.reader().startsWith("reader"));
                events.add(at + 1, events.get(at));
            }
            case TWO_OWNERS -> {
                int at = indexOf(Event.Owned.class, _ -> true);
                Event.Owned one = (Event.Owned) events.get(at);
                events.add(
                        at + 1,
                        new Event.Owned(one.group(), "thief", one.generation(), one.partitions()));
            }
            case NO_OWNER -> {
                Event.MustBeOwned all = pick(Event.MustBeOwned.class, _ -> true);
                List<String> some = List.of(all.partitions().getFirst());
                events.add(events.indexOf(all), new Event.Released(all.group(), owner(some), some));
            }
            case COMMIT_WENT_BACK -> loseCommit(true);
            case COMMIT_VANISHED -> loseCommit(false);
            case TOPIC_LOST -> findTopics((found, one) -> found.remove(one), true);
            case TOPIC_CAME_BACK -> findTopics((found, one) -> found.put(one, 1L), false);
            case CONFIGURATION_LOST -> findTopics((found, one) -> found.put(one, 0L), true);
            case MALFORMED_REQUEST_IGNORED -> events.add(new Event.Ignored(2, "a huge length"));
            case NODE_DIED -> events.add(new Event.NodeDied(2, 70, "node-2.out", List.of("A bug")));
            case DID_NOT_HEAL -> events.add(new Event.Stuck("a-0 has no leader"));
        }
        return events;
    }

    private String owner(List<String> partitions) {
        Event.Owned last = null;
        for (Event event : events) {
            if (event instanceof Event.Owned owned && owned.partitions().equals(partitions)) {
                last = owned;
            }
        }
        return Objects.requireNonNull(last).member();
    }

    /// Something else is found of a topic that was made, or of one that was deleted.
    private void findTopics(BiConsumer<Map<String, Long>, String> change, boolean isThere) {
        Event.TopicsFound found = pick(Event.TopicsFound.class, _ -> true);
        Event.TopicAsked one =
                pick(
                        Event.TopicAsked.class,
                        asked ->
                                found.settings().containsKey(asked.topic()) == isThere
                                        && isCertain(asked.topic()));
        Map<String, Long> settings = new HashMap<>(found.settings());
        change.accept(settings, one.topic());
        events.set(events.indexOf(found), new Event.TopicsFound(settings));
    }

    /// Whether the last change of the topic was answered.
    private boolean isCertain(String topic) {
        long last = -1;
        boolean certain = false;
        for (Event event : events) {
            if (event instanceof Event.TopicAsked asked && asked.topic().equals(topic)) {
                last = asked.call();
            } else if (event instanceof Event.TopicAnswered answered && answered.call() == last) {
                certain = answered.answer() == Event.Answer.DONE;
            }
        }
        return certain;
    }

    /// What is known of a-0 when the question is asked; an answer below it went back.
    private long known(Event.EndsFound found) {
        long known = 0;
        for (Event event : events) {
            switch (event) {
                case Event.EndsAsked asked when asked.call() == found.call() -> {
                    return known;
                }
                case Event.Acknowledged one when one.partition().equals("a-0") ->
                        known = Math.max(known, one.offset() + one.count());
                default -> {}
            }
        }
        return known;
    }

    /// Takes the last batches of a partition from every replica, as if they never were.
    private void cutBatches(int count) {
        String partition = random.nextBoolean() ? "a-0" : "c-0";
        long[] end = {0};
        for (int i = 0; i < events.size(); i++) {
            if (events.get(i) instanceof Event.Stored stored
                    && stored.partition().equals(partition)
                    && stored.batches().size() > count
                    && !(events.get(i - 1) instanceof Event.Replica)
                    && isSecondHalf(i)) {
                int left = stored.batches().size() - count;
                end[0] = stored.batches().get(left).offset();
                events.set(
                        i,
                        new Event.Stored(
                                stored.node(), partition, stored.batches().subList(0, left)));
            }
        }
        events.replaceAll(event ->
                event instanceof Event.Replica replica && replica.partition().equals(partition)
                        ? new Event.Replica(
                                replica.node(), partition, 0, end[0], end[0], replica.directory())
                        : event);
    }

    private boolean isSecondHalf(int index) {
        return events.get(index - 1) instanceof Event.Stored before
                && events.get(index) instanceof Event.Stored now
                && before.node() == now.node();
    }

    private void readSomethingElse() {
        replaceOne(
                Event.Read.class,
                _ -> true,
                read -> {
                    Span first = read.values().getFirst();
                    List<Span> values = new ArrayList<>(read.values());
                    values.set(0, new Span(first.writer(), first.number() + 1, first.count()));
                    return new Event.Read(read.reader(), read.partition(), read.offset(), values);
                });
    }

    private void storeTwice() {
        Event.Stored some = pick(Event.Stored.class, stored -> stored.partition().equals("a-0"));
        Span value = some.batches().get(random.nextInt(some.batches().size())).values().getFirst();
        for (int i = 0; i < events.size(); i++) {
            if (events.get(i) instanceof Event.Replica replica
                    && replica.partition().equals("a-0")) {
                long end = replica.logEnd();
                Batch batch = new Batch(end, value.count(), 1, 9, List.of(value), List.of());
                events.set(
                        i,
                        new Event.Replica(
                                replica.node(),
                                "a-0",
                                0,
                                end + value.count(),
                                end + value.count(),
                                ""));
                int last = lastStored(replica.node());
                events.add(last + 1, new Event.Stored(replica.node(), "a-0", List.of(batch)));
            }
        }
    }

    private int lastStored(int node) {
        for (int i = events.size() - 1; i > 0; i--) {
            if (events.get(i) instanceof Event.Stored stored
                    && stored.partition().equals("a-0")
                    && stored.node() == node) {
                return i;
            }
        }
        throw new IllegalStateException("nothing stored");
    }

    /// One is sent only after a later one was acknowledged.
    private void sendLate() {
        int from =
                indexOf(
                        Event.Acknowledged.class,
                        later -> later.offset() > 10 && later.partition().equals("a-0"));
        Event.Acknowledged later = (Event.Acknowledged) events.get(from);
        int at =
                indexOf(
                        Event.Sent.class,
                        sent ->
                                sent.partition().equals("a-0")
                                        && sent.writer() != later.writer()
                                        && offsetOf(sent) < later.offset());
        Event.Sent sent = (Event.Sent) events.remove(at);
        // The writer's own later ones come after it.
        List<Event> delayed = new ArrayList<>(List.of(sent));
        for (int i = at; i < from - delayed.size(); i++) {
            if (events.get(i) instanceof Event.Sent next && next.writer() == sent.writer()) {
                delayed.add(events.remove(i--));
            }
        }
        events.addAll(events.indexOf(later) + 1, delayed);
    }

    private long offsetOf(Event.Sent sent) {
        for (Event event : events) {
            if (event instanceof Event.Stored stored) {
                for (Batch batch : stored.batches()) {
                    Span value = batch.values().getFirst();
                    if (value.writer() == sent.writer() && value.number() == sent.number()) {
                        return batch.offset();
                    }
                }
            }
        }
        return Long.MAX_VALUE;
    }

    private void swapTwoOfAWriter() {
        Event.Sent one = pick(Event.Sent.class, sent -> hasNext(sent));
        Event.Sent other = next(one);
        UnaryOperator<Span> swap =
                value -> {
                    if (value.writer() != one.writer()) {
                        return value;
                    }
                    if (value.number() == one.number()) {
                        return new Span(one.writer(), other.number(), value.count());
                    }
                    return value.number() == other.number()
                            ? new Span(one.writer(), one.number(), value.count())
                            : value;
                };
        events.replaceAll(event -> swapped(event, swap));
    }

    private static Event swapped(Event event, UnaryOperator<Span> swap) {
        return switch (event) {
            case Event.Acknowledged a -> {
                Span value = swap.apply(new Span(a.writer(), a.number(), a.count()));
                yield new Event.Acknowledged(
                        a.writer(), a.partition(), value.number(), a.count(), a.offset());
            }
            case Event.Read r ->
                    new Event.Read(
                            r.reader(),
                            r.partition(),
                            r.offset(),
                            r.values().stream().map(swap).toList());
            case Event.Stored s ->
                    new Event.Stored(
                            s.node(),
                            s.partition(),
                            s.batches().stream()
                                    .map(b ->
                                            new Batch(
                                                    b.offset(),
                                                    b.offsets(),
                                                    b.epoch(),
                                                    b.crc(),
                                                    b.values().stream().map(swap).toList(),
                                                    b.at()))
                                    .toList());
            default -> event;
        };
    }

    private boolean hasNext(Event.Sent sent) {
        return !next(sent).equals(sent);
    }

    private Event.Sent next(Event.Sent sent) {
        for (Event event : events) {
            if (event instanceof Event.Sent other
                    && other.writer() == sent.writer()
                    && other.partition().equals(sent.partition())
                    && other.number() > sent.number()) {
                return other;
            }
        }
        return sent;
    }

    private void moveLogStart() {
        int at = indexOf(Event.EndsFound.class, ends -> indexAfter(ends) > 0);
        Event.EndsFound one = (Event.EndsFound) events.get(at);
        events.set(at, new Event.EndsFound(one.call(), Map.of("a-0", 1L), one.highWatermarks()));
    }

    private int indexAfter(Event.EndsFound one) {
        for (int i = events.indexOf(one) + 1; i < events.size(); i++) {
            if (events.get(i) instanceof Event.EndsFound) {
                return i;
            }
        }
        return -1;
    }

    private void differ() {
        replaceOne(
                Event.Stored.class,
                stored -> stored.partition().equals("a-1"),
                stored -> {
                    List<Batch> batches = new ArrayList<>(stored.batches());
                    Batch b = batches.getFirst();
                    batches.set(
                            0,
                            new Batch(
                                    b.offset(),
                                    b.offsets(),
                                    b.epoch() + 1,
                                    b.crc(),
                                    b.values(),
                                    b.at()));
                    return new Event.Stored(stored.node(), stored.partition(), batches);
                });
    }

    private void skip() {
        replaceOne(
                Event.Read.class,
                read -> read.offset() > 0 && !read.partition().equals("c-0") && isFollowing(read),
                read -> {
                    Span value = read.values().getFirst();
                    Span rest = new Span(value.writer(), value.number() + 1, value.count() - 1);
                    return new Event.Read(
                            read.reader(), read.partition(), read.offset() + 1, List.of(rest));
                });
    }

    private boolean isFollowing(Event.Read read) {
        return read.reader().startsWith("reader");
    }

    private void loseCommit(boolean lower) {
        replaceOne(
                Event.CommittedFound.class,
                found -> found.offsets().getOrDefault("a-0", 0L) > 0,
                found -> {
                    Map<String, Long> offsets = new HashMap<>(found.offsets());
                    if (lower) {
                        offsets.merge("a-0", -1L, Long::sum);
                    } else {
                        offsets.remove("a-0");
                    }
                    return new Event.CommittedFound(found.call(), offsets);
                });
    }

    private <E extends Event> E pick(Class<E> type, Predicate<E> condition) {
        return type.cast(events.get(indexOf(type, condition)));
    }

    private <E extends Event> void replaceOne(
            Class<E> type, Predicate<E> condition, UnaryOperator<E> change) {
        int at = indexOf(type, condition);
        events.set(at, change.apply(type.cast(events.get(at))));
    }

    private <E extends Event> int indexOf(Class<E> type, Predicate<E> condition) {
        List<Integer> all = new ArrayList<>();
        for (int i = 0; i < events.size(); i++) {
            Event event = events.get(i);
            if (type.isInstance(event) && condition.test(type.cast(event))) {
                all.add(i);
            }
        }
        if (all.isEmpty()) {
            throw new NoSuchElementException("nothing to change: " + type.getSimpleName());
        }
        return all.get(random.nextInt(all.size()));
    }
}
